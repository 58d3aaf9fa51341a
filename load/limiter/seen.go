package limiter

import (
	"slices"
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

// times are the times of sending of some requests, and those of their responses. Each are sorted, so the limiter saw its
// k-th request between from[k] and to[k], whichever that was.
type times struct{ from, to []time.Duration }

func (t *times) add(e *Event) { t.from, t.to = append(t.from, e.Sent), append(t.to, e.Answered) }

// before returns how many of some sorted times are before t.
func before(sorted []time.Duration, t time.Duration) int {
	n, _ := slices.BinarySearch(sorted, t)
	return n
}

// most returns how many requests the limiter may have seen from one time until another.
func (t *times) most(since, until time.Duration) int {
	return before(t.from, until+1) - before(t.to, since)
}

// sequence is the events of a history, sorted for the kinds.
type sequence struct {
	limit  int
	window time.Duration
	// accepted are the accepted requests, and answered the same in the order of their responses.
	accepted times
	answered []span
	// any are all requests, since a refused one may count too. unknown may or may not have been counted.
	any, unknown times
	// refused are the refusals that need an explanation.
	refused []span
	// wait is the longest Retry-After of these. It is 0 if there is none, or if tokens were added before its end.
	wait time.Duration
	// gain is the number of tokens that the timer of a bucket adds in one step.
	gain int
	// low is of spend.
	low []float64
}

// sequence sorts the events of some stages; nil means all. Requests of other stages may have been counted or not.
func (h *History) sequence(stages []int) *sequence {
	s := &sequence{limit: h.Limit, window: h.Window}
	for i := range h.Events {
		e := &h.Events[i]
		s.any.add(e)
		switch one := (span{e.Sent, e.Answered, i}); {
		case e.Outcome == Unknown || stages != nil && !slices.Contains(stages, e.Stage):
			s.unknown.add(e)
		case e.Outcome == Accepted:
			s.accepted.add(e)
			s.answered = append(s.answered, one)
		case !e.excused:
			s.refused, s.wait = append(s.refused, one), max(s.wait, e.Says.RetryAfter)
		}
	}
	if h.tokensAdded() {
		s.wait = 0
	}
	slices.Sort(s.any.to)
	slices.Sort(s.unknown.to)
	slices.Sort(s.accepted.to)
	slices.SortStableFunc(s.answered, func(a, b span) int { return int(a.to - b.to) })
	return s
}

// leastAdded is the smallest excess of Remaining that shows added tokens: 2, since the request itself may not be counted
// yet.
const leastAdded = 2

// tokensAdded reports whether a Remaining within a burst was larger than the limit minus the accepted requests before
// it: a timer added tokens, so a Retry-After that is longer does not show its period.
func (h *History) tokensAdded() bool {
	for from, to := range h.bursts() {
		most := h.Limit
		for i := from; i < to; i++ {
			if h.Events[i].Outcome != Accepted {
				continue
			}
			most--
			if left := int(h.Events[i].Says.Remaining); h.ofLimit(i) && left >= max(1, most+leastAdded) && h.alone(i) {
				return true
			}
		}
	}
	return false
}

// rule is how a limiter of some kind decides. over reports whether it would have refused the accepted request with the
// i-th response, and early whether it would have accepted a refused one.
type rule struct {
	over  func(i int, r span) bool
	early func(r span) bool
}

// keeps reports whether a rule explains the events.
func (s *sequence) keeps(r rule) bool {
	for i, x := range s.answered {
		if r.over(i, x) {
			return false
		}
	}
	return !slices.ContainsFunc(s.refused, r.early)
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

// fits reports whether a limiter that acts n times a window explains the events at some phase. of returns its rule, by the
// last time before t at which it acted; its moments may be off by off.
func (s *sequence) fits(n int, of func(period, off time.Duration, last func(t time.Duration) time.Duration) rule) bool {
	period := s.window / time.Duration(n)
	step := max(1, min(s.window/phases, period/leastPhases))
	for phase := time.Duration(0); phase < period; phase += step {
		last := func(t time.Duration) time.Duration { return t - ((t-phase)%period+period)%period }
		if s.keeps(of(period, step+s.window/phaseTolerance+clockStep, last)) {
			return true
		}
	}
	return false
}
