package judge

import (
	"fmt"
	"slices"
	"sort"
	"time"

	"petconform/load/limiter"
	"petconform/load/record"
	"petconform/spec"
)

// dayKinds are the kinds that the day's limit may have. A clock's day is not among them: that it turned shows in a Reset,
// and at midnight. A timer's refill is, if one refills the minute's bucket.
func (v *View) dayKinds() []*limiter.Kind {
	kinds := []*limiter.Kind{limiter.Log, limiter.Bucket}
	if all := v.minute.Explaining; len(all) == 1 && all[0] == limiter.SteppedBucket {
		kinds = append(kinds, limiter.SteppedBucket)
	}
	return kinds
}

// ofTheDay returns the requests of all phases as a history of the day's limit. The refused ones are not counted.
func (v *View) ofTheDay(last *record.Record) *limiter.History {
	h := v.history()
	h.Limit, h.Window = int(v.lane.PerDay), v.rec.Settings.Day
	var events []limiter.Event
	for i, e := range h.Events {
		if e.Stage, e.Burst, e.Excused = 0, 0, false; e.Outcome != limiter.Refused || v.own[i] == last {
			events = append(events, e)
		}
	}
	h.Events = events
	return h
}

// Day judges that the day's requests are accepted (RATE-7) and the next one is answered 429 (RATE-13). A day is spent
// once, so one round is enough.
func (v *View) Day(o *Outcome) {
	sent := v.Of(record.Day, record.Spend)
	if len(sent) == 0 || v.lane.PerDay <= 0 {
		return
	}
	last, begun := sent[len(sent)-1], v.own[0].Sent
	counted, limit := count(v.own, (*record.Record).Accepted), int(v.lane.PerDay)
	o.exchanges = append(o.exchanges, sent[0].N, last.N)
	o.Show("%d of the day's %d requests were accepted in %s", counted, limit, (last.Received() - begun).Round(time.Millisecond))
	early, gain := last.Limited() && counted < limit, float64(limit)*float64(last.Received()-begun)/float64(v.rec.Settings.Day)
	switch lawful := len(limiter.Explaining(v.ofTheDay(last), v.dayKinds())) > 0; {
	case v.disturbed(begun, last.Ended()):
		o.Doubt("RATE-13", "a clock jumped during the day")
	case last.Received()-begun > v.rec.Settings.Day || v.dayTurned(begun, last):
		o.Doubt("RATE-13", "the target's day ended during the phase; start the run at the beginning of a day")
	case early && v.minute.Others.At >= 0:
		o.Doubt("RATE-7", "%s", v.whoElse())
		o.Doubt("RATE-13", "%s", v.whoElse())
	case early && !v.ofDay(last):
		o.Doubt("RATE-13", "a 429 came after %d of %d requests, and the minute's limit may be its cause", counted, limit)
	case early:
		v.dayEarly(o, counted, limit, last)
	case last.Limited() && lawful:
	case last.Limited() && float64(counted) <= float64(limit)+gain && (2*float64(counted-limit) > gain || !v.dayWhole(begun, last)):
		o.Doubt("RATE-13", "%d of %d were accepted, where a bucket gains %.0f; it may not have been full at first", counted, limit, gain)
	case !lawful:
		came := answered(last) + " after " + spec.Count(counted, "accepted request")
		o.Fail("RATE-13", last, "the requests of a day", fmt.Sprintf("429 after %s, or after %.0f where a bucket is refilled", spec.Number(v.lane.PerDay),
			float64(limit)+gain), came)
	case !v.rec.Through():
		o.Doubt("RATE-13", "the run was aborted after %d of %d requests, and a day is tested in one run", counted, limit)
	default:
		o.Doubt("RATE-13", "the day's limit was not reached: %d of %d were accepted", counted, limit)
	}
	o.Settle("RATE-7", "RATE-13")
}

// dayEarly judges a 429 that came before the day's requests were accepted. A limiter that counts refused requests counts
// at least those whose sender had waited; others may have been refused by a ban.
func (v *View) dayEarly(o *Outcome, counted, limit int, last *record.Record) {
	least, most := 0, count(v.own, (*record.Record).Limited)-1
	for _, r := range v.own {
		if r.Limited() && r != last && (r.Role == record.Spend || r.Role == record.Steady) {
			least++
		}
	}
	switch missing := limit - counted; {
	case !v.dayWhole(v.own[0].Sent, last):
		o.Doubt("RATE-7", "a 429 came after %d of the day's %d requests, and no response shows that none was spent before the run", counted, limit)
	case missing >= least && missing <= most:
		o.Doubt("RATE-7", "a 429 came after %d of the day's %d requests; the target may count the %d that it refused too", counted, limit, most)
	default:
		o.Fail("RATE-7", last, fmt.Sprintf("request %s of the day", spec.Number(counted+1)),
			fmt.Sprintf("not refused: the plan %s has %s a day", v.lane.Plan, spec.Number(limit)), "429 after "+spec.Number(counted))
	}
}

// dayWhole reports whether a response shows that nothing of the day was spent before begun, the time of the run's first
// request: the day of the 429 began no earlier, or Remaining of the day's limit counts only requests of the run.
func (v *View) dayWhole(begun time.Duration, last *record.Record) bool {
	if wait, ok := last.Wait(); ok && last.Received()+wait-v.rec.Settings.Day >= begun {
		return true
	}
	var received []time.Duration
	for _, r := range v.own {
		if r.Accepted() {
			received = append(received, r.Received())
		}
	}
	slices.Sort(received)
	return slices.ContainsFunc(v.own, func(r *record.Record) bool {
		own := sort.Search(len(received), func(i int) bool { return received[i] > r.Sent }) // surely counted before r
		return r.Accepted() && r.Of(v.lane.PerDay) && v.lane.PerDay-int64(r.Remaining) <= int64(own)+1
	})
}

// dayTurned reports whether the day ended during the phase: the Reset of a response shows it, or it was midnight (UTC)
// by Date.
func (v *View) dayTurned(begun time.Duration, last *record.Record) bool {
	date := record.Absent
	for _, r := range v.own {
		if r.Sent < begun || !r.Date.Known() {
			continue
		}
		if date.Known() && r.Date/midnight != date/midnight && v.rec.Settings.Day == midnight*time.Second {
			return true
		}
		date = r.Date
		if in, ok := r.ResetIn(); ok && int64(r.Limit) == v.lane.PerDay && in > 0 && r.Received()+in < last.Sent {
			return true
		}
	}
	return false
}

// midnight is the length of a day in seconds. Unix time is a multiple of it at midnight.
const midnight = 86_400
