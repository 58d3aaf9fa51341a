package reference

import (
	"net/http"
	"slices"
	"time"

	"petconform/spec/reference/limiter"
)

// retryAfter writes Retry-After.
func retryAfter(write headerText) func(*behaviour) {
	return func(b *behaviour) { b.rate.retryAfter = write }
}

func retryAfterAt(t func(c *call, d limiter.Decision) time.Time, layout string) func(*behaviour) {
	return retryAfter(func(c *call, d limiter.Decision) string { return t(c, d).UTC().Format(layout) })
}

// waiting writes Retry-After as a number of seconds that is made from the right wait.
func waiting(change func(d time.Duration) int64) func(*behaviour) {
	return retryAfter(number(func(_ *call, d limiter.Decision) int64 { return change(d.RetryAfter) }))
}

// remaining writes X-RateLimit-Remaining as a number that is made from the decision.
func remaining(change func(d limiter.Decision) int64) func(*behaviour) {
	return remainingAs(number(func(_ *call, d limiter.Decision) int64 { return change(d) }))
}

// afterRefusal writes X-RateLimit-Remaining of accepted requests, once a request of the key was refused.
func afterRefusal(change func(left, used int64) int64) func(*behaviour) {
	return judged(func(_ *behaviour, _ *call, refused *bool, d limiter.Decision) limiter.Decision {
		if *refused = *refused || !d.Allowed; *refused && d.Allowed {
			d.Remaining = change(d.Remaining, d.Limit-d.Remaining)
		}
		return d
	})
}

