package judge

import (
	"fmt"
	"slices"
	"time"

	"petconform/load/limiter"
	"petconform/load/record"
	"petconform/spec"
)

const (
	// stillNeeded is how many accepted requests in a row, beyond the refill of a bucket, must leave Remaining unchanged for a finding: 10.
	// A service may update the number in intervals.
	stillNeeded = 10
	// mostChanges is how often Limit may change between the minute's and the day's: 20 times in a run. It may change when less remains of
	// the day than of the minute, and back in the next minute.
	mostChanges = 20
	// risesNeeded is the smallest rise of Remaining for a finding: 10, over at least 10 accepted requests. The rise plus these requests
	// must exceed by 10 what a lawful limiter gives back.
	risesNeeded = 10
)

// limitsApply reports whether a 429 showed that the plan's limit applies to these operations.
func (v *view) limitsApply() bool { return len(v.firstRefusals(record.Fill)) > 0 }

// neverFalls fails RATE-4 if Remaining does not go down in two fills although a 429 shows that the limit applies. During a fill a bucket
// gains far less than the fill spends.
func (v *view) neverFalls(o *outcome) {
	if !v.limitsApply() || !v.exact() {
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
		if n := len(b.accepted); n > stillNeeded && last >= n-1 && float64(last)-v.perWindow(b.took()) >= stillNeeded {
			still = append(still, b.accepted[n-1])
		}
	}
	switch {
	case len(still) >= 2 && !fell:
		o.fail("RATE-4", still[0], spec.HeaderRemaining+" over a fill that ends with a 429", "a number that goes down as requests are made",
			fmt.Sprintf("%d after each accepted request, in %d fills", still[0].Remaining, len(still)))
	case fell:
		o.kept("RATE-4")
	}
}

// risenStretch is a rise of Remaining from the response x to the response y. served is the smallest number of requests accepted between.
type risenStretch struct {
	x, y   *record.Record
	served int
}

// countsUp fails RATE-15 if Remaining rises as requests are accepted, as in 1, 2, 3, 4.
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
	came := fmt.Sprintf("from %d to %d over %d accepted requests in %s", f.x.Remaining, f.y.Remaining, f.served, secs(f.y.Received()-f.x.Sent))
	if len(found) == 1 {
		o.doubt("RATE-15", "%s rose once: %s (exchanges %d to %d)", spec.HeaderRemaining, came, f.x.N, f.y.N)
		return
	}
	o.fail("RATE-15", f.y, spec.HeaderRemaining+" as requests are accepted", "one less with each request", fmt.Sprintf("%s, %d times", came, len(found)))
}

// firstRise returns the first rise within a burst that no limiter explains, or nil. The largest step is not counted, since the reset of a
// window gives back the whole limit in one step.
func (v *view) firstRise(b *burst) *risenStretch {
	all := inTurn(b.accepted)
	for from, x := range all {
		largest := record.Number(0)
		for to := from + 1; to < len(all); to++ {
			before, y := all[to-1], all[to]
			if !v.ofMinute(before) || !v.ofMinute(y) || y.Remaining < before.Remaining {
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

// inTurn returns the requests that were sent after the response to the one before. If two were in flight at the same time, it is not known
// which the limiter counted first, so their Remaining may be in any order. all is in the order of responses.
func inTurn(all []*record.Record) []*record.Record {
	var out []*record.Record
	for _, r := range all {
		if len(out) == 0 || r.Sent >= out[len(out)-1].Received() {
			out = append(out, r)
		}
	}
	return out
}

// acceptedSince returns the smallest number of requests that were accepted after x, up to and including y.
func (v *view) acceptedSince(x, y *record.Record) int {
	answered, _ := slices.BinarySearch(v.received, y.Sent+1)
	before, _ := slices.BinarySearch(v.sent, x.Received())
	return max(1, answered-before+1)
}

// givenBack returns the largest number of requests by which a lawful limiter may raise Remaining from x to y: the refill of a bucket, or
// the requests that leave the window of a sliding log.
func (v *view) givenBack(x, y *record.Record) float64 {
	slack := limiter.EdgeTolerance(v.window)
	forgotten := v.acceptedBetween(x.Sent-v.window-slack, y.Received()-v.window+slack)
	return max(v.perWindow(y.Received()-x.Sent)+float64(v.plain.Gain), float64(forgotten))
}

// acceptedBetween returns the largest number of accepted requests that the limiter may have counted between from and to.
func (v *view) acceptedBetween(from, to time.Duration) int {
	received, _ := slices.BinarySearch(v.received, from)
	sent, _ := slices.BinarySearch(v.sent, to+1)
	return sent - received
}

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
		if time.Duration(r.Reset-r.Date)*time.Second > 2*v.window+headerRounding {
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
		reset := a.Sent + time.Duration(a.Reset-a.Date)*time.Second - headerRounding
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

// changing fails RATE-15 if Limit changes more than mostChanges times, and after more than a quarter of the responses, so that a client can
// use neither figure.
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
	if changes > mostChanges && changes*4 > n {
		o.fail("RATE-15", at, spec.HeaderLimit, "the limit of which less is left, the minute's or the day's", fmt.Sprintf("a change %d times in %d responses", changes, n))
	}
}
