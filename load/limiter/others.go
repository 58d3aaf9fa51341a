package limiter

import (
	"fmt"
	"time"
)

// Others says whether somebody else used the key.
type Others struct {
	// At is the event whose Remaining shows that somebody did; -1 if none does.
	At int
	// Unknown is the reason why it can't be told; "" if it can.
	Unknown string
}

// None reports whether it is known that nobody else used the key.
func (o Others) None() bool { return o.At < 0 && o.Unknown == "" }

const (
	// If Remaining falls by the same number, more than one, in at least systematic, 0.6, of the steps between two
	// requests, the target counts in that way. Someone else would not send requests between most of ours.
	systematic = 0.6
	// leastSteps is the smallest number of steps that show whether someone else uses the key: 5.
	leastSteps = 5
	// mostApart is the part of a window within which two requests are watched: 1/10.
	mostApart = 10
	// leastBursts is how many bursts must have the same number of requests missing at their beginning: 3.
	leastBursts = 3
)

// others asks whether somebody else used the key, in the first stage, which has one operation: if Remaining fell by more
// than one from a request to the next, and not by the same number in most steps; or if it was lower than a fresh allowance
// at the beginning of a burst, and not alike in each of several.
func (h *History) others() Others {
	o, falls, steps, watched := Others{At: -1}, map[int64]int{}, 0, time.Duration(0)
	for i := 1; i < len(h.Events); i++ {
		x, e := &h.Events[i-1], &h.Events[i]
		if e.Stage != h.Events[0].Stage || !h.comparable(i-1, i) {
			continue
		}
		fell := x.Says.Remaining - e.Says.Remaining
		if fell > 0 {
			falls[fell]++
			steps++
		}
		if fell > 1 && o.At < 0 {
			o.At = i
		}
		if e.Says.Remaining > 0 && e.Sent-x.Sent < h.Window/mostApart { // at 0 it can't fall, and later a bucket is full again
			watched += e.Sent - x.Sent
		}
	}
	for n, times := range falls {
		if n > 1 && steps >= leastSteps && float64(times) >= systematic*float64(steps) {
			return Others{At: -1}
		}
	}
	at, alike := h.missing()
	switch {
	case o.At >= 0:
	case at >= 0 && !alike:
		o.At = at
	case at >= 0 && watched < h.Window:
		o.Unknown = "fewer requests than the limit were left at the beginning, and the run did not watch X-RateLimit-Remaining for a window"
	case at < 0 && steps < leastSteps:
		o.Unknown = fmt.Sprintf("X-RateLimit-Remaining can be compared in only %d pairs of responses", steps)
	}
	return o
}

// comparable reports whether requests i and k, the next one, were accepted one after the other, with no other in flight,
// and both have a Remaining of the same limit.
func (h *History) comparable(i, k int) bool {
	x, e := &h.Events[i], &h.Events[k]
	return x.Outcome == Accepted && e.Outcome == Accepted && x.Says.Remaining != Absent && e.Says.Remaining != Absent &&
		x.Says.Limit == e.Says.Limit && h.after(i) && h.alone(k)
}

// missing returns the first event of a burst whose Remaining is less than a fresh allowance has left; -1 if there is
// none. alike says that it is the same in each of leastBursts or more, so the target counts in that way. A burst may or
// may not begin with the request that showed the fresh allowance, so one more or fewer may be missing.
func (h *History) missing() (at int, alike bool) {
	at = -1
	bursts, least, most := 0, int64(h.Limit), int64(0)
	for first := range h.bursts() {
		if !h.ofLimit(first) {
			continue
		}
		bursts++
		lacks := int64(h.Limit) - 1 - h.Events[first].Says.Remaining
		if lacks > 0 && at < 0 {
			at = first
		}
		least, most = min(least, lacks), max(most, lacks)
	}
	return at, bursts >= leastBursts && most-least <= 1
}
