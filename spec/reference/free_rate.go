package reference

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"petconform/spec"
	"petconform/spec/reference/limiter"
)

// counting makes a freedom that counts requests otherwise.
func counting(name, part, says string, set func(o *limiter.Options)) Freedom {
	return Freedom{
		Name: name, Open: open("RATE-18"), Says: says, Part: part,
		apply: func(b *behaviour) { set(&b.options) },
	}
}

// withoutKey makes a freedom that gives the headers another meaning on answers without a valid key.
func withoutKey(name, says string, decide func(b *behaviour, c *call) limiter.Decision) Freedom {
	return Freedom{
		Name: name, Open: open("RATE-19"), Says: says, Part: "headers without a key",
		apply: func(b *behaviour) { b.anonymous = func(c *call) limiter.Decision { return decide(b, c) } },
	}
}

var rateFreedoms = slices.Concat(limiterFreedoms(), []Freedom{
	counting("headers-of-the-day", "figure of headers", "The headers speak of the day's figure until a request is refused.", func(o *limiter.Options) { o.Report = limiter.OfDay }),
	counting("headers-of-the-minute", "figure of headers", "The headers speak of the minute's figure, also when less is left of the day's.", func(o *limiter.Options) { o.Report = limiter.OfMinute }),
	counting("refused-requests-counted", "refused requests", "A refused request counts too.", func(o *limiter.Options) { o.CountRefused = true }),
	{
		Name: "ban-after-five", Open: open("RATE-20"), Part: "ban",
		Says: "Five refused requests in a row ban the key for two minutes.",
		apply: func(b *behaviour) {
			b.options.BanAfter, b.options.BanFor = banAfter, 2*b.options.Minute
		},
	},
	{
		Name: "retry-after-date", Open: open("RFC 9110, section 10.2.3: Retry-After may be a date"), Part: "Retry-After",
		Says: "Retry-After is an HTTP date.",
		apply: func(b *behaviour) {
			b.rate.retryAfter = func(c *call, d limiter.Decision) string {
				at := time.Unix(unixUp(c.now.Add(d.RetryAfter)), 0).Add(b.skew)
				return at.UTC().Format(http.TimeFormat)
			}
		},
	},
	{
		Name: "remaining-in-thousands", Open: open("Limits: Enterprise has custom figures"), Part: "Remaining",
		Says: "On a plan of more than 3,000 a minute, which only Enterprise can be, Remaining is told in whole thousands.",
		apply: func(b *behaviour) {
			exact := b.rate.remaining
			b.rate.remaining = func(c *call, d limiter.Decision) string {
				if c.account == nil || c.account.plan.PerMinute <= 3_000 {
					return exact(c, d)
				}
				return whole(d.Remaining / 1000 * 1000)
			}
		},
	},
	{
		Name: "others-use-the-key", Open: open("Authentication: a key may have other users"), Part: "others' requests",
		Says: "With every third request somebody else sends one with the same key.",
		apply: func(b *behaviour) {
			third, take := every(3), b.take
			b.take = func(c *call) limiter.Decision {
				if third(c, nil) {
					take(c)
				}
				return take(c)
			}
		},
	},
	skewed("clock-ahead", "The service's clock is 90 seconds ahead, in Date too.", 90*time.Second),
	skewed("clock-behind", "The service's clock is 90 seconds behind, in Date too.", -90*time.Second),
	withoutKey("nothing-without-key", "Without a valid key Remaining is 0.", func(b *behaviour, c *call) limiter.Decision {
		return limiter.Decision{Limit: spec.Free.PerMinute, Reset: c.now.Add(b.options.Minute)}
	}),
	withoutKey("limit-0-without-key", "Without a valid key Limit and Remaining are 0.", func(b *behaviour, c *call) limiter.Decision {
		return limiter.Decision{Reset: c.now.Add(b.options.Minute)}
	}),
	withoutKey("counted-without-key", "Requests without a valid key count by address, and never get more than a 401.", func(_ *behaviour, c *call) limiter.Decision {
		return c.service.nobody.Take(c.now)
	}),
	{
		Name: "flood-without-key-limited", Open: open("RATE-19"), Part: "headers without a key",
		Says: "After 60 requests a minute without a valid key such requests are answered 429.",
		apply: func(b *behaviour) {
			strict := b.authenticate
			b.authenticate = func(c *call) *refusal {
				refused := strict(c)
				if refused == nil {
					return nil
				}
				if c.decision = c.service.nobody.Take(c.now); c.decision.Allowed {
					return refused
				}
				return &refusal{status: http.StatusTooManyRequests, code: "rate_limited", message: "Too many requests without a valid key."}
			}
		},
	},
	{
		Name: "scheme-in-one-case", Open: open("AUTH-8"), Part: "scheme",
		Says: "The scheme is Bearer; bearer in lower case is answered 401.",
		apply: func(b *behaviour) {
			read := b.credential
			b.credential = func(r *http.Request) (string, *refusal) {
				if !strings.HasPrefix(r.Header.Get("Authorization"), "Bearer ") {
					return "", unauthorized(schemeWanted)
				}
				return read(r)
			}
		},
	},
	headed("challenge-with-details", "challenge", "RFC 6750, section 3", "A 401 says more in WWW-Authenticate.", having(http.StatusUnauthorized), func(c *call, _ *answer) {
		c.header["Www-Authenticate"] = []string{`Bearer realm="pets", error="invalid_token", error_description="no such key"`}
	}),
})

func limiterFreedoms() []Freedom {
	says := map[limiter.Kind]string{
		limiter.FixedClock:     "Requests are counted in windows on the clock.",
		limiter.SlidingLog:     "Requests are counted in the trailing window.",
		limiter.SlidingCounter: "The trailing window is estimated from two windows on the clock.",
		limiter.TokenBucket:    "Requests take tokens from a bucket that is refilled evenly.",
		limiter.GCRA:           "Requests are spaced by the generic cell rate algorithm.",
		limiter.SteppedBucket:  "Requests take tokens from a bucket that a timer refills in steps.",
	}
	var all []Freedom
	for _, kind := range append(limiter.Kinds()[1:], limiter.SteppedBucket) {
		all = append(all, counting("limiter-"+string(kind), "limiter", says[kind], func(o *limiter.Options) { o.Kind = kind }))
	}
	return all
}

// skewed makes a freedom with a clock that is off, consistently.
func skewed(name, says string, by time.Duration) Freedom {
	return Freedom{
		Name: name, Open: open("Whose clock a timestamp is read from is not shown; Date tells it"), Says: says, Part: "clock",
		apply: func(b *behaviour) {
			b.skew = by
			b.alter(always, func(c *call, _ *answer) {
				c.setHeader("Date", c.now.Add(by).UTC().Format(http.TimeFormat))
			})
		},
	}
}
