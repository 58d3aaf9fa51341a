package judge

import (
	"fmt"
	"slices"
	"time"

	"petconform/load/limiter"
	"petconform/load/record"
	"petconform/spec"
)

// ofTheDay returns the requests of all phases as a history of the day's limit, without the refusals of the minute's.
func (v *View) ofTheDay(last *record.Record) *limiter.History {
	h := &limiter.History{Limit: int(v.lane.PerDay), Window: v.rec.Settings.Day}
	for i, e := range v.history().Events {
		if e.Stage, e.Burst, e.Excused = 0, 0, false; e.Outcome != limiter.Refused || v.own[i] == last {
			h.Events = append(h.Events, e)
		}
	}
	return h
}

// Day judges that the day's requests are accepted (RATE-7) and the next one is answered 429 (RATE-13). A day is spent
// once, so one round is enough. A clock's day is not among the kinds: that it turned shows in a Reset, and at midnight. A
// timer's refill is, if one refills the minute's bucket.
func (v *View) Day(o *Outcome) {
	sent := v.Of(o.ID, record.Spend)
	if len(sent) == 0 || v.lane.PerDay <= 0 {
		return
	}
	last, took := sent[len(sent)-1], sent[len(sent)-1].Received()-v.own[0].Sent
	counted, limit := count(v.own, (*record.Record).Accepted), int(v.lane.PerDay)
	o.Cite(sent[0], last)
	came := fmt.Sprintf("%d of the day's %d requests were accepted in %s", counted, limit, took.Round(time.Millisecond))
	o.Show("%s", came)
	kinds := []*limiter.Kind{limiter.Log, limiter.Bucket}
	if slices.Equal(v.minute.Explaining, []*limiter.Kind{limiter.SteppedBucket}) {
		kinds = append(kinds, limiter.SteppedBucket)
	}
	early, lawful := last.Limited() && counted < limit, len(limiter.Explaining(v.ofTheDay(last), kinds)) > 0
	most := float64(limit) * (1 + float64(took)/float64(v.rec.Settings.Day)) // of a bucket
	switch why := v.dayDisturbed(last); {
	case why != "":
		o.Doubt("RATE-13", "%s; %s", came, why)
	case early && v.minute.Others.At >= 0:
		o.Doubt("RATE-7", "%s", v.whoElse())
		o.Doubt("RATE-13", "%s", v.whoElse())
	case early && !v.ofDay(last):
		o.Doubt("RATE-13", "%s, and the minute's limit may be the cause of the 429", came)
	case early && !v.dayWhole(last):
		o.Doubt("RATE-7", "%s, and no response shows that none was spent before the run", came)
	case early && v.countsRefused(limit-counted):
		o.Doubt("RATE-7", "%s; the target may count those that it refused too", came)
	case early:
		o.Fail("RATE-7", last, fmt.Sprintf("request %s of the day", spec.Number(counted+1)),
			fmt.Sprintf("not refused: the plan %s has %s a day", v.lane.Plan, spec.Number(limit)), "429 after "+spec.Number(counted))
	case !last.Limited() && lawful:
		o.Doubt("RATE-13", "the day's limit was not reached: %s", came)
	case lawful:
	case last.Limited() && float64(counted) <= most && (float64(counted) > (most+float64(limit))/2 || !v.dayWhole(last)):
		o.Doubt("RATE-13", "%s, where a bucket gains %.0f; it may not have been full at first", came, most-float64(limit))
	default:
		o.Fail("RATE-13", last, "the requests of a day",
			fmt.Sprintf("429 after %s, or after %.0f where a bucket is refilled", spec.Number(limit), most),
			answered(last)+" after "+spec.Count(counted, "accepted request"))
	}
	o.Settle("RATE-7", "RATE-13")
}

// countsRefused reports whether a limiter that counts refused requests too explains why so many of the day's were missing.
// It counts at least those whose sender had waited; others may have been refused by a ban.
func (v *View) countsRefused(missing int) bool {
	most := count(v.own, (*record.Record).Limited) - 1
	least := count(v.own, func(r *record.Record) bool { return r.Limited() && r.Role == record.Spend }) - 1
	return missing >= least && missing <= most
}

// dayRounding is how much later than the first request of a day its beginning may seem to be: 2 s. Retry-After is rounded
// up to a second, and the clocks of two machines differ.
const dayRounding = 2 * time.Second

// dayWhole reports whether the day of a 429 began with the run's first request or later. Then nothing of it was spent
// before the run.
func (v *View) dayWhole(last *record.Record) bool {
	began, ok := v.dayBegan(last)
	return ok && began >= v.own[0].Sent
}

// dayBegan returns when the day of a 429 began, by its Retry-After, which may be rounded up to a second.
func (v *View) dayBegan(last *record.Record) (time.Duration, bool) {
	return last.Received() + last.RetryAfter - v.rec.Settings.Day, last.RetryAfter != limiter.Absent && last.Limited()
}

// dayDisturbed returns why the run may have more or less than one day of the target, or "": a clock jumped, or the day
// ended. It ended if by Retry-After the day of the 429 began later than the run, and all requests of that day were accepted
// since; or the Reset of a response passed; or two responses have a Date before and after midnight (UTC). A 429 of a proxy
// may have no Date.
func (v *View) dayDisturbed(last *record.Record) string {
	const midnight, ended = 86_400, "the target's day ended during the phase; start the run at the beginning of a day"
	began, ok := v.dayBegan(last)
	since := count(v.own, func(r *record.Record) bool { return r.Accepted() && r.Received() > began-dayRounding })
	days, passed := map[int64]bool{}, false
	for _, r := range v.own {
		passed = passed || r.Limit == v.lane.PerDay && r.ResetIn > 0 && r.Received()+r.ResetIn < last.Sent
		if r.Date != limiter.Absent {
			days[r.Date/midnight] = true // Unix time is a multiple of it at midnight
		}
	}
	switch {
	case v.disturbed(v.own[0].Sent, last.Ended()):
		return "a clock jumped during the day"
	case ok && began > v.own[0].Received()+dayRounding && int64(since) >= v.lane.PerDay, passed,
		len(days) > 1 && v.rec.Settings.Day == midnight*time.Second, last.Received()-v.own[0].Sent > v.rec.Settings.Day:
		return ended
	}
	return ""
}
