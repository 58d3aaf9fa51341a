package limiter

import (
	"math"
	"sort"
	"time"
)

// Bucket is a token bucket: it holds at most the limit, is refilled evenly by the limit in each window, and gives one token to each
// accepted request. The generic cell rate algorithm (GCRA) decides in the same way.
//
// With 60 a minute, one token comes each second. A burst of 60 from a full bucket is accepted. A 61st 0.4 s after the first is refused
// with Retry-After 1, since the bucket holds 0.4 tokens. If the burst takes 5.5 s, 65 are accepted. After 10 s without requests 10
// more are.
type Bucket struct{}

// Name is the kind in words.
func (Bucket) Name() string { return "token bucket or GCRA" }

func (Bucket) explain(e *events) Account {
	even := func(t time.Duration) float64 { return e.rate * float64(t) }
	return e.spend(func(t time.Duration) float64 { return even(t + clockStep) }, even)
}

// rounding is how much a number of tokens may be off by floating-point arithmetic: a millionth.
const rounding = 1e-6

// spend asks whether a bucket explains the history. most and least are the largest and the smallest number of tokens that were added
// until a time.
//
// From any request on the bucket accepts at most the limit and the tokens that are added meanwhile. Its level is the smallest, over all
// earlier requests, of the limit minus the tokens taken since that request plus the tokens added since. It refuses a request when the
// level is below one token.
func (e *events) spend(most, least func(time.Duration) float64) Account {
	var a Account
	best, k := math.Inf(-1), 0
	for i, r := range e.answered {
		for ; k < len(e.accepted) && e.accepted[k].from <= r.to; k++ {
			best = max(best, least(e.accepted[k].from)-float64(k-len(a.Over)))
		}
		if taken := float64(i + 1 - len(a.Over)); taken+best-most(r.to) > float64(e.limit)+rounding {
			if a.Over = append(a.Over, r.at); e.stop(&a) { // it takes no token in what follows
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

// levels gives the lowest level that a bucket may have when a request is refused. Refused requests may have taken tokens too.
//
// With n requests before the refusal, the k-th of them allows limit-(n-k) and the tokens added between its response and the refusal.
// The smallest over the first k requests is computed once, in lowest.
func (e *events) levels(most, least func(time.Duration) float64) func(r span) float64 {
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
