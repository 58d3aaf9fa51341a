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
	h := v.history()
	all := h.Events
	h.Limit, h.Window, h.Events, h.Bursts = int(v.lane.PerDay), v.rec.Settings.Day, all[:0], nil
	for i, e := range all {
		if e.Stage, e.Excused = 0, false; e.Outcome != limiter.Refused || v.own[i] == last {
			h.Events = append(h.Events, e)
		}
	}
	return h
}

// Day judges that the day's requests are accepted (RATE-7) and the next one is answered 429 (RATE-13). A day is spent
// once, so one round is enough. A clock's day is not among the kinds: that it turned shows in a Reset, and at midnight. A
// timer's refill is, if one refills the minute's bucket.
func (v *View) Day(o *Outcome) {
	sent, limit := v.Of(o.ID, record.Spend), int(v.lane.PerDay)
	if len(sent) == 0 || limit <= 0 {
		return
	}
	last := sent[len(sent)-1]
	counted, took := count(v.own, (*record.Record).Accepted), last.Received()-v.own[0].Sent
	o.Cite(sent[0], last)
	came := fmt.Sprintf("%d of the day's %d requests were accepted in %s", counted, limit, took.Round(time.Millisecond))
	o.Show("%s", came)
	kinds := []*limiter.Kind{limiter.Log, limiter.Bucket}
	if slices.Equal(v.minute.Explaining, []*limiter.Kind{limiter.SteppedBucket}) {
		kinds = append(kinds, limiter.SteppedBucket)
	}
	early, lawful := last.Limited() && counted < limit, len(limiter.Explaining(v.ofTheDay(last), kinds)) > 0
	most := float64(limit) * (1 + float64(took)/float64(v.rec.Settings.Day)) // of a bucket
	began, whole := v.dayBegan(last)
	whole = whole && began >= v.own[0].Sent // nothing of the day was spent before the run
	switch {
	case v.disturbed(v.own[0].Sent, last.Ended()):
		o.Doubt("RATE-13", "%s; a clock jumped during the day", came)
	case v.dayEnded(last):
		o.Doubt("RATE-13", "%s; the target's day ended during the phase; start the run at the beginning of a day", came)
	case early && v.minute.Others.At >= 0:
		o.Doubt("RATE-7", "%s", v.whoElse())
		o.Doubt("RATE-13", "%s", v.whoElse())
	case early && !v.ofDay(last):
		o.Doubt("RATE-13", "%s, and the minute's limit may be the cause of the 429", came)
	case early && !whole:
		o.Doubt("RATE-7", "%s, and no response shows that none was spent before the run", came)
	case early && v.countsRefused(limit-counted):
		o.Doubt("RATE-7", "%s; the target may count those that it refused too", came)
	case early:
		o.Fail("RATE-7", last, fmt.Sprintf("request %s of the day", spec.Number(counted+1)),
			fmt.Sprintf("not refused: the plan %s has %s a day", v.lane.Plan, spec.Number(limit)), "429 after "+spec.Number(counted))
	case !last.Limited() && lawful:
		o.Doubt("RATE-13", "the day's limit was not reached: %s", came)
	case lawful:
	case last.Limited() && float64(counted) <= most && (float64(counted) > (most+float64(limit))/2 || !whole):
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

// dayBegan returns when the day of a 429 began, by its Retry-After, which may be rounded up to a second.
func (v *View) dayBegan(last *record.Record) (began time.Duration, known bool) {
	return last.Received() + last.RetryAfter - v.rec.Settings.Day, last.Limited() && last.RetryAfter != limiter.Absent
}

// dayRounding is how much later than the first request of a day its beginning may seem to be: 2 s. Retry-After is rounded
// up to a second, and the clocks of two machines differ.
const dayRounding = 2 * time.Second

// dayEnded reports whether the target's day ended during the run: the run is longer than a day; or by Retry-After the day
// of the 429 began later than the run, and all requests of that day were accepted since; or the Reset of a response passed;
// or two responses have a Date before and after midnight (UTC). A 429 of a proxy may have no Date.
func (v *View) dayEnded(last *record.Record) bool {
	const midnight = 86_400 // Unix time is a multiple of it then
	first, day := v.own[0], v.rec.Settings.Day
	began, known := v.dayBegan(last)
	since, days := int64(0), []int64{}
	for _, r := range v.own {
		if r.Limit == v.lane.PerDay && r.ResetIn > 0 && r.Received()+r.ResetIn < last.Sent {
			return true
		}
		if r.Accepted() && r.Received() > began-dayRounding {
			since++
		}
		if r.Date != limiter.Absent && day == midnight*time.Second {
			days = spec.With(days, r.Date/midnight)
		}
	}
	later := known && began > first.Received()+dayRounding
	return later && since >= v.lane.PerDay || len(days) > 1 || last.Received()-first.Sent > day
}
