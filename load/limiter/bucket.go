package limiter

import (
	"math"
	"slices"
	"sort"
	"time"
)

// A token bucket holds at most the limit, gains it once a window at a constant rate, and loses one token with each
// accepted request. The generic cell rate algorithm (GCRA) makes the same decisions.
//
// With 60 a minute, the bucket gains one token a second. A burst of 60 from a full bucket is accepted. A 61st request
// 0.4 s after the first is refused with Retry-After 1, since the bucket holds 0.4 tokens. If the burst takes 5.5 s, 65
// are accepted. After 10 s without requests, 10 more are accepted.
func (e *spans) bucket() bool {
	rate := float64(e.limit) / float64(e.window)
	even := func(t time.Duration) float64 { return rate * float64(t) }
	return e.spend(func(t time.Duration) float64 { return even(t + clockStep) }, even)
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
func (e *spans) steppedBucket() bool {
	for _, n := range append(slices.Clone(stepsPerWindow), e.limit) {
		e.gain = e.limit / n
		if e.gain < 1 || e.wait > e.window/time.Duration(n)+retryGrain { // the next step is sooner than Retry-After says
			continue
		}
		if e.fits(n, func(period, phase, off time.Duration) bool {
			came := func(t time.Duration) float64 { return float64(e.gain) * math.Floor(float64(t-phase)/float64(period)) }
			return e.spend(func(t time.Duration) float64 { return came(t + off) }, func(t time.Duration) float64 { return came(t - off) })
		}) {
			return true
		}
	}
	e.gain = 0
	return false
}

// rounding is the tolerance for floating-point arithmetic on tokens: a millionth of a token.
const rounding = 1e-6

// spend compares the events with a bucket. most and least return the largest and the smallest number of tokens that
// were added before a time.
//
// Between any request and a later one, a bucket accepts at most the limit plus the tokens added between them. The level
// at a request is the smallest, over all earlier requests, of the limit minus the tokens taken since the earlier
// request plus those added since. The bucket refuses a request if the level is below one token.
func (e *spans) spend(most, least func(time.Duration) float64) bool {
	best, k := math.Inf(-1), 0
	level := func(r span) float64 {
		e.levels(most)
		return e.level(r, least(r.from))
	}
	e.came = e.came[:0]
	return e.keeps(func(i int, r span) bool {
		for ; k < len(e.accepted) && e.accepted[k].from <= r.to; k++ {
			best = max(best, least(e.accepted[k].from)-float64(k))
		}
		return float64(i+1)+best-most(r.to) > float64(e.limit)+rounding
	}, func(r span) bool { return level(r) >= 1-rounding })
}

// levels computes what level needs of each request: the tokens that came before its response. With n requests before a
// refusal, the k-th of them leaves limit-(n-k) tokens plus those added between its response and the refusal. lowest[k]
// is the smallest of these over the first k requests, without the limit, n and the time of the refusal.
func (e *spans) levels(most func(time.Duration) float64) {
	if len(e.came) > 0 {
		return
	}
	e.lowest = e.lowest[:0]
	low := math.Inf(1)
	for k, s := range e.any {
		came := most(s.to)
		low = min(low, float64(k)-came)
		e.came, e.lowest = append(e.came, came), append(e.lowest, low)
	}
}

// level returns the lowest level that a bucket may have when a request is refused, until which so many tokens came.
// Refused requests may have taken tokens too.
func (e *spans) level(r span, until float64) float64 {
	n := sort.Search(len(e.any), func(i int) bool { return e.any[i].from > r.to }) - 1 // without r itself
	level := float64(e.limit)
	for k, after := n, 0; k >= 0; k-- {
		switch {
		case e.any[k].at == r.at:
			after = 1 // r does not count, so the requests sent before it have one more after them
		case e.came[k] >= until:
			level = min(level, float64(e.limit-(n-k+1-after)))
		default:
			return min(level, float64(e.limit-n)+until+e.lowest[k])
		}
	}
	return level
}