var limitToldDeviations = slices.Concat(
	table(Deviation{Breaks: ids("RATE-5"), May: ids("RATE-8"), Needs: Load}, []Deviation{
		{Name: "retry-after-missing", Suffers: "A client must guess how long to wait.", apply: retryAfter(fixedText(""))},
		{Name: "retry-after-word", Suffers: "A client that expects a number or a date reads a word.", apply: retryAfter(fixedText("soon"))},
		{Name: "retry-after-fraction", Suffers: "A client that parses an integer fails.", apply: retryAfter(func(_ *call, d limiter.Decision) string {
			return whole(int64(d.RetryAfter/time.Second)) + ".75"
		})},
		{Name: "retry-after-negative", Suffers: "A client computes a time in the past.", apply: retryAfter(fixedText("-1"))},
		{Name: "retry-after-iso", Suffers: "A client that expects an HTTP date reads an ISO date.",
			apply: retryAfterAt(func(c *call, d limiter.Decision) time.Time { return c.now.Add(d.RetryAfter) }, time.RFC3339)},
	}),
	table(Deviation{Breaks: ids("RATE-8"), Needs: Load}, []Deviation{
		{Name: "retry-after-0", Suffers: "Clients come back at once and risk a ban.", apply: waiting(func(time.Duration) int64 { return 0 })},
		{Name: "retry-after-1", Suffers: "Clients come back every second and risk a ban.", apply: waiting(func(time.Duration) int64 { return 1 })},
		{Name: "retry-after-half", Suffers: "A client that waits as told is refused again.", apply: waiting(func(d time.Duration) int64 { return int64(d / time.Second / 2) })},
		{Name: "retry-after-rounded-down", Suffers: "A client that waits as told comes up to a second too early.", apply: waiting(func(d time.Duration) int64 { return int64(d / time.Second) })},
		{Name: "retry-after-past", Suffers: "Retry-After is a date in the past.",
			apply: retryAfterAt(func(c *call, _ limiter.Decision) time.Time { return c.now.Add(-time.Hour) }, http.TimeFormat)},
		{Name: "refused-for-ever", Breaks: ids("RATE-8", "RATE-9"), May: ids("RATE-7", "RATE-14", "RATE-16"), Suffers: "After its first refusal a key is refused for ever.",
			apply: judged(func(_ *behaviour, c *call, refused *bool, d limiter.Decision) limiter.Decision {
				if *refused = *refused || !d.Allowed; *refused {
					d = refusedFor(time.Second, c, d)
				}
				return d
			})},
		{Name: "refused-once-more", May: ids("RATE-7", "RATE-9", "RATE-14", "RATE-15"), Suffers: "The first request after the wait is refused too.",
			apply: judged(func(_ *behaviour, c *call, refused *bool, d limiter.Decision) limiter.Decision {
				again := d.Allowed && *refused
				if *refused = !d.Allowed; again {
					d = refusedFor(time.Second, c, d)
				}
				return d
			})},
	}),
	table(Deviation{Breaks: ids("RATE-9"), Needs: Load}, []Deviation{
		{Name: "reset-too-early", May: ids("RATE-3", "RATE-15"), Suffers: "A client that comes back at Reset is refused.", apply: func(b *behaviour) {
			b.rate.reset = number(func(c *call, d limiter.Decision) int64 {
				if d.Allowed {
					return unixUp(d.Reset)
				}
				return unixUp(c.now.Add(d.Reset.Sub(c.now) / 3))
			})
		}},
		{Name: "reset-a-window-from-now", Suffers: "Reset moves with each request; a client that waits for it loses up to a window.", apply: func(b *behaviour) {
			b.rate.reset = number(func(c *call, _ limiter.Decision) int64 { return unixUp(c.now.Add(b.options.Minute)) })
		}},
		{Name: "reset-at-once", May: ids("RATE-15"), Suffers: "Reset is always the next second.", apply: func(b *behaviour) {
			b.rate.reset = number(func(c *call, _ limiter.Decision) int64 { return c.now.Unix() + 1 })
		}},
	}),
	table(Deviation{Breaks: ids("RATE-15"), Needs: Load}, []Deviation{
		{Name: "remaining-one-too-many", Suffers: "A client is refused although Remaining was 1.", apply: remaining(func(d limiter.Decision) int64 { return min(d.Remaining+1, d.Limit) })},
		{Name: "remaining-one-too-few", Suffers: "A client stops while one request is left.", apply: remaining(func(d limiter.Decision) int64 { return max(d.Remaining-1, 0) })},
		{Name: "remaining-falls-by-two", Suffers: "A client slows down at half of its plan.", apply: remaining(func(d limiter.Decision) int64 { return max(d.Limit-2*(d.Limit-d.Remaining), 0) })},
		{Name: "remaining-falls-by-half", Suffers: "A client expects twice its plan.", apply: remaining(func(d limiter.Decision) int64 { return d.Limit - (d.Limit-d.Remaining)/2 })},
		{Name: "remaining-not-0-when-refused", Suffers: "A 429 says that requests are left.", apply: remaining(func(d limiter.Decision) int64 {
			if !d.Allowed {
				return min(d.Limit, 7)
			}
			return d.Remaining
		})},
		{Name: "remaining-counts-up", May: ids("RATE-4"), Suffers: "After the first 429 Remaining counts the requests of the window, 1, 2, 3, not those that are left.",
			apply: afterRefusal(func(_, used int64) int64 { return used })},
		{Name: "remaining-creeps-back", May: ids("RATE-4"), Suffers: "After the first 429 Remaining begins at 1, although the window was reset, and rises with each request.",
			apply: afterRefusal(func(left, used int64) int64 { return min(left, used) })},
		{Name: "limit-of-another-plan", Suffers: "Limit is that of a larger plan.", apply: limitAs(number(func(_ *call, d limiter.Decision) int64 { return 5 * d.Limit }))},
		{Name: "limit-changes", Suffers: "Limit falls to half when a tenth of the plan is left.", apply: limitAs(number(func(_ *call, d limiter.Decision) int64 {
			if d.Remaining < d.Limit/10 {
				return d.Limit/2 + 1
			}
			return d.Limit
		}))},
	}),
	table(Deviation{Breaks: ids("RATE-16"), May: ids("RATE-3", "RATE-5", "RATE-8", "RATE-9"), Needs: Ban}, []Deviation{
		{Name: "ban-for-ever", Suffers: "A key that was banned is never accepted again.", apply: ban(func(minute time.Duration) time.Duration { return minute })},
		{Name: "ban-for-ten-years", Suffers: "A key that was banned is refused for ten years.", apply: ban(func(time.Duration) time.Duration { return 10 * 365 * 24 * time.Hour })},
		{Name: "ban-for-all-keys", Breaks: ids("RATE-10"), May: ids("RATE-7"), Suffers: "The ban of one key refuses every key.", apply: func(b *behaviour) {
			var until time.Time
			judged(func(b *behaviour, c *call, refused *streak, d limiter.Decision) limiter.Decision {
				if refused.count(d) >= banAfter {
					until = c.now.Add(2 * b.options.Minute)
				}
				if until.After(c.now) {
					d = refusedFor(until.Sub(c.now), c, d)
				}
				return d
			})(b)
		}},
	}),
)

// banAfter is how many refusals in a row lead to a ban.
const banAfter = 5

// ban refuses a key for ever after banAfter refusals in a row. Retry-After says wait.
func ban(wait func(minute time.Duration) time.Duration) func(*behaviour) {
	type key struct {
		refused streak
		banned  bool
	}
	return judged(func(b *behaviour, c *call, k *key, d limiter.Decision) limiter.Decision {
		if k.banned = k.refused.count(d) >= banAfter || k.banned; k.banned {
			d = refusedFor(wait(b.options.Minute), c, d)
			d.Reset = c.now.Add(min(d.RetryAfter, b.options.Day))
		}
		return d
	})
}
