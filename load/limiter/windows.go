package limiter

import (
	"slices"
	"sort"
	"time"
)

// EdgeTolerance returns how much the end of a window that begins with a request may be off: 1/200 of the window, which
// is 0.3 s of a minute. Limiters drop old requests in batches, and the clocks of two machines differ.
func EdgeTolerance(window time.Duration) time.Duration { return window / 200 }

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

// within is the rule of a limiter that accepts the limit since the time that oldest returns, which may be off by off.
func (s *sequence) within(oldest func(time.Duration) time.Duration, off time.Duration) rule {
	return rule{
		over: func(i int, r span) bool { return i+1-before(s.accepted.from, oldest(r.to+off)+off) > s.limit },
		early: func(r span) bool { // r is one of any
			return s.any.most(oldest(r.from-off)-off, r.to)-1 < s.limit
		},
	}
}

// A sliding log keeps the time of each request, and accepts a request if the window before it has fewer than the limit.
//
// With 3 a minute: requests at 0 s, 10 s and 50 s are accepted. One at 59 s is refused, since the minute before it has
// 3 requests. One at 60 s is accepted, since the one at 0 s is a minute old. One at 65 s is refused, because of those
// at 10 s, 50 s and 60 s.
func (s *sequence) log() bool { return s.keeps(s.trailing()) }

// trailing is the rule of a sliding log. It is the plan itself: so many requests in any window.
func (s *sequence) trailing() rule {
	return s.within(func(t time.Duration) time.Duration { return t - s.window }, EdgeTolerance(s.window)/2)
}

// since returns the earliest beginning of the window that ends with r.
func (s *sequence) since(r span) time.Duration { return r.from - s.window - EdgeTolerance(s.window) }

// mostWithin returns the largest number of requests that were surely accepted within a window.
func (s *sequence) mostWithin() (most int) {
	for i, r := range s.answered {
		most = max(most, i+1-before(s.accepted.from, r.to-s.window+EdgeTolerance(s.window)))
	}
	return most
}

// A sliding window that is counted in parts: there is one count for each part of a window, and the window is the sum of
// the newest parts. So a request is forgotten up to one part too early.
//
// With 60 a minute in parts of 6 s, on the clock: 60 requests at 12:00:05 are accepted, and one at 12:00:59 is refused.
// At 12:01:00 the part from 12:00:00 to 12:00:06 is dropped, so 60 more are accepted, 55 s after the first.
func (s *sequence) parts() bool { return slices.ContainsFunc(stepsPerWindow, s.ofParts) }

// A fixed window on the clock: windows begin at whole multiples of their length, counted from some moment, and each
// accepts the limit. The moment at which one ends and the next begins is called an edge. It is a window of one part.
//
// With 3 a minute and edges at :00: requests at 12:00:58, 12:00:59 and 12:00:59.5 are accepted, and one at 12:00:59.9
// is refused. Three more at 12:01:00 are accepted: 6 within 2 s are lawful if there is an edge between them.
func (s *sequence) clockWindow() bool { return s.ofParts(1) }

func (s *sequence) ofParts(n int) bool {
	return s.fits(n, func(part, off time.Duration, last func(time.Duration) time.Duration) rule {
		return s.within(func(t time.Duration) time.Duration { return last(t) + part - s.window }, off)
	})
}

// A sliding counter has one count for each window on the clock. It estimates the requests of the last minute as those of
// this clock minute plus a part of those of the minute before, as if these had been spread evenly.
//
// With 60 a minute: 60 requests at 12:00:50 are accepted. At 12:01:15 three quarters of them still count: the estimate
// is 45, so 15 more are accepted and the next is refused. At 12:01:45 the estimate is 15+15, so 30 more are accepted.
//
// A request that was in flight at the end of a window may belong to either. The phase may be off by 1/phases.
func (s *sequence) counter() bool {
	return s.fits(1, func(_, _ time.Duration, last func(time.Duration) time.Duration) rule {
		weight := func(t time.Duration) float64 { return 1 - float64(t-last(t))/float64(s.window) }
		return rule{over: func(i int, r span) bool {
			start := last(r.to)
			until := before(s.accepted.from, start)
			ago := until - before(s.accepted.from, start-s.window)
			return float64(i-until)+max(0, weight(r.to)-1.0/phases)*float64(ago) >= float64(s.limit)
		}, early: func(r span) bool {
			most := 0.0
			for _, at := range []time.Duration{r.from, r.to} {
				start := last(at)
				ago := before(s.any.to, start) - before(s.any.to, start-s.window)
				most = max(most, float64(s.any.most(start, r.to)-1)+min(1, weight(at)+1.0/phases)*float64(ago))
			}
			return most <= float64(s.limit)-1+rounding
		}}
	})
}

// A fixed window that begins with the first request after the last window ended.
//
// With 3 a minute: a request at 10 s opens a window until 70 s; those at 20 s and 69 s are accepted too, and one at
// 69.5 s is refused. One at 71 s opens the next window, until 131 s. So up to 5 are accepted within 2 s, if 2 come at
// the end of a window.
//
// All ways in which the windows may have begun are considered: each with an accepted request, after the end of the one
// before, and with at most the limit. The first may have begun before the events. A refused request needs a full window:
// its own, or the one before if it may be the last request of that one.
func (s *sequence) firstWindow() bool {
	n, refused := len(s.answered), s.refusals()
	if len(refused) > 0 && refused[0].most+refused[0].unknown < s.limit {
		return false
	}
	// begins[i] says that a window may begin with accepted request i, and filled[i] that a full one may end before it.
	begins, filled := make([]bool, n+1), make([]bool, n+1)
	for i := range min(s.limit, n) + 1 {
		begins[i] = true
	}
	for i := range n {
		if !begins[i] {
			continue
		}
		tolerance, fullAt := EdgeTolerance(s.window), i+s.limit
		until := s.accepted.to[i] + s.window + tolerance
		last := min(fullAt, before(s.accepted.from, until))
		for _, r := range refused[sort.Search(len(refused), func(k int) bool { return refused[k].most > i }):] {
			switch {
			case r.most > last:
			case r.most+r.unknown >= i+s.limit && r.from < until:
				fullAt = min(fullAt, r.most)
			case r.least > i || !filled[i]:
				last = r.most - 1
			}
		}
		ended := before(s.accepted.to, s.accepted.from[i]+s.window-tolerance)
		for next := max(i+1, ended); next <= last; next++ {
			begins[next], filled[next] = true, filled[next] || next >= fullAt
		}
	}
	return begins[n]
}

// refusal is a refused request with the least and the most accepted requests that the limiter may have seen before it, and
// those of its window that may have been counted or not.
type refusal struct {
	span
	least, most, unknown int
}

// refusals returns the refusals that need an explanation, those with the fewest requests before them first.
func (s *sequence) refusals() (all []refusal) {
	for _, r := range s.refused {
		all = append(all, refusal{r, before(s.accepted.to, r.from), before(s.accepted.from, r.to+1),
			s.unknown.most(s.since(r), r.to)})
	}
	slices.SortStableFunc(all, func(a, b refusal) int { return a.most - b.most })
	return all
}
