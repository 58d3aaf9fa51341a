package freedoms

import (
	"net/http"
	"slices"
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
func withoutKey(decide func(b *Behaviour, c *Call) limiter.Decision) Change {
	return func(b *Behaviour) { b.Anonymous = func(c *Call) limiter.Decision { return decide(b, c) } }
}

// skewed sets the service's clock ahead, in Date too.
func skewed(by time.Duration) Change {
	return func(b *Behaviour) {
		b.Skew = by
		Always.Then(func(c *Call, _ *Answer) { c.SetHeader("Date", c.Now.Add(by).UTC().Format(http.TimeFormat)) })(b)
	}
}

var rateRows = slices.Concat(
	variants(open("RATE-18"), part("limiter"))(
		variant("limiter-fixed-clock", "Requests are counted in windows on the clock.", kindOf(limiter.FixedClock)),
		variant("limiter-sliding-log", "Requests are counted in the trailing window.", kindOf(limiter.SlidingLog)),
		variant("limiter-sliding-counter", "The trailing window is estimated from two windows on the clock.",
			kindOf(limiter.SlidingCounter)),
		variant("limiter-token-bucket", "Requests take tokens from a bucket that refills evenly.",
			kindOf(limiter.TokenBucket)),
		variant("limiter-gcra", "Requests are spaced by the generic cell rate algorithm.", kindOf(limiter.GCRA)),
		variant("limiter-stepped-bucket", "Requests take tokens from a bucket that a timer refills in steps.",
			kindOf(limiter.SteppedBucket)),
		variant("limiter-sliding-parts",
			"Requests are counted in tenths of the trailing window, which leave it as a whole.",
			kindOf(limiter.SlidingParts)),
		variant("headers-of-the-day", "The headers show the day's limit until a request is refused.",
			Counting(func(o *limiter.Options) { o.Report = limiter.OfDay }), part("figure of headers")),
		variant("headers-of-the-minute", "The headers show the minute's limit, even if less is left of the day's.",
			Counting(func(o *limiter.Options) { o.Report = limiter.OfMinute }), part("figure of headers")),
		variant("refused-requests-counted", "A refused request is counted too.",
			Counting(func(o *limiter.Options) { o.CountRefused = true }), part("refused requests")),
		variant("ban-after-five", "Five refused requests in a row ban the key for two minutes.",
			Counting(func(o *limiter.Options) { o.BanAfter, o.BanFor = BanAfter, 2*o.Minute }),
			open("RATE-20"), part("ban")),
		variant("retry-after-date", "Retry-After is an HTTP date.",
			retryDated, open("RFC 9110, section 10.2.3: Retry-After may be a date"), part("Retry-After")),
		variant("remaining-in-thousands",
			"On an Enterprise plan of more than 3,000 requests a minute, Remaining is rounded down to thousands.",
			roundRemaining, open("Limits: Enterprise has custom figures"), part("Remaining")),
		variant("others-use-the-key", "Another user sends a request with the same key beside every third one.",
			func(b *Behaviour) {
				third, take := Every(3), b.Take
				b.Take = func(c *Call) limiter.Decision {
					if third(c, nil) {
						take(c)
					}
					return take(c)
				}
			}, open("Authentication: a key may have other users"), part("others' requests")),
		variant("scheme-in-one-case", "The scheme bearer in lower case is answered 401.", func(b *Behaviour) {
			read := b.Credential
			b.Credential = func(r *http.Request) (string, *Refusal) {
				if !strings.HasPrefix(r.Header.Get("Authorization"), "Bearer ") {
					return "", Unauthorized(SchemeWanted)
				}
				return read(r)
			}
		}, open("AUTH-8"), part("scheme")),
		variant("challenge-with-details", "The WWW-Authenticate of a 401 has an error code and a description.",
			Having(401).Then(func(c *Call, _ *Answer) {
				c.Header["Www-Authenticate"] = []string{`Bearer realm="pets", error="invalid_token", error_description="no such key"`}
			}),
			open("RFC 6750, section 3"), part("challenge")),
	),
	variants(open("Whose clock a timestamp is read from is not shown; Date tells it"), part("clock"))(
		variant("clock-ahead", "The service's clock is 90 seconds ahead, in Date too.", skewed(90*time.Second)),
		variant("clock-behind", "The service's clock is 90 seconds behind, in Date too.", skewed(-90*time.Second)),
	),
	variants(open("RATE-19"), part("headers without a key"))(
		variant("nothing-without-key", "Without a valid key Remaining is 0.",
			withoutKey(func(b *Behaviour, c *Call) limiter.Decision {
				return limiter.Decision{Limit: spec.Free.PerMinute, Reset: c.Now.Add(b.Options.Minute)}
			})),
		variant("limit-0-without-key", "Without a valid key Limit and Remaining are 0.",
			withoutKey(func(b *Behaviour, c *Call) limiter.Decision {
				return limiter.Decision{Reset: c.Now.Add(b.Options.Minute)}
			})),
		variant("counted-without-key",
			"Requests without a valid key are counted together, and never get more than a 401.",
			withoutKey(func(_ *Behaviour, c *Call) limiter.Decision { return c.Service.Nobody.Take(c.Now) })),
		variant("flood-without-key-limited",
			"After 60 requests a minute without a valid key, such requests are answered 429.",
			limitFlood),
	),
)

// retryDate is Retry-After as an HTTP date.
func retryDated(b *Behaviour) {
	b.Rate.RetryAfter = func(c *Call, d limiter.Decision) string { return retryDate(b, c, d) }
}

func retryDate(b *Behaviour, c *Call, d limiter.Decision) string {
	at := time.Unix(UnixUp(c.Now.Add(d.RetryAfter)), 0).Add(b.Skew)
	return at.UTC().Format(http.TimeFormat)
}

func roundRemaining(b *Behaviour) {
	exact := b.Rate.Remaining
	b.Rate.Remaining = func(c *Call, d limiter.Decision) string {
		if c.Account == nil || c.Account.Plan.PerMinute <= 3_000 {
			return exact(c, d)
		}
		return Whole(d.Remaining / 1000 * 1000)
	}
}

// limitFlood answers 429 in place of 401 when the allowance for requests without a valid key is spent.
var limitFlood = Unauthenticated(func(_ *Behaviour, c *Call, refused *Refusal) *Refusal {
	if c.Decision = c.Service.Nobody.Take(c.Now); c.Decision.Allowed {
		return refused
	}
	return Refused(429, "rate_limited", "Too many requests without a valid key.")
})
