package reference

import (
	"net/http"
	"slices"
	"time"

	"petconform/spec"
	"petconform/spec/reference/limiter"
)

// told makes a deviation that writes Retry-After otherwise.
func told(name string, breaks spec.ID, suffers string, write text, may ...spec.ID) Deviation {
	return underLoad(name, ids(breaks), suffers, func(b *behaviour) { b.rate.retryAfter = write }, may...)
}

func waiting(change func(d time.Duration) int64) text {
	return func(_ *call, d limiter.Decision) string { return whole(change(d.RetryAfter)) }
}

var limitToldDeviations = slices.Concat(retryAfterDeviations, headerTruthDeviations, recoveryDeviations)

// RATE-5 and RATE-8: Retry-After is there, and whoever waits for it gets through.
var retryAfterDeviations = []Deviation{
	told("retry-after-missing", "RATE-5", "A client has to guess how long to wait.", fixedText(""), "RATE-8"),
	told("retry-after-word", "RATE-5", "A client cannot read how long to wait.", fixedText("soon"), "RATE-8"),
	told("retry-after-fraction", "RATE-5", "A client that parses an integer fails.", func(_ *call, d limiter.Decision) string {
		return whole(int64(d.RetryAfter/time.Second)) + ".75"
	}, "RATE-8"),
	told("retry-after-negative", "RATE-5", "A client that subtracts ends in the past.", fixedText("-1"), "RATE-8"),
	told("retry-after-with-unit", "RATE-5", "A client that parses an integer fails.", func(_ *call, d limiter.Decision) string {
		return whole(secondsUp(d.RetryAfter)) + "s"
	}, "RATE-8"),
	told("retry-after-iso", "RATE-5", "The date has another form than HTTP's.", func(c *call, d limiter.Decision) string {
		return c.now.Add(d.RetryAfter).UTC().Format(time.RFC3339)
	}, "RATE-8"),
	told("retry-after-0", "RATE-8", "Clients come back at once, and earn a ban.", waiting(func(time.Duration) int64 { return 0 })),
	told("retry-after-1", "RATE-8", "Clients come back every second, and earn a ban.", waiting(func(time.Duration) int64 { return 1 })),
	told("retry-after-half", "RATE-8", "Whoever waits as told is refused again.", waiting(func(d time.Duration) int64 { return int64(d / time.Second / 2) })),
	told("retry-after-rounded-down", "RATE-8", "Whoever waits as told comes a moment too early.", waiting(func(d time.Duration) int64 { return int64(d / time.Second) })),
	told("retry-after-past", "RATE-8", "The date is that of the last window.", func(c *call, _ limiter.Decision) string {
		return c.now.Add(-time.Hour).UTC().Format(http.TimeFormat)
	}),
}

// RATE-9 and RATE-15: the three headers tell the truth.
var headerTruthDeviations = []Deviation{
	underLoad("reset-too-early", ids("RATE-9"), "Whoever comes back at Reset is refused.", func(b *behaviour) {
		b.rate.reset = func(c *call, d limiter.Decision) string {
			if d.Allowed {
				return whole(unixUp(d.Reset))
			}
			return whole(unixUp(c.now.Add(d.Reset.Sub(c.now) / 3)))
		}
	}, "RATE-3", "RATE-15"),
	underLoad("reset-at-once", ids("RATE-9"), "Reset is the next second, always.", func(b *behaviour) {
		b.rate.reset = func(c *call, _ limiter.Decision) string { return whole(c.now.Unix() + 1) }
	}, "RATE-15"),
	underLoad("remaining-one-too-many", ids("RATE-15"), "A client trusts the last request, which is refused.", func(b *behaviour) {
		b.rate.remaining = func(_ *call, d limiter.Decision) string { return whole(min(d.Remaining+1, d.Limit)) }
	}),
	underLoad("remaining-one-too-few", ids("RATE-15"), "A client stops while one request is left.", func(b *behaviour) {
		b.rate.remaining = func(_ *call, d limiter.Decision) string { return whole(max(d.Remaining-1, 0)) }
	}),
	underLoad("remaining-falls-by-two", ids("RATE-15"), "A client slows down at half of its plan.", func(b *behaviour) {
		b.rate.remaining = func(_ *call, d limiter.Decision) string { return whole(max(d.Limit-2*(d.Limit-d.Remaining), 0)) }
	}),
	underLoad("remaining-falls-by-half", ids("RATE-15"), "A client believes that it has twice its plan.", func(b *behaviour) {
		b.rate.remaining = func(_ *call, d limiter.Decision) string { return whole(d.Limit - (d.Limit-d.Remaining)/2) }
	}),
	underLoad("remaining-not-0-when-refused", ids("RATE-15"), "A refused client reads that something is left.", func(b *behaviour) {
		b.rate.remaining = func(_ *call, d limiter.Decision) string {
			if !d.Allowed {
				return whole(min(d.Limit, 7))
			}
			return whole(d.Remaining)
		}
	}),
	underLoad("limit-of-another-plan", ids("RATE-15"), "The header speaks of a larger plan than the key has.", func(b *behaviour) {
		b.rate.limit = func(_ *call, d limiter.Decision) string { return whole(5 * d.Limit) }
	}),
	underLoad("limit-changes", ids("RATE-15"), "The header speaks of another plan once it is nearly spent.", func(b *behaviour) {
		b.rate.limit = func(_ *call, d limiter.Decision) string {
			if d.Remaining < d.Limit/10 {
				return whole(d.Limit/2 + 1)
			}
			return whole(d.Limit)
		}
	}),
}

