package limiter

import (
	"math"
	"slices"
	"time"
)

// SteppedBucket is a token bucket that a timer refills: it gains one or more tokens at once, at multiples of a period.
//
// With 60 a minute and a timer of 6 s, 6 tokens are added at :00, :06, :12 and so on. A burst of 60 at :01 empties a
// full bucket. At :05.9 a request is refused with Retry-After 1, and at :06.1 six are accepted. Of a burst from :05.5
// until after :06, 66 are accepted; fewer if fewer than 6 tokens were missing at :06.
type SteppedBucket struct{}

// Name returns the name of the kind, which is also Bucket's. Account.gain distinguishes them: it is 0 for a Bucket.
func (SteppedBucket) Name() string { return "token bucket or GCRA" }

const (
	// stepPhases is the number of phases of the timer that are tried: one every 30 ms if the period is 6 s.
	stepPhases = 200
	// retryGrain is how much a Retry-After may exceed the time until the next step: 1 s, since it is rounded up to
	// whole seconds.
	retryGrain = time.Second
)

// stepsPerWindow are the timers that are tried, in steps a window. In a minute their periods are 30, 20, 15, 12, 10, 6,
// 5, 4, 3, 2 and 1 s. A timer that adds single tokens is tried too: a burst with a step in it may get one more than
// from a Bucket.
var stepsPerWindow = []int{2, 3, 4, 5, 6, 10, 12, 15, 20, 30, 60}

func (SteppedBucket) explain(e *spans) Account {
	best := e.worst() // if the Retry-After of the 429s excludes every timer
	for _, n := range append(slices.Clone(stepsPerWindow), e.limit) {
		gain, period := e.limit/n, e.window/time.Duration(n)
		if gain < 1 || e.wait > period+retryGrain { // the next step is sooner than Retry-After says
			continue
		}
		best = e.fit(best, stepPhases, func(tried *spans, k int) Account {
			a := tried.steps(float64(gain), period, period*time.Duration(k)/stepPhases)
			a.gain = gain
			return a
		})
	}
	return best
}

// steps compares the history with a bucket that gains gain tokens at each step. Steps are a period apart, and one is at
// phase.
func (e *spans) steps(gain float64, period, phase time.Duration) Account {
	off := period/stepPhases + e.edgeOff()
	came := func(t time.Duration) float64 { return gain * math.Floor(float64(t-phase)/float64(period)) }
	return e.spend(func(t time.Duration) float64 { return came(t + off) }, func(t time.Duration) float64 { return came(t - off) })
}
