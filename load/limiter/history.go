// Package limiter models the kinds of limiter that "60 requests per minute" may mean, each in a file of its own, and
// finds the kinds that explain the whole history of a key: every accepted and every refused request.
//
// A limiter sees a request at some moment between its sending and its response. That moment, and everything else that
// is not known, is chosen in the target's favor: the phase of a clock, the level of a bucket at first, and whether
// refused requests count. So every limiter is explained by its own kind. If no kind explains a history, that is a
// finding. It is described by the kind with the fewest contradictions.
package limiter

import (
	"cmp"
	"iter"
	"slices"
	"sort"
	"time"
)

// Outcome is what the limiter decided on a request.
type Outcome int

const (
	// Accepted says that the limiter passed the request to the operation.
	Accepted Outcome = iota
	// Refused says that the request was answered 429.
	Refused
	// Unknown says that the limiter may or may not have counted the request: there was no response, or an error of
	// another component.
	Unknown
)

// Request is one request of a key.
type Request struct {
	// Sent and Answered bound the instant at which the limiter saw the request.
	Sent, Answered time.Duration
	Outcome        Outcome
	// Excused says that the refusal needs no explanation: a ban or the day's limit may be the cause.
	Excused bool
	// Reset is the earliest time of the next reset according to the headers of an accepted request; 0 if they do not
	// say.
	Reset time.Duration
	// Wait is the Retry-After of a refusal; 0 if it has none.
	Wait time.Duration
}

// History is the requests of one key, in the order of sending, and its plan: Limit requests in each Window.
type History struct {
	Limit    int
	Window   time.Duration
	Requests []Request
	// Risen says that Remaining rose within a burst, so a timer may have added tokens.
	Risen bool
}

// EdgeTolerance returns how much the end of a window that begins with a request may be off: 1/200 of the window, which
// is 0.3 s of a minute. Limiters drop old requests in batches, and the clocks of two machines differ.
func EdgeTolerance(window time.Duration) time.Duration { return window / 200 }

const (
	// phaseTolerance says how much the ends of a clock's windows may be off: by 1/10,000 of a window, which is 6 ms of
	// a minute. NTP slews a clock by at most 500 parts in a million, and usually by less than 100.
	phaseTolerance = 10_000
	// clockStep is the resolution of the coarsest clock that a limiter counts by: 1 ms.
	clockStep = time.Millisecond
)

// span is the time within which the limiter saw Requests[at]. reset is Request.Reset.
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
	// accepted is in the order of sending, and answered is the same in the order of responses.
	accepted, answered []span
	// counted are all requests but the refused ones, and any are all requests. Both are in the order of sending.
	counted, any []span
	// refused are the refusals that need an explanation.
	refused []span
	// longest is the longest time between a request and its response.
	longest time.Duration
	// wait is the longest Retry-After of the refusals that need an explanation. If these have none, it is the shortest
	// Retry-After of all refusals. It is 0 if there is none, or if the history has Risen.
	wait time.Duration
	// enough is the number of contradictions at which explain may stop; 0 means that it finds all.
	enough int
}

// stop reports whether a has enough contradictions.
func (e *events) stop(a *Account) bool { return e.enough > 0 && a.contradictions() >= e.enough }

// worst returns the account of a kind that contradicts every request.
func (e *events) worst() Account {
	a := Account{Fitted: 1}
	for _, s := range e.accepted {
		a.Over = append(a.Over, s.at)
	}
	for _, s := range e.refused {
		a.Early = append(a.Early, s.at)
	}
	return a
}

// fit compares the history with a kind at each of the phases of its clock or timer. It returns the account with the
// fewest contradictions, which is best if no phase has fewer.
func (e *events) fit(best Account, phases int, at func(tried *events, k int) Account) Account {
	tried := *e
	for k := 0; k < phases && !best.Lawful(); k++ {
		if e.enough == 0 {
			tried.enough = best.contradictions()
		}
		if a := at(&tried, k); a.contradictions() < best.contradictions() {
			best = a
		}
	}
	best.Fitted = 1
	return best
}

func (h *History) events() *events {
	e := &events{limit: h.Limit, window: h.Window, rate: float64(h.Limit) / float64(h.Window)}
	var shortest time.Duration // Retry-After of any refusal
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
			if r.Wait > 0 {
				shortest = min(cmp.Or(shortest, r.Wait), r.Wait)
			}
			if !r.Excused {
				e.refused, e.wait = append(e.refused, s), max(e.wait, r.Wait)
			}
		}
	}
	if e.wait = cmp.Or(e.wait, shortest); h.Risen { // tokens were added before the end of the wait, so it does not show the period of the timer
		e.wait = 0
	}
	e.answered = slices.Clone(e.accepted)
	slices.SortStableFunc(e.answered, func(a, b span) int { return cmp.Compare(a.to, b.to) })
	return e
}

// before returns the requests of all that the limiter may have seen between since and r. all is in the order of
// sending. One that was sent more than longest before since was answered before it too.
func (e *events) before(all []span, r span, since time.Duration) iter.Seq[span] {
	all = all[:sort.Search(len(all), func(i int) bool { return all[i].from > r.to })]
	first := sort.Search(len(all), func(i int) bool { return all[i].from >= since-e.longest })
	return func(yield func(span) bool) {
		for _, s := range all[first:] {
			if s.at != r.at && s.to >= since && !yield(s) {
				return
			}
		}
	}
}

// countBefore returns the number of requests that before returns.
func (e *events) countBefore(all []span, r span, since time.Duration) (n int) {
	for range e.before(all, r, since) {
		n++
	}
	return n
}

// trailing returns the earliest beginning of the window that ends with the refusal r.
func (e *events) trailing(r span) time.Duration { return r.from - e.window - EdgeTolerance(e.window) }

// edgeOff returns how much the end of a clock's window may be off.
func (e *events) edgeOff() time.Duration { return e.window/phaseTolerance + clockStep }
