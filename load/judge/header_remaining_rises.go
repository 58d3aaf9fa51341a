package judge

import (
	"fmt"
	"slices"
	"time"

	"petconform/load/limiter"
	"petconform/load/record"
	"petconform/spec"
)

// risenStretch is a rise of Remaining from the response x to the response y. served is the smallest number of requests
// accepted between.
type risenStretch struct {
	x, y   *record.Record
	served int
}

// risesNeeded is the smallest rise of Remaining for a finding: 10, over at least 10 accepted requests. The rise plus
// these requests must exceed by 10 what a lawful limiter gives back.
const risesNeeded = 10

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
	f := found[min(len(found), 2)-1] // a run that ends with it has both
	came := fmt.Sprintf("from %d to %d over %s in %s", f.x.Remaining, f.y.Remaining, spec.Count(f.served, "accepted request"),
		secs(f.y.Received()-f.x.Sent))
	if len(found) == 1 {
		o.doubt("RATE-15", "%s rose once: %s (exchanges %d to %d)", spec.HeaderRemaining, came, f.x.N, f.y.N)
		return
	}
	o.fail("RATE-15", f.y, spec.HeaderRemaining+" as requests are accepted", "one less with each request",
		fmt.Sprintf("%s, %s", came, spec.Count(len(found), "time")))
}

// firstRise returns the first rise within a burst that no limiter explains, or nil. The largest step is not counted,
// since the reset of a window gives back the whole limit in one step.
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

// inTurn returns the requests that were sent after the response to the one before. If two were in flight at the same
// time, it is not known which the limiter counted first, so their Remaining may be in any order. all is in the order of
// responses.
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

// givenBack returns the largest number of requests by which a lawful limiter may raise Remaining from x to y: the
// refill of a bucket, or the requests that leave the window of a sliding log.
func (v *view) givenBack(x, y *record.Record) float64 {
	slack := limiter.EdgeTolerance(v.window)
	forgotten := v.acceptedBetween(x.Sent-v.window-slack, y.Received()-v.window+slack)
	return max(v.perWindow(y.Received()-x.Sent)+float64(v.plain.Gain), float64(forgotten))
}

// acceptedBetween returns the largest number of accepted requests that the limiter may have counted between from and
// to.
func (v *view) acceptedBetween(from, to time.Duration) int {
	received, _ := slices.BinarySearch(v.received, from)
	sent, _ := slices.BinarySearch(v.sent, to+1)
	return sent - received
}
