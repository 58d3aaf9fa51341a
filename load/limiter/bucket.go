package limiter

import (
	"math"
	"sort"
	"time"
)

// Bucket is a token bucket: it holds at most Limit tokens, gains Limit tokens a window at a constant rate, and loses
// one token with each accepted request. The generic cell rate algorithm (GCRA) makes the same decisions.
//
// With 60 a minute, the bucket gains one token a second. A burst of 60 from a full bucket is accepted. A 61st request
// 0.4 s after the first is refused with Retry-After 1, since the bucket holds 0.4 tokens. If the burst takes 5.5 s, 65
// are accepted. After 10 s without requests, 10 more are accepted.
type Bucket struct{}

func (Bucket) Name() string { return "token bucket or GCRA" }

func (Bucket) explain(e *spans) Account {
	even := func(t time.Duration) float64 { return e.rate * float64(t) }
	return e.spend(func(t time.Duration) float64 { return even(t + clockStep) }, even)
}

// rounding is the tolerance for floating-point arithmetic on tokens: a millionth of a token.
const rounding = 1e-6

// spend compares the history with a bucket. most and least return the largest and the smallest number of tokens that
// were added before a time.
//
// Between any request and a later one, a bucket accepts at most the limit plus the tokens added between them. The level
// at a request is the smallest, over all earlier requests, of the limit minus the tokens taken since the earlier
// request plus those added since. The bucket refuses a request if the level is below one token.
func (e *spans) spend(most, least func(time.Duration) float64) Account {
	var a Account
	best, k := math.Inf(-1), 0
	for i, r := range e.answered {
		for ; k < len(e.accepted) && e.accepted[k].from <= r.to; k++ {
			best = max(best, least(e.accepted[k].from)-float64(k-len(a.Over)))
		}
		if taken := float64(i + 1 - len(a.Over)); taken+best-most(r.to) > float64(e.limit)+rounding {
			if a.Over = append(a.Over, r.at); e.stop(&a) { // the bucket would have refused it, so it takes no token
				return a
			}
		}
	}
	level := e.levels(most, least)
	for _, r := range e.refused {
		if level(r) >= 1-rounding {
			if a.Early = append(a.Early, r.at); e.stop(&a) {
				return a
			}
		}
	}
	return a
}

// levels returns a function for the lowest level that a bucket may have when a request is refused. Refused requests may
// have taken tokens too.
//
// With n requests before the refusal, the k-th of them leaves limit-(n-k) tokens plus those added between its response
// and the refusal. lowest[k] is the smallest of these over the first k requests, without the limit, n and the time of
// the refusal, so it is computed once.
func (e *spans) levels(most, least func(time.Duration) float64) func(r span) float64 {
	if len(e.refused) == 0 {
		return nil
	}
	came, lowest := make([]float64, len(e.any)), make([]float64, len(e.any))
	for k, s := range e.any {
		came[k] = most(s.to)
		if lowest[k] = float64(k) - came[k]; k > 0 {
			lowest[k] = min(lowest[k], lowest[k-1])
		}
	}
	return func(r span) float64 {
		n := sort.Search(len(e.any), func(i int) bool { return e.any[i].from > r.to }) - 1 // without r itself
		level, until := float64(e.limit), least(r.from)
		for k, after := n, 0; k >= 0; k-- {
			switch {
			case e.any[k].at == r.at:
				after = 1 // r does not count, so the requests sent before it have one more after them
			case came[k] >= until:
				level = min(level, float64(e.limit-(n-k+1-after)))
			default:
				return min(level, float64(e.limit-n)+until+lowest[k])
			}
		}
		return level
	}
}
