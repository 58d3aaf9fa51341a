package limiter

import (
	"fmt"
	"slices"
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
	// leastGrain is the smallest fall that is no way of counting, but of rounding: 10 requests.
	leastGrain = 10
)

// others asks whether somebody else used the key, in the first stage, which has one operation. Somebody did if Remaining
// fell by more than one from a request to the next, both alone in flight, or in a burst by more than was sent until then, and
// not by the same number in most; or if it was lower than a fresh allowance at the beginning of a burst, and not alike in
// each of several. It can't be told if no such responses are there.
func (h *History) others(r *Result) Others {
	falls := map[int64]int{}
	steps, first := 0, -1
	var watched time.Duration
	for i := 1; i < len(h.Events) && h.Events[i].Stage == h.Events[0].Stage; i++ {
		x, e := &h.Events[i-1], &h.Events[i]
		if x.Outcome != Accepted || e.Outcome != Accepted || x.Says.Remaining == Absent || e.Says.Remaining == Absent ||
			x.Says.Limit != e.Says.Limit || !h.alone(i-1) || !h.alone(i) {
			continue
		}
		if fell := x.Says.Remaining - e.Says.Remaining; fell >= 1 {
			falls[fell]++
			if steps++; first < 0 && fell > 1 {
				first = i
			}
		}
		// At 0 it can't fall, and in a long time a bucket is full again.
		if apart := e.Sent - x.Sent; e.Says.Remaining > 0 && apart < h.Window/mostApart {
			watched += apart
		}
	}
	pairs := steps // a burst does not tell that there is nobody: what a bucket gains meanwhile hides others
	for _, burst := range h.Bursts {
		if h.Events[burst[0]].Stage != h.Events[0].Stage {
			break
		}
		left, more := h.inOrder(burst)
		for k := 1; k < len(left); k++ {
			if fell := left[k-1] - left[k]; fell >= 1 {
				falls[fell], steps = falls[fell]+1, steps+1
			}
		}
		if first < 0 {
			first = more
		}
	}
	for n, times := range falls {
		if n > 1 && n < leastGrain && steps >= leastSteps && float64(times) >= systematic*float64(steps) {
			return Others{At: -1}
		}
	}
	at, alike := h.missing()
	if len(r.Explaining) > 0 && r.Explaining[0] == Counter { // it may still count our requests of two windows before
		at = -1
	}
	switch {
	case first >= 0:
		return Others{At: first}
	case at >= 0 && !alike:
		return Others{At: at}
	case at >= 0 && watched < h.Window:
		return Others{-1, "fewer requests than the limit were left at the beginning, " +
			"and the run did not watch X-RateLimit-Remaining for a window"}
	case at < 0 && pairs < leastSteps:
		return Others{-1, fmt.Sprintf("X-RateLimit-Remaining can be compared in only %d pairs of responses", pairs)}
	}
	return Others{At: -1}
}

// inOrder returns what the accepted requests of a burst left, in the order in which the limiter counted them, however many
// were in flight; and the first of them until whose response Remaining fell by more than was sent, -1 if there is none.
func (h *History) inOrder(burst []int) (left []int64, more int) {
	var ours times
	for _, i := range burst {
		if h.Events[i].Outcome != Refused {
			ours.add(&h.Events[i])
		}
	}
	more = -1
	for _, i := range burst {
		e := &h.Events[i]
		if e.Outcome != Accepted || e.Says.Remaining == Absent || e.Says.Limit != h.Events[burst[0]].Says.Limit {
			continue
		}
		left = append(left, e.Says.Remaining)
		if more < 0 && left[0]-e.Says.Remaining >= int64(before(ours.from, e.Answered+1)) {
			more = i
		}
	}
	slices.Sort(left)
	slices.Reverse(left)
	return left, more
}

// leastBursts is how many bursts must have the same number of requests missing at their beginning: 3.
const leastBursts = 3

// missing returns the first event of a burst whose Remaining is less than a fresh allowance has left; -1 if there is
// none. alike says that it is the same in each of leastBursts or more, so the target counts in that way. A burst may or
// may not begin with the request that showed the fresh allowance, so one more or fewer may be missing.
func (h *History) missing() (at int, alike bool) {
	at = -1
	bursts, least, most := 0, int64(h.Limit), int64(0)
	for _, burst := range h.Bursts {
		first := burst[0]
		if !h.ofLimit(first) || !h.alone(first) {
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
