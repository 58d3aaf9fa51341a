package limiter

import (
	"cmp"
	"iter"
	"slices"
	"sort"
	"time"
)

// EdgeTolerance returns how much the end of a window that begins with a request may be off: 1/200 of the window, which
// is 0.3 s of a minute. Limiters drop old requests in batches, and the clocks of two machines differ.
func EdgeTolerance(window time.Duration) time.Duration { return window / 200 }

// span is the time within which the limiter saw Events[at].
type span struct {
	from, to time.Duration
	at       int
}

// spans are the events of a history, sorted for the kinds.
type spans struct {
	limit  int
	window time.Duration
	// accepted is in the order of sending, and answered is the same in the order of responses.
	accepted, answered []span
	// counted are all requests but the refused ones, and any are all requests. Both are in the order of sending.
	counted, any []span
	// refused are the refusals that need an explanation.
	refused []span
	// longest is the longest time between a request and its response.
	longest time.Duration
	// wait is the longest Retry-After of the refusals that need an explanation. It is 0 if there is none, or if tokens were
	// added before its end.
	wait time.Duration
	// gain is the number of tokens that the timer of a bucket adds in one step.
	gain int
	// came and lowest are of levels.
	came, lowest []float64
}

// spans sorts the events of some stages; nil means all. Requests of other stages may have been counted or not.
func (h *History) spans(stages []int) *spans {
	s := &spans{limit: h.Limit, window: h.Window}
	for i := range h.Events {
		e := &h.Events[i]
		one := span{e.Sent, e.Answered, i}
		s.longest = max(s.longest, e.Answered-e.Sent)
		s.any = append(s.any, one)
		switch {
		case e.Outcome == Unknown || stages != nil && !slices.Contains(stages, e.Stage):
			s.counted = append(s.counted, one)
		case e.Outcome == Accepted:
			s.accepted, s.counted = append(s.accepted, one), append(s.counted, one)
		default:
			if !e.excused {
				s.refused, s.wait = append(s.refused, one), max(s.wait, e.Says.RetryAfter)
			}
		}
	}
	if h.tokensAdded() {
		s.wait = 0
	}
	s.answered = slices.Clone(s.accepted)
	slices.SortStableFunc(s.answered, func(a, b span) int { return cmp.Compare(a.to, b.to) })
	return s
}

// leastAdded is the smallest excess of Remaining that shows added tokens: 2, since the request itself may not be counted
// yet.
const leastAdded = 2

// tokensAdded reports whether a Remaining within a burst was larger than the limit minus the accepted requests before
// it: a timer added tokens, so a Retry-After that is longer does not show its period.
func (h *History) tokensAdded() bool {
	for from, to := range h.bursts() {
		before := 0
		for i := from; i < to; i++ {
			if h.Events[i].Outcome != Accepted {
				continue
			}
			left, most := int(h.Events[i].Says.Remaining), h.Limit-before-1
			if h.ofLimit(i) && left >= max(1, most+leastAdded) && h.alone(i) {
				return true
			}
			before++
		}
	}
	return false
}

// before returns the requests of all that the limiter may have seen between since and r. all is in the order of
// sending. One that was sent more than longest before since was answered before it too.
func (e *spans) before(all []span, r span, since time.Duration) iter.Seq[span] {
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
func (e *spans) countBefore(all []span, r span, since time.Duration) (n int) {
	for range e.before(all, r, since) {
		n++
	}
	return n
}

// trailing returns the earliest beginning of the window that ends with the refusal r.
func (e *spans) trailing(r span) time.Duration { return r.from - e.window - EdgeTolerance(e.window) }

// apart returns the longest time that may be between the i-th accepted request and the one n before it. The limiter saw
// its k-th accepted request, whichever that was, after the k-th of them was sent and before the k-th response.
func (e *spans) apart(i, n int) time.Duration { return e.answered[i].to - e.accepted[i-n].from }

// keeps reports whether no accepted request is over, and no refused one early. i is the number of accepted requests
// with an earlier response.
func (e *spans) keeps(over func(i int, r span) bool, early func(r span) bool) bool {
	for i, r := range e.answered {
		if over(i, r) {
			return false
		}
	}
	return !slices.ContainsFunc(e.refused, early)
}

// Kinds with a clock or a timer act at moments that are a period apart. Their phase is not known, and is chosen to fit.
const (
	// phases is the number of phases in a window that are tried, one every 30 ms of a minute, and leastPhases how many
	// at least in a period.
	phases, leastPhases = 2000, 20
	// phaseTolerance says how much the ends of a clock's windows may be off: by 1/10,000 of a window, which is 6 ms of
	// a minute. NTP slews a clock by at most 500 parts in a million, and usually by less than 100.
	phaseTolerance = 10_000
	// clockStep is the resolution of the coarsest clock that a limiter counts by: 1 ms.
	clockStep = time.Millisecond
)

// stepsPerWindow are the periods that are tried, in parts of a window. In a minute they are 30, 20, 15, 12, 10, 6, 5, 4,
// 3, 2 and 1 s.
var stepsPerWindow = []int{2, 3, 4, 5, 6, 10, 12, 15, 20, 30, 60}

// fits reports whether a kind that acts n times a window explains the events at some phase. Its moments may be off by
// off.
func (e *spans) fits(n int, at func(period, phase, off time.Duration) bool) bool {
	period := e.window / time.Duration(n)
	step := max(1, min(e.window/phases, period/leastPhases))
	for phase := time.Duration(0); phase < period; phase += step {
		if at(period, phase, step+e.window/phaseTolerance+clockStep) {
			return true
		}
	}
	return false
}
