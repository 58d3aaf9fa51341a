package clients

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"petconform/spec"
	"petconform/spec/verdict"
)

// backoffs are exponential backoffs in use: the wait before the retry i after a Retry-After.
var backoffs = map[string]func(random *rand.Rand, i int, asked, last time.Duration) time.Duration{
	"at least Retry-After": func(_ *rand.Rand, i int, asked, _ time.Duration) time.Duration {
		return max(asked, doubled(100*time.Millisecond, i, 30*time.Second))
	},
	"at least Retry-After, to a low bound": func(_ *rand.Rand, i int, asked, _ time.Duration) time.Duration {
		return max(asked, doubled(500*time.Millisecond, i, lowestCap))
	},
	"added to Retry-After": func(_ *rand.Rand, i int, asked, _ time.Duration) time.Duration {
		return asked + doubled(time.Second, i, 2*time.Second)
	},
	"added to Retry-After, with full jitter": func(random *rand.Rand, i int, asked, _ time.Duration) time.Duration {
		return asked + upTo(random, doubled(time.Second, i, 10*time.Second))
	},
	"at least Retry-After, with equal jitter": func(random *rand.Rand, i int, asked, _ time.Duration) time.Duration {
		d := doubled(200*time.Millisecond, i, 20*time.Second)
		return max(asked, d/2+upTo(random, d/2))
	},
	"of twice Retry-After, with a tenth of jitter": func(random *rand.Rand, i int, asked, _ time.Duration) time.Duration {
		d := doubled(2*asked, i, 60*time.Second)
		return d + upTo(random, d/10)
	},
	"decorrelated": func(random *rand.Rand, _ int, asked, last time.Duration) time.Duration {
		return min(60*time.Second, 2*asked+upTo(random, max(asked, 3*last-2*asked)))
	},
}

func upTo(random *rand.Rand, d time.Duration) time.Duration {
	return time.Duration(random.Int64N(int64(d)))
}

func doubled(d time.Duration, times int, most time.Duration) time.Duration {
	return min(most, d<<min(times, 20))
}

// TestNoBackoffIsCalledNone: no row of waits of an exponential backoff, with jitter or a bound, is said not to grow.
func TestNoBackoffIsCalledNone(t *testing.T) {
	for name, wait := range backoffs {
		t.Run(name, func(t *testing.T) {
			random, judged := rand.New(rand.NewPCG(5, 24)), 0
			for range 20_000 {
				asked, last := time.Duration(1+random.IntN(10))*time.Second, time.Duration(0)
				var r row
				for i := range 2 + random.IntN(14) {
					last = wait(random, i, asked, last)
					r.waits, r.asks = append(r.waits, last+upTo(random, 20*time.Millisecond)), append(r.asks, asked)
				}
				grow, ok := r.verdict()
				if ok && !grow {
					t.Fatalf("Retry-After %s: %v do not grow", asked, r.waits)
				}
				if ok {
					judged++
				}
			}
			t.Logf("%d of 20,000 were judged", judged)
		})
	}
}

// TestRandomWaitsSeldomSink: waits of a client that is at its bound already, at random between Retry-After and the bound.
func TestRandomWaitsSeldomSink(t *testing.T) {
	random, sunk := rand.New(rand.NewPCG(6, 24)), 0
	const rows = 20_000
	for range rows {
		var r row
		for range ownWaits + random.IntN(8) {
			r.waits, r.asks = append(r.waits, max(time.Second, upTo(random, time.Duration(2+random.IntN(9))*time.Second))), append(r.asks, time.Second)
		}
		if r.sink() {
			sunk++
		}
	}
	if t.Logf("%d of %d", sunk, rows); sunk > rows/1000 {
		t.Errorf("%d of %d sink; at most one in 1,000 is wanted", sunk, rows)
	}
}

