package reference

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"petconform/spec"
	"petconform/spec/reference/limiter"
)

// counting changes how requests are counted.
func counting(set func(o *limiter.Options)) func(*behaviour) {
	return func(b *behaviour) { set(&b.options) }
}

func kindOf(k limiter.Kind) func(*behaviour) {
	return counting(func(o *limiter.Options) { o.Kind = k })
}

// withoutKey changes what the headers say on an answer without a valid key.
func withoutKey(decide func(b *behaviour, c *call) limiter.Decision) func(*behaviour) {
	return func(b *behaviour) { b.anonymous = func(c *call) limiter.Decision { return decide(b, c) } }
}

// skewed sets the service's clock ahead, in Date too.
func skewed(by time.Duration) func(*behaviour) {
	return func(b *behaviour) {
		b.skew = by
		always.then(func(c *call, _ *answer) { c.setHeader("Date", c.now.Add(by).UTC().Format(http.TimeFormat)) })(b)
	}
}

var rateFreedoms = slices.Concat(
	variants(Freedom{Open: open("RATE-18"), Part: "limiter"}, []Freedom{
		{Name: "limiter-fixed-clock", Says: "Requests are counted in windows on the clock.", apply: kindOf(limiter.FixedClock)},
		{Name: "limiter-sliding-log", Says: "Requests are counted in the trailing window.", apply: kindOf(limiter.SlidingLog)},
		{Name: "limiter-sliding-counter", Says: "The trailing window is estimated from two windows on the clock.", apply: kindOf(limiter.SlidingCounter)},
		{Name: "limiter-token-bucket", Says: "Requests take tokens from a bucket that refills evenly.", apply: kindOf(limiter.TokenBucket)},
		{Name: "limiter-gcra", Says: "Requests are spaced by the generic cell rate algorithm.", apply: kindOf(limiter.GCRA)},
		{Name: "limiter-stepped-bucket", Says: "Requests take tokens from a bucket that a timer refills in steps.", apply: kindOf(limiter.SteppedBucket)},
		{Name: "limiter-sliding-parts", Says: "Requests are counted in tenths of the trailing window, which leave it as a whole.", apply: kindOf(limiter.SlidingParts)},
		{Name: "headers-of-the-day", Part: "figure of headers", Says: "The headers show the day's limit until a request is refused.",
			apply: counting(func(o *limiter.Options) { o.Report = limiter.OfDay })},
		{Name: "headers-of-the-minute", Part: "figure of headers", Says: "The headers show the minute's limit, even if less is left of the day's.",
			apply: counting(func(o *limiter.Options) { o.Report = limiter.OfMinute })},
		{Name: "refused-requests-counted", Part: "refused requests", Says: "A refused request is counted too.", apply: counting(func(o *limiter.Options) { o.CountRefused = true })},
		{Name: "ban-after-five", Open: open("RATE-20"), Part: "ban", Says: "Five refused requests in a row ban the key for two minutes.",
			apply: counting(func(o *limiter.Options) { o.BanAfter, o.BanFor = banAfter, 2*o.Minute })},
		{Name: "retry-after-date", Open: open("RFC 9110, section 10.2.3: Retry-After may be a date"), Part: "Retry-After", Says: "Retry-After is an HTTP date.",
			apply: func(b *behaviour) { b.rate.retryAfter = b.retryDate }},
		{Name: "remaining-in-thousands", Open: open("Limits: Enterprise has custom figures"), Part: "Remaining",
			Says: "On an Enterprise plan of more than 3,000 requests a minute, Remaining is rounded down to thousands.", apply: roundRemaining},
		{Name: "others-use-the-key", Open: open("Authentication: a key may have other users"), Part: "others' requests",
			Says: "Another user sends a request with the same key beside every third one.", apply: func(b *behaviour) {
				third, take := every(3), b.take
				b.take = func(c *call) limiter.Decision {
					if third(c, nil) {
						take(c)
					}
					return take(c)
				}
			}},
		{Name: "scheme-in-one-case", Open: open("AUTH-8"), Part: "scheme", Says: "The scheme bearer in lower case is answered 401.", apply: func(b *behaviour) {
			read := b.credential
			b.credential = func(r *http.Request) (string, *refusal) {
				if !strings.HasPrefix(r.Header.Get("Authorization"), "Bearer ") {
					return "", unauthorized(schemeWanted)
				}
				return read(r)
			}
		}},
		{Name: "challenge-with-details", Open: open("RFC 6750, section 3"), Part: "challenge", Says: "The WWW-Authenticate of a 401 has an error code and a description.",
			apply: having(http.StatusUnauthorized).then(func(c *call, _ *answer) {
				c.header["Www-Authenticate"] = []string{`Bearer realm="pets", error="invalid_token", error_description="no such key"`}
			})},
	}),
	variants(Freedom{Open: open("Whose clock a timestamp is read from is not shown; Date tells it"), Part: "clock"}, []Freedom{
		{Name: "clock-ahead", Says: "The service's clock is 90 seconds ahead, in Date too.", apply: skewed(90 * time.Second)},
		{Name: "clock-behind", Says: "The service's clock is 90 seconds behind, in Date too.", apply: skewed(-90 * time.Second)},
	}),
	variants(Freedom{Open: open("RATE-19"), Part: "headers without a key"}, []Freedom{
		{Name: "nothing-without-key", Says: "Without a valid key Remaining is 0.", apply: withoutKey(func(b *behaviour, c *call) limiter.Decision {
			return limiter.Decision{Limit: spec.Free.PerMinute, Reset: c.now.Add(b.options.Minute)}
		})},
		{Name: "limit-0-without-key", Says: "Without a valid key Limit and Remaining are 0.", apply: withoutKey(func(b *behaviour, c *call) limiter.Decision {
			return limiter.Decision{Reset: c.now.Add(b.options.Minute)}
		})},
		{Name: "counted-without-key", Says: "Requests without a valid key are counted together, and never get more than a 401.", apply: withoutKey(func(_ *behaviour, c *call) limiter.Decision {
			return c.service.nobody.Take(c.now)
		})},
		{Name: "flood-without-key-limited", Says: "After 60 requests a minute without a valid key, such requests are answered 429.", apply: limitFlood},
	}),
)

// retryDate is Retry-After as an HTTP date.
func (b *behaviour) retryDate(c *call, d limiter.Decision) string {
	at := time.Unix(unixUp(c.now.Add(d.RetryAfter)), 0).Add(b.skew)
	return at.UTC().Format(http.TimeFormat)
}

func roundRemaining(b *behaviour) {
	exact := b.rate.remaining
	b.rate.remaining = func(c *call, d limiter.Decision) string {
		if c.account == nil || c.account.plan.PerMinute <= 3_000 {
			return exact(c, d)
		}
		return whole(d.Remaining / 1000 * 1000)
	}
}

// limitFlood answers 429 in place of 401 when the allowance for requests without a valid key is spent.
var limitFlood = unauthenticated(func(_ *behaviour, c *call, refused *refusal) *refusal {
	if c.decision = c.service.nobody.Take(c.now); c.decision.Allowed {
		return refused
	}
	return &refusal{status: http.StatusTooManyRequests, code: "rate_limited", message: "Too many requests without a valid key."}
})