// RATE-8, RATE-9 and RATE-16: what is refused comes back.
var recoveryDeviations = []Deviation{
	underLoad("refused-for-ever", ids("RATE-8", "RATE-9"), "The first refusal is the last answer that the key ever gets.", func(b *behaviour) {
		shut := map[*account]bool{}
		b.judge(func(c *call, d limiter.Decision) limiter.Decision {
			if !d.Allowed {
				shut[c.account] = true
			}
			if shut[c.account] {
				d.Allowed, d.Remaining, d.RetryAfter = false, 0, time.Second
				d.Reset = c.now.Add(time.Second)
			}
			return d
		})
	}, "RATE-7", "RATE-14", "RATE-16"),
	underLoad("refused-once-more", ids("RATE-8"), "The first request after the wait is refused too, the second is not.", func(b *behaviour) {
		owed := map[*account]bool{}
		b.judge(func(c *call, d limiter.Decision) limiter.Decision {
			again := d.Allowed && owed[c.account]
			owed[c.account] = !d.Allowed
			if again {
				d.Allowed, d.Remaining, d.RetryAfter = false, 0, time.Second
				d.Reset = c.now.Add(time.Second)
			}
			return d
		})
	}, "RATE-7", "RATE-9", "RATE-14", "RATE-15"),
	banned("ban-for-ever", "A key that was too eager once is never let in again.", func(minute time.Duration) time.Duration { return minute }),
	banned("ban-for-ten-years", "The ban outlives the service.", func(time.Duration) time.Duration { return 10 * 365 * 24 * time.Hour }),
	{
		Name: "ban-for-all-keys", Breaks: ids("RATE-10"), May: ids("RATE-7"), Needs: Ban,
		Suffers: "One eager client shuts out everybody.",
		apply: func(b *behaviour) {
			streak := streaks()
			var until time.Time
			b.judge(func(c *call, d limiter.Decision) limiter.Decision {
				if streak(c, d) >= banAfter {
					until = c.now.Add(2 * b.options.Minute)
				}
				if until.After(c.now) {
					d.Allowed, d.Remaining, d.RetryAfter, d.Reset = false, 0, until.Sub(c.now), until
				}
				return d
			})
		},
	},
}

// banAfter is how many refusals in a row earn a ban.
const banAfter = 5

// banned makes a deviation that bans a key and never lifts it; wait is what Retry-After says.
func banned(name, suffers string, wait func(minute time.Duration) time.Duration) Deviation {
	return Deviation{
		Name: name, Breaks: ids("RATE-16"), May: ids("RATE-3", "RATE-5", "RATE-8", "RATE-9"), Suffers: suffers, Needs: Ban,
		apply: func(b *behaviour) {
			streak := streaks()
			shut := map[*account]bool{}
			b.judge(func(c *call, d limiter.Decision) limiter.Decision {
				if streak(c, d) >= banAfter {
					shut[c.account] = true
				}
				if shut[c.account] {
					d.Allowed, d.Remaining, d.RetryAfter = false, 0, wait(b.options.Minute)
					d.Reset = c.now.Add(min(d.RetryAfter, b.options.Day))
				}
				return d
			})
		},
	}
}
