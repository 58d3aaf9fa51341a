package judge

import (
	"fmt"
	"slices"
	"time"

	"petconform/load/record"
	"petconform/spec"
)

const (
	// fallsNeeded is how many accepted requests in a row, beyond what a bucket gains meanwhile, have to leave Remaining where
	// it was before that is a fault: a counter that is told once in a while looks still over fewer.
	fallsNeeded = 10
	// resetSlack is how much later than the window Reset may lie: Reset and Date are whole seconds, either may be rounded up.
	resetSlack = 2 * time.Second
	// limitChanges is how often Limit may change between the minute's figure and the day's. It changes when less is left of
	// the day than of the minute, and back at the next minute: a few times in a run.
	limitChanges = 20
	// risesNeeded is by how many requests Remaining has to rise, over as many accepted requests, before that is a fault; and by how
	// many that has to be more than a limiter gives back meanwhile.
	risesNeeded = 10
)

// limitsApply says whether a 429 showed that the plan's limit applies to these operations.
func (v *view) limitsApply() bool { return len(v.firstRefusals(record.Fill)) > 0 }

// standing judges a Remaining that does not go down, once a 429 showed that the limit applies (RATE-4). Whether it stands at
// Limit or below, the fills spend far more than a bucket gains meanwhile.
func (v *view) standing(o *outcome) {
	if !v.limitsApply() || !v.counts() {
		return
	}
	var still []*record.Record
	fell := false
	for _, b := range v.bursts(record.Fill) {
		first, last := 0, 0
		for i, r := range b.accepted {
			switch {
			case i == 0 || !r.Remaining.Known() || b.accepted[i-1].Remaining != r.Remaining || r.Limit != b.accepted[i-1].Limit:
				fell = fell || i > 0 && r.Remaining.Known() && r.Remaining < b.accepted[i-1].Remaining
				first = i
			case r.Remaining > 0 && i-first > last:
				last = i - first
			}
		}
		if n := len(b.accepted); n > fallsNeeded && last >= n-1 && float64(last)-v.perWindow(b.took()) >= fallsNeeded {
			still = append(still, b.accepted[n-1])
		}
	}
	switch {
	case len(still) >= 2 && !fell:
		o.fail("RATE-4", still[0], spec.HeaderRemaining+" over a fill that ends with a 429", "a number that goes down as requests are made",
			fmt.Sprintf("%d after each accepted request; and so in %d fills", still[0].Remaining, len(still)))
	case fell:
		o.kept("RATE-4")
	}
}

// risenStretch is a stretch of accepted requests over which Remaining went up, from x to y.
type risenStretch struct {
	x, y   *record.Record
	served int
}

// countsUp judges a Remaining that rises while requests are accepted: 1 after a Reset that has passed, then 2, 3, 4.
func (v *view) countsUp(o *outcome) {
	var found []risenStretch
	for _, p := range []record.Phase{record.Fill, record.Under, record.Mixed} {
		for _, b := range v.bursts(p) {
			if r := v.firstRise(b); r != nil {
				found = append(found, *r)
			}
		}
	}
	if len(found) == 0 {
		return
	}
	f := found[0]
	came := fmt.Sprintf("%d, and then up to %d over %d accepted requests in %s", f.x.Remaining, f.y.Remaining, f.served, secs(f.y.Received()-f.x.Sent))
	if len(found) == 1 {
		o.doubt("RATE-15", "%s was once %s (exchanges %d to %d)", spec.HeaderRemaining, came, f.x.N, f.y.N)
		return
	}
	o.fail("RATE-15", f.y, spec.HeaderRemaining+" as requests are accepted", "one less with each request", fmt.Sprintf("%s; and so %d times", came, len(found)))
}

// firstRise finds the first stretch of a burst that no limiter explains. The largest step does not count: the reset of a window,
// which gives back the whole limit, is one step.
func (v *view) firstRise(b *burst) *risenStretch {
	all := inTurn(b.accepted)
	for from, x := range all {
		largest := record.Number(0)
		for to := from + 1; to < len(all); to++ {
			before, y := all[to-1], all[to]
			if !v.telling(before) || !v.telling(y) || y.Remaining < before.Remaining {
				break
			}
			largest = max(largest, y.Remaining-before.Remaining)
			rise, served := float64(y.Remaining-x.Remaining-largest), v.acceptedSince(x, y)
			if rise >= risesNeeded && served >= risesNeeded && rise+float64(served)-v.givenBack(x, y) >= risesNeeded {
				return &risenStretch{x, y, served}
			}
		}
	}
	return nil
}

