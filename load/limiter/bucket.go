package limiter

import (
	"math"
	"slices"
	"time"
)

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
