package clients

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

func doubled(d time.Duration, times int, most time.Duration) time.Duration {
	return min(most, d<<min(times, 20))
}

// TestNoBackoffIsCalledNone: no row of waits of an exponential backoff, with jitter or a bound, is said not to grow.
func TestNoBackoffIsCalledNone(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 24))
	upTo := func(d time.Duration) time.Duration { return time.Duration(random.Int64N(int64(d))) }
	backoffs := map[string]func(i int, asked, last time.Duration) time.Duration{
		"at least Retry-After": func(i int, asked, _ time.Duration) time.Duration {
			return max(asked, doubled(10*time.Millisecond, i, 30*time.Second))
		},
		"at least twice Retry-After": func(i int, asked, _ time.Duration) time.Duration {
			return max(2*asked, doubled(100*time.Millisecond, i, 30*time.Second))
		},
		"to a low bound": func(i int, asked, _ time.Duration) time.Duration {
			return max(asked, doubled(500*time.Millisecond, i, 5*time.Second))
		},
		"at its bound from the start": func(_ int, asked, _ time.Duration) time.Duration { return max(asked, 5*time.Second) },
		"added to Retry-After": func(i int, asked, _ time.Duration) time.Duration {
			return asked + doubled(time.Second, i, 2*time.Second)
		},
		"added to Retry-After, with full jitter": func(i int, asked, _ time.Duration) time.Duration {
			return asked + upTo(doubled(time.Second, i, 10*time.Second))
		},
		"at least Retry-After, with equal jitter": func(i int, asked, _ time.Duration) time.Duration {
			d := doubled(200*time.Millisecond, i, 20*time.Second)
			return max(asked, d/2+upTo(d/2))
		},
		"at least Retry-After, with full jitter": func(i int, asked, _ time.Duration) time.Duration {
			return max(asked, upTo(doubled(100*time.Millisecond, i, 20*time.Second)))
		},
		"of twice Retry-After, with a tenth of jitter": func(i int, asked, _ time.Duration) time.Duration {
			d := doubled(2*asked, i, 60*time.Second)
			return d + upTo(d/10)
		},
		"decorrelated": func(_ int, asked, last time.Duration) time.Duration {
			return min(60*time.Second, 2*asked+upTo(max(asked, 3*last-2*asked)))
		},
	}
	for _, name := range slices.Sorted(maps.Keys(backoffs)) { // so that each run draws the same waits
		wait := backoffs[name]
		for range 20_000 {
			asked, last := time.Duration(1+random.IntN(10))*time.Second, time.Duration(0)
			var waits []time.Duration
			for i := range 2 + random.IntN(20) {
				last = wait(i, asked, last)
				waits = append(waits, last+upTo(20*time.Millisecond))
			}
			if grow, ok := grow(waits); ok && !grow {
				t.Fatalf("%s, Retry-After %s: %v do not grow", name, asked, waits)
			}
		}
	}
}
