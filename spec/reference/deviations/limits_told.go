package deviations

import (
	"net/http"
	"slices"
	"time"

	. "petconform/spec/reference/internal/behaviour"
	"petconform/spec/reference/limiter"
)

// retryAfter writes Retry-After.
func retryAfter(write HeaderText) Change {
	return func(b *Behaviour) { b.Rate.RetryAfter = write }
}

func retryAfterAt(t func(c *Call, d limiter.Decision) time.Time, layout string) Change {
	return retryAfter(func(c *Call, d limiter.Decision) string { return t(c, d).UTC().Format(layout) })
}

// waiting writes Retry-After as a number of seconds that is made from the right wait.
func waiting(change func(d time.Duration) int64) Change {
	return retryAfter(Number(func(_ *Call, d limiter.Decision) int64 { return change(d.RetryAfter) }))
}

// remaining writes X-RateLimit-Remaining as a number that is made from the decision.
func remaining(change func(d limiter.Decision) int64) Change {
	return remainingAs(Number(func(_ *Call, d limiter.Decision) int64 { return change(d) }))
}

// afterRefusal writes X-RateLimit-Remaining of accepted requests, once a request of the key was refused.
func afterRefusal(change func(left, used int64) int64) Change {
	return Judged(func(_ *Behaviour, _ *Call, refused *bool, d limiter.Decision) limiter.Decision {
		if *refused = *refused || !d.Allowed; *refused && d.Allowed {
			d.Remaining = change(d.Remaining, d.Limit-d.Remaining)
		}
		return d
	})
}

var limitToldRows = slices.Concat(
	faults(breaks("RATE-5"), may("RATE-8"), needs(Load))(
		fault("retry-after-missing", retryAfter(fixedText(""))),
		fault("retry-after-word", retryAfter(fixedText("soon"))),
		fault("retry-after-fraction", retryAfter(func(_ *Call, d limiter.Decision) string {
			return Whole(int64(d.RetryAfter/time.Second)) + ".75"
		})),
		fault("retry-after-negative", retryAfter(fixedText("-1"))),
		fault("retry-after-milliseconds", waiting(time.Duration.Milliseconds)),
		fault("retry-after-iso",
			retryAfterAt(func(c *Call, d limiter.Decision) time.Time { return c.Now.Add(d.RetryAfter) }, time.RFC3339)),
	),
	faults(breaks("RATE-8"), needs(Load))(
		fault("retry-after-0", waiting(func(time.Duration) int64 { return 0 })),
		fault("retry-after-1", waiting(func(time.Duration) int64 { return 1 })),
		fault("retry-after-half", waiting(func(d time.Duration) int64 { return int64(d / time.Second / 2) })),
		fault("retry-after-rounded-down", waiting(func(d time.Duration) int64 { return int64(d / time.Second) })),
		fault("retry-after-past",
			retryAfterAt(func(c *Call, _ limiter.Decision) time.Time { return c.Now.Add(-time.Hour) }, http.TimeFormat)),
		fault("refused-for-ever",
			Judged(func(_ *Behaviour, c *Call, refused *bool, d limiter.Decision) limiter.Decision {
				if *refused = *refused || !d.Allowed; *refused {
					d = RefusedFor(time.Second, c, d)
				}
				return d
			}), breaks("RATE-8", "RATE-9"), may("RATE-7", "RATE-14", "RATE-16")),
	),
	faults(breaks("RATE-9"), needs(Load))(
		fault("reset-too-early", func(b *Behaviour) {
			b.Rate.Reset = Number(func(c *Call, d limiter.Decision) int64 {
				if d.Allowed {
					return UnixUp(d.Reset)
				}
				return UnixUp(c.Now.Add(d.Reset.Sub(c.Now) / 3))
			})
		}, may("RATE-3", "RATE-15")),
		fault("reset-a-window-from-now",
			func(b *Behaviour) {
				b.Rate.Reset = Number(func(c *Call, _ limiter.Decision) int64 { return UnixUp(c.Now.Add(b.Options.Minute)) })
			}),
		fault("reset-at-once", func(b *Behaviour) {
			b.Rate.Reset = Number(func(c *Call, _ limiter.Decision) int64 { return c.Now.Unix() + 1 })
		}, may("RATE-15")),
	),
	faults(breaks("RATE-15"), needs(Load))(
		fault("remaining-one-too-many",
			remaining(func(d limiter.Decision) int64 { return min(d.Remaining+1, d.Limit) })),
		fault("remaining-one-too-few", remaining(func(d limiter.Decision) int64 { return max(d.Remaining-1, 0) })),
		fault("remaining-falls-by-two",
			remaining(func(d limiter.Decision) int64 { return max(d.Limit-2*(d.Limit-d.Remaining), 0) })),
		fault("remaining-falls-by-half",
			remaining(func(d limiter.Decision) int64 { return d.Limit - (d.Limit-d.Remaining)/2 })),
		fault("remaining-counts-up", afterRefusal(func(_, used int64) int64 { return used }), may("RATE-4")),
		fault("remaining-creeps-back",
			afterRefusal(func(left, used int64) int64 { return min(left, used) }), may("RATE-4")),
		fault("limit-of-another-plan", limitAs(Number(func(_ *Call, d limiter.Decision) int64 { return 5 * d.Limit }))),
	),
	faults(breaks("RATE-16"), may("RATE-3", "RATE-5", "RATE-8", "RATE-9"), needs(Ban))(
		fault("ban-for-ever", ban(func(minute time.Duration) time.Duration { return minute })),
		fault("ban-for-ten-years", ban(func(time.Duration) time.Duration { return 10 * 365 * 24 * time.Hour })),
		fault("ban-for-all-keys", func(b *Behaviour) {
			var until time.Time
			Judged(func(b *Behaviour, c *Call, refused *Streak, d limiter.Decision) limiter.Decision {
				if refused.Count(d) >= BanAfter {
					until = c.Now.Add(2 * b.Options.Minute)
				}
				if until.After(c.Now) {
					d = RefusedFor(until.Sub(c.Now), c, d)
				}
				return d
			})(b)
		}, breaks("RATE-10"), may("RATE-7", "RATE-8")), // a key may be refused after its own wait, because of another key
	),
)

// ban refuses a key for ever after banAfter refusals in a row. Retry-After says wait.
func ban(wait func(minute time.Duration) time.Duration) Change {
	type key struct {
		refused Streak
		banned  bool
	}
	return Judged(func(b *Behaviour, c *Call, k *key, d limiter.Decision) limiter.Decision {
		if k.banned = k.refused.Count(d) >= BanAfter || k.banned; k.banned {
			d = RefusedFor(wait(b.Options.Minute), c, d)
			d.Reset = c.Now.Add(min(d.RetryAfter, b.Options.Day))
		}
		return d
	})
}
