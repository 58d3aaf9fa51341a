package judge

import (
	"fmt"
	"slices"
	"sort"
	"time"

	"petconform/load/record"
)

// dayQuota judges that the day's requests are accepted (RATE-7) and the next one is answered 429 (RATE-13).
func (v *view) dayQuota() outcome {
	var o outcome
	sent := v.of(record.Day, 0, record.Spend)
	if len(sent) == 0 || v.lane.PerDay <= 0 {
		return o
	}
	o.exchanges = append(o.exchanges, sent[0].N, sent[len(sent)-1].N)
	// The day's requests are those of all phases.
	counted, begun := len(v.sent), v.own[0].Sent
	limit := int(v.lane.PerDay)
	last := sent[len(sent)-1]
	took := last.Received() - begun
	gain := float64(limit) * float64(took) / float64(v.rec.Settings.Day)
	o.show("%d of the day's %d requests were accepted in %s", counted, limit, secs(took))
	switch {
	case v.disturbed(begun, last.Ended()):
		o.doubt("RATE-13", "a clock jumped during the day")
	case took > v.rec.Settings.Day || v.dayTurned(begun, last):
		o.doubt("RATE-13", "the target's day ended during the phase; start the run at the beginning of a day")
	case last.Limited() && counted < limit && v.foreign != nil:
		o.doubt("RATE-7", "%s", v.whoElse())
		o.doubt("RATE-13", "%s", v.whoElse())
	case last.Limited() && counted < limit && !v.ofDay(last):
		o.doubt("RATE-13", "a 429 came after %d of %d requests, and the minute's limit may be its cause", counted, limit)
	case last.Limited() && counted < limit && !v.dayWhole(begun, last):
		o.doubt("RATE-7", "a 429 came after %d of the day's %d requests, and no response shows that none was spent before the run",
			counted, limit)
	case last.Limited() && counted < limit:
		o.fail("RATE-7", last, fmt.Sprintf("request %d of the day", counted+1),
			fmt.Sprintf("not refused: the plan %s has %d a day", v.lane.Plan, limit),
			fmt.Sprintf("429 after %d", counted))
		o.kept("RATE-13")
	case last.Limited():
		v.dayExact(&o, counted, limit, gain, last)
	case float64(counted) > float64(limit)+gain:
		o.fail("RATE-13", last, fmt.Sprintf("request %d of the day", counted),
			fmt.Sprintf("429: the plan %s has %d a day, and a bucket gains %.0f meanwhile", v.lane.Plan, limit, gain),
			v.answer(last))
	case !v.rec.Through():
		o.doubt("RATE-13", "the run was aborted after %d of %d requests, and a day is tested in one run", counted, limit)
	default:
		o.doubt("RATE-13", "the day's limit was not reached: %d of %d were accepted", counted, limit)
	}
	return o.settle("RATE-7", "RATE-13")
}

const (
	// dayRounding is the tolerance for floating-point arithmetic on a bucket's refill: a billionth of a request.
	dayRounding = 1e-9
	// At least leastOfRefill, 9/10, of a bucket's refill minus lessOfRefill, 1.5 requests, is accepted before the 429.
	// It may be less than the whole refill, since the bucket may not have been full at first.
	leastOfRefill, lessOfRefill = 0.9, 1.5
)

// dayExact judges that the 429 came after exactly the day's requests, or after those and the refill of a bucket.
func (v *view) dayExact(o *outcome, counted, limit int, gain float64, last *record.Record) {
	extra := float64(counted - limit)
	if extra == 0 || extra <= gain+dayRounding && extra >= gain*leastOfRefill-lessOfRefill {
		return
	}
	if extra <= gain && !v.dayWhole(v.own[0].Sent, last) {
		o.doubt("RATE-13", "%d of %d were accepted; a bucket gains %.0f meanwhile, and no response shows that it was full at first",
			counted, limit, gain)
		return
	}
	o.fail("RATE-13", last, "the day's limit", fmt.Sprintf("429 after %d, or after %.0f where a bucket is refilled", limit, float64(limit)+gain),
		fmt.Sprintf("429 after %d", counted))
}

// dayWhole reports whether a response shows that nothing of the day was spent before begun, the time of the run's first
// request: the day of the 429 began no earlier, or Remaining of the day's limit counts only requests of the run.
func (v *view) dayWhole(begun time.Duration, last *record.Record) bool {
	if wait, ok := last.Wait(); ok && last.Received()+wait-v.rec.Settings.Day >= begun {
		return true
	}
	return slices.ContainsFunc(v.own, func(r *record.Record) bool {
		own := sort.Search(len(v.received), func(i int) bool { return v.received[i] > r.Sent }) // surely counted before r
		return r.Accepted() && r.Of(v.lane.PerDay) && v.lane.PerDay-int64(r.Remaining) <= int64(own)+1
	})
}

// dayTurned reports whether the Reset of a response shows that the day ended during the phase.
func (v *view) dayTurned(begun time.Duration, last *record.Record) bool {
	for _, r := range v.own {
		if r.Sent < begun || !r.Limit.Known() || int64(r.Limit) != v.lane.PerDay || !r.Reset.Known() || !r.Date.Known() {
			continue
		}
		if at := r.Received() + r.ResetIn(); r.Reset > r.Date && at < last.Sent {
			return true
		}
	}
	return false
}