// TestTheWaitsThatBackoffNeeds: what is decided of waits, and what is said of those that are too few.
func TestTheWaitsThatBackoffNeeds(t *testing.T) {
	for name, c := range map[string]struct {
		asked time.Duration
		waits []float64
		want  string
	}{
		"five of 1.5 times":          {2 * time.Second, []float64{3, 3.01, 3, 3.02, 3}, "equal"},
		"five of twice, at a minute": {time.Minute, []float64{120, 120, 120, 120, 120}, "equal"},
		"five and a longer one":      {time.Second, []float64{2.02, 2.4, 2, 2.01, 2, 2.05}, "equal"},
		"five and a longer one that the backoff came to": {time.Second, []float64{2, 2, 2, 2, 2, 3.2},
			"the most 429s in a row led to 6 waits (2.0 s, 2.0 s, 2.0 s, 2.0 s, 2.0 s, 3.2 s); 10 are needed to show a backoff, or 5 equal or falling waits of 1.5 s or more"},
		"five that fall":                        {time.Second, []float64{10, 9, 8, 7, 6}, "equal"},
		"three that fall to Retry-After":        {time.Second, []float64{4, 2.5, 1.6, 1, 1}, "equal"},
		"the same, then ten of it":              {time.Second, []float64{4, 2.5, 1.6, 1, 1.01, 1, 1.02, 1, 1, 1.01, 1, 1, 1}, "equal"},
		"three that fall and one that does not": {time.Second, []float64{8, 5, 3, 2, 4}, "grow"},
		"five that double":                      {time.Second, []float64{2, 4, 8, 16, 32}, "grow"},
		"five that double to a cap":             {time.Second, []float64{2, 4, 5, 5, 5}, "grow"},
		"ten of Retry-After":                    {time.Second, []float64{1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, "equal"},
		"four of 1.5 times": {2 * time.Second, []float64{3, 3, 3, 3},
			"the most 429s in a row led to 4 waits (3.0 s, 3.0 s, 3.0 s, 3.0 s); 11 are needed to show a backoff, or 5 equal or falling waits of 3.0 s or more"},
		"two of Retry-After": {time.Second, []float64{1, 1},
			"the most 429s in a row led to 2 waits (1.0 s, 1.0 s); 10 are needed to show a backoff, or 5 equal or falling waits of 1.5 s or more"},
		"two that are early": {time.Minute, []float64{1, 1},
			"the most 429s in a row led to 2 waits (1.0 s, 1.0 s); 5 are needed to show a backoff"},
		"twenty of a long Retry-After": {time.Minute, slices.Repeat([]float64{60}, 9),
			"the most 429s in a row led to 9 waits (60.0 s, 60.0 s, 60.0 s, 60.0 s, 60.0 s, 60.0 s, 60.0 s, 60.0 s, …); a Retry-After of 60.0 s hides a backoff, which only 5 equal or falling waits of 90.0 s or more would show"},
	} {
		var r row
		for _, s := range c.waits {
			r.waits, r.asks = append(r.waits, time.Duration(s*float64(time.Second))), append(r.asks, c.asked)
		}
		grow, ok := r.verdict()
		is := map[bool]string{true: "grow", false: "equal"}[grow]
		if !ok {
			is = r.few()
		}
		if is != c.want {
			t.Errorf("%s: %s\nwant %s", name, is, c.want)
		}
	}
}

// TestWaitsBeyondRetryAfter: five waits that are clearly longer than Retry-After show that they do not grow, in a whole run.
func TestWaitsBeyondRetryAfter(t *testing.T) {
	others := setting{minute: time.Second, perMinute: 5, freedoms: []string{"others-spend-the-refill"}}
	for factor, want := range map[time.Duration][]spec.ID{1: nil, 2: ids("CLIENT-5"), 5: ids("CLIENT-5")} {
		r := judged(t, others, func(d *desk) {
			p := d.program()
			again(p, p.spend(), 5, func(a answer) time.Duration { return factor * a.wait() })
		})
		if got := failed(r); !slices.Equal(got, want) {
			t.Errorf("%d times Retry-After: broken: %v, want %v\n%s", factor, got, want, told(r))
		}
		i := slices.IndexFunc(r.Checks, func(c verdict.Check) bool { return c.Requirements[0] == "CLIENT-5" })
		if says := r.Checks[i].Reason; want == nil && !strings.Contains(says, "5 waits") {
			t.Errorf("it says %q", says)
		}
	}
	for n := range 3 { // a client that reached its bound in one row, and has more rows at that bound
		r := judged(t, others, func(d *desk) {
			p, i := d.program(), 0
			for range n + 1 {
				again(p, p.spend(), 6, func(answer) time.Duration { i++; return doubled(2*time.Second, i, 10*time.Second) })
				p.set.Set("X-Row", fmt.Sprint(n))
			}
		})
		if got := failed(r); len(got) > 0 {
			t.Errorf("broken: %v\n%s", got, told(r))
		}
	}
}
