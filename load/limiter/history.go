// Package limiter holds the kinds of limiter that "60 requests per minute" may mean, each as one value in one file, and asks
// which of them explains the whole history of a key: all that was accepted and all that was refused.
//
// A request reached the limiter at some instant between its sending and its response. Every check takes that instant, and
// whatever else is not known, in the target's favor: where the windows of a clock begin, how a bucket was filled before, and
// whether refused requests are counted. So a limiter of a kind is always explained by its kind. What no kind explains is a
// finding, told by the kind that comes nearest.
package limiter

import (
	"cmp"
	"slices"
	"sort"
	"time"
)

// Outcome is what the limiter decided on a request.
type Outcome int

const (
	// Accepted requests were let through.
	Accepted Outcome = iota
	// Refused requests were answered 429.
	Refused
	// Unknown requests may have been counted or not: there was no response, or an error that is not the limiter's.
	Unknown
)

// Request is one request of a key.
type Request struct {
	// Sent and Answered bound the instant at which the limiter saw the request.
	Sent, Answered time.Duration
	Outcome        Outcome
	// Excused refusals need no explanation: a ban may be their cause, or the day's limit.
	Excused bool
	// Reset is the earliest time at which the limit is reset by what the response of an accepted request says; 0 when it says
	// nothing of the limit.
	Reset time.Duration
	// Wait is what the Retry-After of a refusal asks for; 0 when it says nothing.
	Wait time.Duration
}

// History is what one key sent, in the order of sending, and the plan that it has: Limit requests in each Window.
type History struct {
	Limit    int
	Window   time.Duration
	Requests []Request
	// Risen says that more was told to be left within a burst than before: a step may have come.
	Risen bool
}

const (
	// edgeTolerance is the part of a window, 1 in 200 or 0.3 s of a minute, by which the end of a window that is counted from
	// a request may be off: limiters drop old requests in batches, and two clocks tick apart.
	edgeTolerance = 200
	// phaseTolerance is the part of a window, 1 in 10,000 or 6 ms of a minute, by which edges that are whole windows apart may
	// be off: NTP slews a clock by no more than 500 parts in a million, and in practice by less than 100.
	phaseTolerance = 10_000
	// clockStep is the coarsest clock that a limiter is expected to count by.
	clockStep = time.Millisecond
)

// span is the time in which the limiter saw Requests[at], and the earliest reset that its response tells.
type span struct {
	from, to time.Duration
	at       int
	reset    time.Duration
}

// events are the requests of a history, sorted for the kinds.
type events struct {
	limit  int
	window time.Duration
	rate   float64 // requests per nanosecond
	// accepted in the order of sending, and the same in the order of answers.
	accepted, answered []span
	// counted may have been counted: all but refused ones. any is all of them. Both in the order of sending.
	counted, any []span
	// refused have to be explained.
	refused []span
	// longest is the longest time between a request and its answer.
	longest time.Duration
	// wait is the longest wait that a refusal asks for which has to be explained; else the shortest of all. 0 when there is none.
	wait time.Duration
	// enough is the number of contradictions at which a kind may stop looking for more; 0 means that all are wanted.
	enough int
}

// stop says whether so many contradictions are enough.
func (e *events) stop(a *Account) bool { return e.enough > 0 && a.contradictions() >= e.enough }

func (h *History) events() *events {
	e := &events{limit: h.Limit, window: h.Window, rate: float64(h.Limit) / float64(h.Window)}
	shortest := time.Duration(0)
	for i, r := range h.Requests {
		s := span{r.Sent, r.Answered, i, r.Reset}
		e.longest = max(e.longest, r.Answered-r.Sent)
		e.any = append(e.any, s)
		switch r.Outcome {
		case Accepted:
			e.accepted, e.counted = append(e.accepted, s), append(e.counted, s)
		case Unknown:
			e.counted = append(e.counted, s)
		case Refused:
			if r.Wait > 0 && (shortest == 0 || r.Wait < shortest) {
				shortest = r.Wait
			}
			if !r.Excused {
				e.refused, e.wait = append(e.refused, s), max(e.wait, r.Wait)
			}
		}
	}
	if e.wait == 0 {
		e.wait = shortest
	}
	if h.Risen { // a wait may be longer than needed
		e.wait = 0
	}
	e.answered = slices.Clone(e.accepted)
	slices.SortStableFunc(e.answered, func(a, b span) int { return cmp.Compare(a.to, b.to) })
	return e
}

// before gives those of all, sorted by sending, that the limiter may have seen before r and after a time.
func (e *events) before(all []span, r span, since time.Duration) []span {
	from := sort.Search(len(all), func(i int) bool { return all[i].from >= since-e.longest })
	to := sort.Search(len(all), func(i int) bool { return all[i].from > r.to })
	var out []span
	for _, s := range all[from:max(from, to)] {
		if s.at != r.at && s.to >= since {
			out = append(out, s)
		}
	}
	return out
}

// trailing is the beginning of the window that ends with a refusal, in the target's favor.
func (e *events) trailing(r span) time.Duration { return r.from - e.window - e.window/edgeTolerance }

// edgeOff is by how much an edge may lie off a row of edges.
func (e *events) edgeOff() time.Duration { return e.window/phaseTolerance + clockStep }
