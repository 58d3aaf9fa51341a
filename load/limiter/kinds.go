package limiter

import (
	"math"
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

// A token bucket holds at most the limit, gains it once a window at a constant rate, and loses one token with each
// accepted request. The generic cell rate algorithm (GCRA) makes the same decisions.
//
// With 60 a minute, the bucket gains one token a second. A burst of 60 from a full bucket is accepted. A 61st request
// 0.4 s after the first is refused with Retry-After 1, since the bucket holds 0.4 tokens. If the burst takes 5.5 s, 65
// are accepted. After 10 s without requests, 10 more are accepted.
func (s *sequence) bucket() bool { return s.keeps(s.even()) }

// even is the rule of a bucket with a constant rate.
func (s *sequence) even() rule {
	rate := float64(s.limit) / float64(s.window)
	even := func(t time.Duration) float64 { return rate * float64(t) }
	return s.spend(func(t time.Duration) float64 { return even(t + clockStep) }, even)
}

// retryGrain is how much a Retry-After may exceed the time until the next step: 1 s, since it is rounded up to whole
// seconds.
const retryGrain = time.Second

// A token bucket that a timer refills gains one or more tokens at once, at multiples of a period.
//
// With 60 a minute and a timer of 6 s, 6 tokens are added at :00, :06, :12 and so on. A burst of 60 at :01 empties a
// full bucket. At :05.9 a request is refused with Retry-After 1, and at :06.1 six are accepted. Of a burst from :05.5
// until after :06, 66 are accepted; fewer if fewer than 6 tokens were missing at :06.
//
// A timer that adds single tokens is tried too: a burst with a step in it may get one more than from a bucket.
func (s *sequence) steppedBucket() bool {
	for _, n := range append(slices.Clone(stepsPerWindow), s.limit) {
		s.gain = s.limit / n
		if s.gain < 1 || s.wait > s.window/time.Duration(n)+retryGrain { // the next step is sooner than Retry-After says
			continue
		}
		if s.fits(n, func(period, off time.Duration, last func(time.Duration) time.Duration) rule {
			added := func(t time.Duration) float64 { return float64(s.gain) * float64((last(t)-last(0))/period) }
			most := func(t time.Duration) float64 { return added(t + off) }
			return s.spend(most, func(t time.Duration) float64 { return added(t - off) })
		}) {
			return true
		}
	}
	s.gain = 0
	return false
}

// rounding is the tolerance for floating-point arithmetic on tokens: a millionth of a token.
const rounding = 1e-6

// spend is the rule of a bucket. most and least return the largest and the smallest number of tokens that were added
// before a time.
//
// Between any request and a later one, a bucket accepts at most the limit plus the tokens added between them. Of the n
// requests before a refusal, the k-th leaves at most the limit, from which those after it take n-k, and to which the
// tokens are added that came between its response and the refusal. The bucket refuses a request if the smallest of these
// levels is below one token. Refused requests may have taken tokens too.
func (s *sequence) spend(most, least func(time.Duration) float64) rule {
	best, sent, low := math.Inf(-1), 0, s.low[:0]
	return rule{over: func(i int, r span) bool {
		for ; sent < len(s.accepted.from) && s.accepted.from[sent] <= r.to; sent++ {
			best = max(best, least(s.accepted.from[sent])-float64(sent))
		}
		return float64(i+1)+best-most(r.to) > float64(s.limit)+rounding
	}, early: func(r span) bool {
		n := before(s.any.from, r.to+1) - 1 // without r itself
		for k := len(low); k < n; k++ {     // low[k] is the smallest level by the first k, but for what is the same in all
			level := float64(k) - most(s.any.to[k])
			if k > 0 {
				level = min(level, low[k-1])
			}
			low = append(low, level)
		}
		s.low = low
		return n == 0 || float64(s.limit-n)+least(r.from)+low[n-1] >= 1-rounding
	}}
}

// leastAdded is the smallest excess of Remaining that shows added tokens: 2, since the request itself may not be counted
// yet.
const leastAdded = 2

// tokensAdded reports whether a Remaining within a burst was larger than the limit minus the accepted requests before
// it: a timer added tokens, so a Retry-After that is longer does not show its period.
func (h *History) tokensAdded() bool {
	for _, burst := range h.Bursts {
		most := h.Limit
		for _, i := range burst {
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
