package judge

import (
	"fmt"
	"time"

	"petconform/load/record"
)

// dayQuota judges that the day's requests are served (RATE-7) and the next one is answered 429 (RATE-13).
func (v *view) dayQuota() outcome {
	var o outcome
	sent := v.of(record.Day, 0, record.Spend)
	if len(sent) == 0 || v.lane.PerDay <= 0 {
		return o
	}
	o.exchanges = append(o.exchanges, sent[0].N, sent[len(sent)-1].N)
	counted, begun := v.countedToday()
	limit := int(v.lane.PerDay)
	last := sent[len(sent)-1]
	took := last.Received() - begun
	gain := float64(limit) * float64(took) / float64(v.rec.Settings.Day)
	o.show("%d of the day's %d requests were accepted in %s", counted, limit, secs(took))
	stopped := !v.rec.Through()
	switch {
	case v.disturbed(begun, last.Ended()):
		o.doubt("RATE-13", "a clock jumped during the day")
	case took > v.rec.Settings.Day || v.dayTurned(begun, last):
		o.doubt("RATE-13", "the target's day ended during the phase; start the run right after a day begins")
	case last.Limited() && counted < limit && v.foreign != nil:
		o.doubt("RATE-7", "%s", v.whoElse())
		o.doubt("RATE-13", "%s", v.whoElse())
	case last.Limited() && counted < limit && v.lane.SpentToday > 0:
		o.doubt("RATE-7", "a 429 came at %d of the day's %d, %d of which an earlier run had counted", counted, limit, v.lane.SpentToday)
	case last.Limited() && counted < limit && !v.ofDay(last):
		o.doubt("RATE-13", "a 429 came after %d of %d requests, and it is not of the day's limit", counted, limit)
	case last.Limited() && counted < limit:
		o.fail("RATE-7", last, fmt.Sprintf("request %d of the day", counted+1), fmt.Sprintf("not refused: the plan %s has %d a day", v.lane.Plan, limit),
			fmt.Sprintf("429 after %d", counted))
		o.kept("RATE-13")
	case last.Limited():
		v.dayExact(&o, counted, limit, gain, last)
	case float64(counted) > float64(limit)+gain:
		o.fail("RATE-13", last, fmt.Sprintf("request %d of the day", counted), fmt.Sprintf("429: the plan %s has %d a day, and a bucket gains %.0f meanwhile", v.lane.Plan, limit, gain), v.answer(last))
	case stopped:
		o.doubt("RATE-13", "the run was stopped after %d of %d requests; the next run continues", counted, limit)
	default:
		o.doubt("RATE-13", "the day's limit was not reached: %d of %d were accepted", counted, limit)
	}
	return o.settle("RATE-7", "RATE-13")
}

// dayExact: refused after the day's figure, exactly, or after what a bucket gains on top of it.
func (v *view) dayExact(o *outcome, counted, limit int, gain float64, last *record.Record) {
	extra := float64(counted - limit)
	if extra == 0 || extra <= gain+1e-9 && extra >= gain*0.9-1.5 {
		return
	}
	if v.lane.SpentToday > 0 {
		o.doubt("RATE-13", "%d were accepted of %d, but %d of them are an earlier run's count", counted, limit, v.lane.SpentToday)
		return
	}
	o.fail("RATE-13", last, "the day's limit", fmt.Sprintf("429 after %d, or after %.0f where a bucket is refilled", limit, float64(limit)+gain),
		fmt.Sprintf("429 after %d", counted))
}

// countedToday counts what the key has spent of the day, with what the ledger says of runs before, and since when.
func (v *view) countedToday() (counted int, begun time.Duration) {
	counted = int(v.lane.SpentToday)
	begun = v.own[0].Sent
	if v.lane.SpentToday > 0 && !v.lane.SpentSince.IsZero() {
		begun = v.lane.SpentSince.Sub(v.rec.Meta.Started)
	}
	for _, r := range v.own {
		if r.Accepted() {
			counted++
		}
	}
	return counted, begun
}

// dayTurned says whether an answer announced a reset of the day that came before the end.
func (v *view) dayTurned(begun time.Duration, last *record.Record) bool {
	for _, r := range v.own {
		if r.Sent < begun || !r.Limit.Known() || int64(r.Limit) != v.lane.PerDay || !r.Reset.Known() || !r.Date.Known() {
			continue
		}
		if at := r.Received() + time.Duration(r.Reset-r.Date)*time.Second; r.Reset > r.Date && at < last.Sent {
			return true
		}
	}
	return false
}
