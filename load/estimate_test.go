package load

import (
	"testing"
	"time"

	"petconform/spec/reference/limiter"
)

// TestTheTimeLeftIsTheKnownWait compares what a quick run said was left with the time that it took from then on. On a fixed window
// it waits for Retry-After, and on a bucket for a fresh allowance: either takes a window for each fill.
func TestTheTimeLeftIsTheKnownWait(t *testing.T) {
	for _, kind := range []limiter.Kind{limiter.FixedFirst, limiter.FixedClock, limiter.SlidingLog, limiter.TokenBucket} {
		for _, after := range []time.Duration{0, 20 * time.Second} {
			type said struct {
				Event
				at time.Time
			}
			var all []said
			_, rec := scene{kind: kind, after: after, latency: time.Millisecond, change: func(c *Config) {
				c.Quick = true
				c.Progress = func(e Event) { all = append(all, said{e, time.Now()}) }
			}}.play(t)
			for _, s := range all {
				took := rec.End.Ended.Sub(s.at)
				off := s.Left - took
				if last := s.Round == quickFills && s.Waiting > 0; off.Abs() > 65*time.Second || last && off.Abs() > 2*time.Second {
					t.Errorf("%s, %s into the minute: %s, round %d: %s left; it took %s", kind, after, s.Doing, s.Round, s.Left, took)
				}
			}
		}
	}
}
