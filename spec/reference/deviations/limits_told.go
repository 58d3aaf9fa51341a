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
		fault("retry-after-missing", "A client must guess how long to wait.", retryAfter(fixedText(""))),
		fault("retry-after-word", "A client that expects a number or a date reads a word.",
			retryAfter(fixedText("soon"))),
		fault("retry-after-fraction", "A client that parses an integer fails.",
			retryAfter(func(_ *Call, d limiter.Decision) string {
				return Whole(int64(d.RetryAfter/time.Second)) + ".75"
			})),
		fault("retry-after-negative", "A client computes a time in the past.", retryAfter(fixedText("-1"))),
		fault("retry-after-milliseconds", "A client waits for a thousand times as long as it has to.",
			waiting(time.Duration.Milliseconds)),
		fault("retry-after-iso", "A client that expects an HTTP date reads an ISO date.",
			retryAfterAt(func(c *Call, d limiter.Decision) time.Time { return c.Now.Add(d.RetryAfter) }, time.RFC3339)),
	),
	faults(breaks("RATE-8"), needs(Load))(
		fault("retry-after-0", "Clients come back at once and risk a ban.",
			waiting(func(time.Duration) int64 { return 0 })),
		fault("retry-after-1", "Clients come back every second and risk a ban.",
			waiting(func(time.Duration) int64 { return 1 })),
		fault("retry-after-half", "A client that waits as told is refused again.",
			waiting(func(d time.Duration) int64 { return int64(d / time.Second / 2) })),
		fault("retry-after-rounded-down", "A client that waits as told comes up to a second too early.",
			waiting(func(d time.Duration) int64 { return int64(d / time.Second) })),
		fault("retry-after-past", "Retry-After is a date in the past.",
			retryAfterAt(func(c *Call, _ limiter.Decision) time.Time { return c.Now.Add(-time.Hour) }, http.TimeFormat)),
		fault("refused-for-ever", "After its first refusal a key is refused for ever.",
			Judged(func(_ *Behaviour, c *Call, refused *bool, d limiter.Decision) limiter.Decision {
				if *refused = *refused || !d.Allowed; *refused {
					d = RefusedFor(time.Second, c, d)
				}
				return d
			}), breaks("RATE-8", "RATE-9"), may("RATE-7", "RATE-14", "RATE-16")),
		fault("refused-once-more", "The first request after the wait is refused too.",
			Judged(func(_ *Behaviour, c *Call, refused *bool, d limiter.Decision) limiter.Decision {
				again := d.Allowed && *refused
				if *refused = !d.Allowed; again {
					d = RefusedFor(time.Second, c, d)
				}
				return d
			}), may("RATE-7", "RATE-9", "RATE-14", "RATE-15")),
	),
	faults(breaks("RATE-9"), needs(Load))(
		fault("reset-too-early", "A client that comes back at Reset is refused.", func(b *Behaviour) {
			b.Rate.Reset = Number(func(c *Call, d limiter.Decision) int64 {
				if d.Allowed {
					return UnixUp(d.Reset)
				}
				return UnixUp(c.Now.Add(d.Reset.Sub(c.Now) / 3))
			})
		}, may("RATE-3", "RATE-15")),
		fault("reset-a-window-from-now",
			"Reset moves with each request; a client that waits for it loses up to a window.",
			func(b *Behaviour) {
				b.Rate.Reset = Number(func(c *Call, _ limiter.Decision) int64 { return UnixUp(c.Now.Add(b.Options.Minute)) })
			}),
		fault("reset-at-once", "Reset is always the next second.", func(b *Behaviour) {
			b.Rate.Reset = Number(func(c *Call, _ limiter.Decision) int64 { return c.Now.Unix() + 1 })
		}, may("RATE-15")),
	),
	faults(breaks("RATE-15"), needs(Load))(
		fault("remaining-one-too-many", "A client is refused although Remaining was 1.",
			remaining(func(d limiter.Decision) int64 { return min(d.Remaining+1, d.Limit) })),
		fault("remaining-one-too-few", "A client stops while one request is left.",
			remaining(func(d limiter.Decision) int64 { return max(d.Remaining-1, 0) })),
		fault("remaining-falls-by-two", "A client slows down at half of its plan.",
			remaining(func(d limiter.Decision) int64 { return max(d.Limit-2*(d.Limit-d.Remaining), 0) })),
		fault("remaining-falls-by-half", "A client expects twice its plan.",
			remaining(func(d limiter.Decision) int64 { return d.Limit - (d.Limit-d.Remaining)/2 })),
		fault("remaining-not-0-when-refused", "A 429 says that requests are left.",
			remaining(func(d limiter.Decision) int64 {
				if !d.Allowed {
					return min(d.Limit, 7)
				}
				return d.Remaining
			})),
		fault("remaining-counts-up",
			"After the first 429 Remaining counts the requests of the window, 1, 2, 3, not those that are left.",
			afterRefusal(func(_, used int64) int64 { return used }), may("RATE-4")),
		fault("remaining-creeps-back",
			"After the first 429 Remaining begins at 1, although the window was reset, and rises with each request.",
			afterRefusal(func(left, used int64) int64 { return min(left, used) }), may("RATE-4")),
		fault("limit-of-another-plan", "Limit is that of a larger plan.",
			limitAs(Number(func(_ *Call, d limiter.Decision) int64 { return 5 * d.Limit }))),
		fault("limit-changes", "Limit falls to half when a tenth of the plan is left.",
			limitAs(Number(func(_ *Call, d limiter.Decision) int64 {
				if d.Remaining < d.Limit/10 {
					return d.Limit/2 + 1
				}
				return d.Limit
			}))),
	),
	faults(breaks("RATE-16"), may("RATE-3", "RATE-5", "RATE-8", "RATE-9"), needs(Ban))(
		fault("ban-for-ever", "A key that was banned is never accepted again.",
			ban(func(minute time.Duration) time.Duration { return minute })),
		fault("ban-for-ten-years", "A key that was banned is refused for ten years.",
			ban(func(time.Duration) time.Duration { return 10 * 365 * 24 * time.Hour })),
		fault("ban-for-all-keys", "The ban of one key refuses every key.", func(b *Behaviour) {
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
		}, breaks("RATE-10"), may("RATE-7")),
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
