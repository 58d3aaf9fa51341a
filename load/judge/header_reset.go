package judge

import (
	"fmt"

	"petconform/load/record"
	"petconform/spec"
)

// oneWindow judges that Limit and Reset of a response describe the same window (RATE-15). A limit of the minute is reset within two
// windows, even by a sliding counter.
func (v *view) oneWindow(o *outcome) {
	var late []*record.Record
	seen := 0
	for _, r := range v.own {
		if !r.Accepted() || !v.ofMinute(r) || !r.Reset.Known() || !r.Date.Known() || v.lane.PerMinute == v.lane.PerDay {
			continue
		}
		seen++
		if r.ResetIn() > 2*v.window+headerRounding {
			late = append(late, r)
		}
	}
	if len(late) >= 2 && len(late)*2 > seen {
		r := late[0]
		o.fail("RATE-15", r, fmt.Sprintf("%s beside an %s of %d, the limit of the minute", spec.HeaderReset, spec.HeaderLimit, r.Limit),
			"the time at which that limit resets, within "+secs(2*v.window+headerRounding),
			fmt.Sprintf("%d s after Date, in %d of %d responses", r.Reset-r.Date, len(late), seen))
	}
}

// backBeforeReset judges that the whole limit is not available before the Reset of the 429 (RATE-15).
func (v *view) backBeforeReset(o *outcome) {
	byWait, _ := v.comebacks()
	var early []comeback
	for _, m := range byWait {
		a, b := m.refused, m.next
		if !b.Accepted() || !v.ofMinute(a) || !v.ofMinute(b) || v.ofDay(a) || !a.Reset.Known() || !a.Date.Known() || v.disturbed(a.Sent, b.Ended()) {
			continue
		}
		reset := a.Sent + a.ResetIn() - headerRounding
		if b.Received() < reset && b.Remaining >= b.Limit-1 {
			early = append(early, m)
		}
	}
	if len(early) >= 2 {
		m := early[0]
		o.fail("RATE-15", m.next, spec.HeaderReset+" of the 429 of exchange "+fmt.Sprint(m.refused.N), "the time at which the limit resets",
			fmt.Sprintf("%d s after Date, but the whole limit was available after %s, %d times", m.refused.Reset-m.refused.Date, secs(m.waited), len(early)))
	}
}
