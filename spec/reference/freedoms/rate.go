package freedoms

import (
	"net/http"
	"strings"
	"time"

	"petconform/spec"
	. "petconform/spec/reference/internal/behaviour"
	"petconform/spec/reference/limiter"
)

func kindOf(k limiter.Kind) Change {
	return Counting(func(o *limiter.Options) { o.Kind = k })
}

// withoutKey changes what the headers say on an answer without a valid key.
func withoutKey(decide func(c *Call) Decision) Change {
	return Before(func(c *Call) {
		if !Keyed(c) {
			c.Decision = decide(c)
		}
	})
}

// nothingLeft shows the Free plan's limit, of which nothing is left.
func nothingLeft(c *Call) Decision {
	return Decision{Limit: spec.Free.PerMinute, Reset: c.Now.Add(c.Service.Options.Minute)}
}

// skewed sets the service's clock ahead, in Date too.
func skewed(by time.Duration) Change {
	return Together(func(b *Behaviour) {
		now := b.Now
		b.Now = func() time.Time { return now().Add(by) }
	}, Always.Then(Making("Date", dateOf)))
}

func dateOf(c *Call) string { return c.Now.UTC().Format(http.TimeFormat) }

// dated is Retry-After as an HTTP date.
func dated(c *Call, d Decision) string {
	return time.Unix(UnixUp(c.Now.Add(d.RetryAfter)), 0).UTC().Format(http.TimeFormat)
}

func rateRows(t *table) {
	t.part("limiter", "RATE-18")
	t.variant("limiter-fixed-clock", "Requests are counted in windows on the clock.", kindOf(limiter.FixedClock))
	t.variant("limiter-sliding-log", "Requests are counted in the trailing window.", kindOf(limiter.SlidingLog))
	t.variant("limiter-sliding-counter", "The trailing window is estimated from two windows on the clock.",
		kindOf(limiter.SlidingCounter))
	t.variant("limiter-token-bucket", "Requests take tokens from a bucket that refills evenly.",
		kindOf(limiter.TokenBucket))
	t.variant("limiter-stepped-bucket", "Requests take tokens from a bucket that a timer refills in steps.",
		kindOf(limiter.SteppedBucket))
	t.variant("limiter-sliding-parts", "Requests are counted in tenths of the trailing window, which leave it as a whole.",
		kindOf(limiter.SlidingParts))
	t.part("figure of headers", "RATE-18")
	t.variant("headers-of-the-day", "The headers show the day's limit until a request is refused.",
		Counting(func(o *limiter.Options) { o.Report = limiter.OfDay }))
	t.variant("headers-of-the-minute", "The headers show the minute's limit, even if less is left of the day's.",
		Counting(func(o *limiter.Options) { o.Report = limiter.OfMinute }))
	t.part("refused requests", "RATE-18")
	t.variant("refused-requests-counted", "A refused request is counted too.",
		Counting(func(o *limiter.Options) { o.CountRefused = true }))
	t.part("ban", "RATE-20")
	t.variant("ban-after-five", "Five refused requests in a row ban the key for two minutes.",
		Counting(func(o *limiter.Options) { o.BanAfter, o.BanFor = BanAfter, 2*o.Minute }))
	t.part("Retry-After", "RFC 9110, section 10.2.3: Retry-After may be a date")
	t.variant("retry-after-date", "Retry-After is an HTTP date.", Figure(RetryAfterHeader, dated))
	t.part("Remaining", "Limits: Enterprise has custom figures")
	t.variant("remaining-in-thousands",
		"On an Enterprise plan of more than 3,000 requests a minute, Remaining is rounded down to thousands.",
		Figure(RemainingHeader, func(c *Call, d Decision) string {
			if c.Account != nil && c.Account.Plan.PerMinute > 3_000 {
				d.Remaining -= d.Remaining % 1000
			}
			return Whole(d.Remaining)
		}))
	t.part("others' requests", "Authentication: a key may have other users")
	third := Every(3)
	t.variant("others-use-the-key", "Another user sends a request with the same key beside every third one.",
		Decided(func(c *Call, take Take) Decision {
			if third(c) {
				take()
			}
			return take()
		}))
	t.part("scheme", "AUTH-8")
	t.variant("scheme-in-one-case", "The scheme bearer in lower case is answered 401.", Before(func(c *Call) {
		if !strings.HasPrefix(c.Request.Header.Get("Authorization"), "Bearer ") {
			c.Request.Header.Del("Authorization")
		}
	}))
	t.part("challenge", "RFC 6750, section 3")
	t.variant("challenge-with-details", "The WWW-Authenticate of a 401 has an error code and a description.",
		Always.Of(401).Then(Header("Www-Authenticate",
			`Bearer realm="pets", error="invalid_token", error_description="no such key"`)))
	t.part("clock", "Whose clock a timestamp is read from is not shown; Date tells it")
	t.variant("clock-ahead", "The service's clock is 90 seconds ahead, in Date too.", skewed(90*time.Second))
	t.variant("clock-behind", "The service's clock is 90 seconds behind, in Date too.", skewed(-90*time.Second))
	t.part("headers without a key", "RATE-19")
	t.variant("nothing-without-key", "Without a valid key Remaining is 0.", withoutKey(nothingLeft))
	t.variant("flood-without-key-limited",
		"After 60 requests a minute without a valid key, such requests are answered 429.",
		withoutKey(func(c *Call) Decision { return c.Service.Nobody.Take(c.Now) }),
		Always.Of(401).And(func(c *Call) bool { return !c.Decision.Allowed }).Then(Lacking("Www-Authenticate"),
			func(c *Call, a *Answer) {
				*a = c.Service.Refuse(c, Refused(429, "rate_limited", "Too many requests without a valid key."))
			}))
}
