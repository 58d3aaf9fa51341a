package limiter

import (
	"math"
	"slices"
	"time"
)

// SteppedBucket is a token bucket that a timer refills: one or more tokens are added at once, at whole multiples of a period.
//
// With 60 a minute and a timer of 6 s, 6 tokens are added at :00, :06, :12 and so on. A burst of 60 at :01 empties a full bucket. At
// :05.9 a request is refused with Retry-After 1, and at :06.1 six are accepted. A burst from :05.5 until after :06 gets 66, or fewer
// if less than 6 tokens were missing at :06.
type SteppedBucket struct{}

// Name is the kind in words, which is Bucket's too. Account.Gain is 0 for a Bucket.
func (SteppedBucket) Name() string { return "token bucket or GCRA" }

const (
	// stepPhases is the number of phases of the timer that are tried: one every 30 ms of six seconds.
	stepPhases = 200
	// retryGrain is how much longer than the time until the next step a Retry-After may be: it is rounded up to whole seconds.
	retryGrain = time.Second
)

// stepsPerWindow are the timers that are tried, in steps a window: periods of 30, 20, 15 and so on to 1 second of a minute. One that adds
// single tokens is tried too: a burst in which a step falls gets one more than from an even refill.
var stepsPerWindow = []int{2, 3, 4, 5, 6, 10, 12, 15, 20, 30, 60}

func (SteppedBucket) explain(e *events) Account {
	best := Account{Over: indexes(e.accepted), Early: indexes(e.refused), Fitted: 1} // where no timer can be
	tried := *e
	for _, n := range append(slices.Clone(stepsPerWindow), e.limit) {
		gain, period := e.limit/n, e.window/time.Duration(n)
		if gain < 1 || e.wait > period+retryGrain { // the next step would have come sooner
			continue
		}
		for k := range stepPhases {
			if a := tried.steps(float64(gain), period, period*time.Duration(k)/stepPhases); a.contradictions() < best.contradictions() {
				best = a
				best.Fitted, best.Gain = 1, gain
			}
			if best.Lawful() {
				return best
			}
			tried.enough = best.contradictions()
		}
	}
	return best
}

// steps asks whether a bucket that gains so many tokens at each step explains the history.
func (e *events) steps(gain float64, period, phase time.Duration) Account {
	off := period/stepPhases + e.edgeOff()
	came := func(t time.Duration) float64 { return gain * math.Floor(float64(t-phase)/float64(period)) }
	return e.spend(func(t time.Duration) float64 { return came(t + off) }, func(t time.Duration) float64 { return came(t - off) })
}

func indexes(all []span) []int {
	var out []int
	for _, s := range all {
		out = append(out, s.at)
	}
	return out
}
