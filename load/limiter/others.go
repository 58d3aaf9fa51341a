package limiter

import (
	"fmt"
	"sort"
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
// fell by more than our requests between two responses, and not by the same number in most; or if it was lower than a
// fresh allowance at the beginning of a burst, and not alike in each of several. It can't be told if no such responses
// are there.
func (h *History) others(r *Result) Others {
	falls := map[int64]int{}
	steps, first := 0, -1
	var watched time.Duration
	base := -1 // the last response before which no request was in flight
	for i := range h.Events {
		e := &h.Events[i]
		if e.Stage != h.Events[0].Stage || e.Outcome != Accepted || e.Says.Remaining == Absent {
			continue
		}
		if base >= 0 && h.Events[base].Says.Limit == e.Says.Limit {
			x := &h.Events[base]
			fell, lone := x.Says.Remaining-e.Says.Remaining, base == i-1 && h.alone(i)
			if lone && fell >= 1 {
				falls[fell]++
				steps++
			}
			if first < 0 && fell > h.ours(base, i, lone) {
				first = i
			}
			// At 0 it can't fall, and in a long time a bucket is full again.
			if apart := e.Sent - x.Sent; lone && e.Says.Remaining > 0 && apart < h.Window/mostApart {
				watched += apart
			}
		}
		if h.after(i) {
			base = i
		}
	}
	for n, times := range falls {
		if n > 1 && n < leastGrain && steps >= leastSteps && float64(times) >= systematic*float64(steps) {
			return Others{At: -1}
		}
	}
	at, alike := h.missing(len(r.Explaining) > 0 && r.Explaining[0] == Counter)
	switch {
	case first >= 0:
		return Others{At: first}
	case at >= 0 && !alike:
		return Others{At: at}
	case at >= 0 && watched < h.Window:
		return Others{-1, "fewer requests than the limit were left at the beginning, " +
			"and the run did not watch X-RateLimit-Remaining for a window"}
	case at < 0 && steps < leastSteps:
		return Others{-1, fmt.Sprintf("X-RateLimit-Remaining can be compared in only %d pairs of responses", steps)}
	}
	return Others{At: -1}
}

// ours returns by how much our requests after event base may make Remaining fall until event i. If others are in flight
// with it, the request of base may not have been counted in its own response.
func (h *History) ours(base, i int, lone bool) int64 {
	if lone {
		return 1
	}
	sent := sort.Search(len(h.Events), func(k int) bool { return h.Events[k].Sent >= h.Events[i].Answered })
	return int64(max(sent, i+1) - base)
}

// leastBursts is how many bursts must have the same number of requests missing at their beginning: 3.
const leastBursts = 3

// missing returns the first event of a burst whose Remaining is less than a fresh allowance has left; -1 if there is
// none. alike says that it is the same in each of leastBursts or more, so the target counts in that way. A burst may or
// may not begin with the request that showed the fresh allowance, so one more or fewer may be missing. A sliding counter
// may still count our requests of the two windows before.
func (h *History) missing(counter bool) (at int, alike bool) {
	at = -1
	bursts, least, most := 0, int64(h.Limit), int64(0)
	for first := range h.bursts() {
		if !h.ofLimit(first) {
			continue
		}
		bursts++
		lacks := int64(h.Limit) - 1 - h.Events[first].Says.Remaining
		for i := first; counter && lacks > 0 && i > 0 && h.Events[i-1].Answered > h.Events[first].Sent-2*h.Window; i-- {
			lacks--
		}
		if lacks > 0 && at < 0 {
			at = first
		}
		least, most = min(least, lacks), max(most, lacks)
	}
	return at, bursts >= leastBursts && most-least <= 1
}