// inTurn are those of all, in the order of their responses, that were sent after the one before was answered. Of requests that were
// under way at the same time it is not known which one the limiter counted first: their Remaining may come in any order.
func inTurn(all []*record.Record) []*record.Record {
	var out []*record.Record
	for _, r := range all {
		if len(out) == 0 || r.Sent >= out[len(out)-1].Received() {
			out = append(out, r)
		}
	}
	return out
}

// acceptedSince is the least number of requests that were accepted after x and up to y, y among them.
func (v *view) acceptedSince(x, y *record.Record) int {
	answered, _ := slices.BinarySearch(v.received, y.Sent+1)
	before, _ := slices.BinarySearch(v.sent, x.Received())
	return max(1, answered-before+1)
}

// givenBack is the most requests that a lawful limiter gives back from x to y: what a bucket gains, in steps or not, or what a
// sliding log forgets.
func (v *view) givenBack(x, y *record.Record) float64 {
	slack := v.window / edgeTolerance // of the clock, as for the end of a window
	forgotten := v.acceptedBetween(x.Sent-v.window-slack, y.Received()-v.window+slack)
	return max(v.perWindow(y.Received()-x.Sent)+float64(v.plain.Gain), float64(forgotten))
}

// acceptedBetween is how many requests that were accepted may have been counted between from and to.
func (v *view) acceptedBetween(from, to time.Duration) int {
	received, _ := slices.BinarySearch(v.received, from)
	sent, _ := slices.BinarySearch(v.sent, to+1)
	return sent - received
}

// oneWindow judges that Limit and Reset of one answer speak of the same window: a Limit of the minute with a Reset that
// lies beyond the next minute tells a client to wait for something else. A sliding counter's is back within two windows.
func (v *view) oneWindow(o *outcome) {
	var late []*record.Record
	told := 0
	for _, r := range v.own {
		if !r.Accepted() || !v.telling(r) || !r.Reset.Known() || !r.Date.Known() || v.lane.PerMinute == v.lane.PerDay {
			continue
		}
		told++
		if time.Duration(r.Reset-r.Date)*time.Second > 2*v.window+resetSlack {
			late = append(late, r)
		}
	}
	if len(late) >= 2 && len(late)*2 > told {
		r := late[0]
		o.fail("RATE-15", r, fmt.Sprintf("%s beside a %s of %d, the minute's figure", spec.HeaderReset, spec.HeaderLimit, r.Limit),
			"the time at which that limit resets, within "+secs(2*v.window+resetSlack),
			fmt.Sprintf("%d s after Date; and so in %d of %d answers", r.Reset-r.Date, len(late), told))
	}
}

// backBeforeReset judges that the whole limit is not there again before the Reset of the 429: then Reset is too late.
func (v *view) backBeforeReset(o *outcome) {
	byWait, _ := v.comebacks()
	var early []met
	for _, m := range byWait {
		a, b := m.refused, m.next
		if !b.Accepted() || !v.telling(a) || !v.telling(b) || v.ofDay(a) || !a.Reset.Known() || !a.Date.Known() || v.disturbed(a.Sent, b.Ended()) {
			continue
		}
		reset := a.Sent + time.Duration(a.Reset-a.Date)*time.Second - resetSlack
		if b.Received() < reset && b.Remaining >= b.Limit-1 {
			early = append(early, m)
		}
	}
	if len(early) >= 2 {
		m := early[0]
		o.fail("RATE-15", m.next, spec.HeaderReset+" of the 429 of exchange "+fmt.Sprint(m.refused.N), "the time at which the limit resets",
			fmt.Sprintf("%d s after Date, and the whole limit was there again after %s; and so %d times", m.refused.Reset-m.refused.Date, secs(m.waited), len(early)))
	}
}

// changing judges a Limit that changes with every answer: of two figures that take turns a client can use neither.
func (v *view) changing(o *outcome) {
	changes, last := 0, (*record.Record)(nil)
	var at *record.Record
	n := 0
	for _, r := range v.own {
		if !r.Accepted() || !r.Limit.Known() {
			continue
		}
		if n++; last != nil && last.Limit != r.Limit {
			if changes++; at == nil {
				at = r
			}
		}
		last = r
	}
	if changes > limitChanges && changes*4 > n {
		o.fail("RATE-15", at, spec.HeaderLimit, "one figure of the plan, until less is left of the other", fmt.Sprintf("another one %d times in %d answers", changes, n))
	}
}
