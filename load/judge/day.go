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
	o.Show("%d of the day's %d requests were accepted in %s", counted, limit, took.Round(time.Millisecond))
	kinds := []*limiter.Kind{limiter.Log, limiter.Bucket}
	if slices.Equal(v.minute.Explaining, []*limiter.Kind{limiter.SteppedBucket}) {
		kinds = append(kinds, limiter.SteppedBucket)
	}
	early, lawful := last.Limited() && counted < limit, len(limiter.Explaining(v.ofTheDay(last), kinds)) > 0
	most := float64(limit) * (1 + float64(took)/float64(v.rec.Settings.Day)) // of a bucket
	switch {
	case v.disturbed(v.own[0].Sent, last.Ended()):
		o.Doubt("RATE-13", "a clock jumped during the day")
	case took > v.rec.Settings.Day || v.dayTurned(last):
		o.Doubt("RATE-13", "the target's day ended during the phase; start the run at the beginning of a day")
	case early && v.minute.Others.At >= 0:
		o.Doubt("RATE-7", "%s", v.whoElse())
		o.Doubt("RATE-13", "%s", v.whoElse())
	case early && !v.ofDay(last):
		o.Doubt("RATE-13", "a 429 came after %d of %d requests, and the minute's limit may be its cause", counted, limit)
	case early:
		v.dayEarly(o, counted, limit, last)
	case last.Limited() && !lawful && float64(counted) <= most &&
		(float64(counted) > (most+float64(limit))/2 || !v.dayWhole(last)):
		o.Doubt("RATE-13", "%d of %d were accepted, where a bucket gains %.0f; it may not have been full at first",
			counted, limit, most-float64(limit))
	case !lawful:
		wanted := fmt.Sprintf("429 after %s, or after %.0f where a bucket is refilled", spec.Number(v.lane.PerDay), most)
		o.Fail("RATE-13", last, "the requests of a day", wanted, answered(last)+" after "+spec.Count(counted, "accepted request"))
	case last.Limited():
	default:
		o.Doubt("RATE-13", "the day's limit was not reached: %d of %d were accepted", counted, limit)
	}
	o.Settle("RATE-7", "RATE-13")
}

// dayEarly judges a 429 that came before the day's requests were accepted. A limiter that counts refused requests counts
// at least those whose sender had waited; others may have been refused by a ban.
func (v *View) dayEarly(o *Outcome, counted, limit int, last *record.Record) {
	most := count(v.own, (*record.Record).Limited) - 1
	least := count(v.own, func(r *record.Record) bool { return r.Limited() && r != last && r.Role == record.Spend })
	switch missing := limit - counted; {
	case !v.dayWhole(last):
		o.Doubt("RATE-7", "a 429 came after %d of the day's %d requests, and no response shows that none was spent before the run",
			counted, limit)
	case missing >= least && missing <= most:
		o.Doubt("RATE-7", "a 429 came after %d of the day's %d requests; the target may count the %d that it refused too",
			counted, limit, most)
	default:
		o.Fail("RATE-7", last, fmt.Sprintf("request %s of the day", spec.Number(counted+1)),
			fmt.Sprintf("not refused: the plan %s has %s a day", v.lane.Plan, spec.Number(limit)), "429 after "+spec.Number(counted))
	}
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

// dayTurned reports whether the day ended during the run. By Retry-After, the day of the 429 began later than the
// run, and all requests of that day were accepted since; or the Reset of a response passed; or two responses have a Date before and after
// midnight (UTC). A 429 of a proxy may have no Date.
func (v *View) dayTurned(last *record.Record) bool {
	const midnight = 86_400 // Unix time is a multiple of it at midnight
	if began, ok := v.dayBegan(last); ok && began > v.own[0].Received()+dayRounding {
		since := count(v.own, func(r *record.Record) bool { return r.Accepted() && r.Received() > began-dayRounding })
		if int64(since) >= v.lane.PerDay {
			return true
		}
	}
	days := map[int64]bool{}
	for _, r := range v.own {
		if r.Limit == v.lane.PerDay && r.ResetIn > 0 && r.Received()+r.ResetIn < last.Sent {
			return true
		}
		if r.Date != limiter.Absent {
			days[r.Date/midnight] = true
		}
	}
	return len(days) > 1 && v.rec.Settings.Day == midnight*time.Second
}
