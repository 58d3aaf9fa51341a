package reference

import (
	"net/http"
	"time"

	"petconform/spec/reference/limiter"
)

// spend counts the request against the allowance of its key, and refuses it if the allowance is spent.
func (b *behaviour) spend(c *call) *refusal {
	c.decision = b.take(c)
	if c.decision.Allowed {
		return nil
	}
	return &refusal{status: http.StatusTooManyRequests, code: "rate_limited",
		message: "The plan's limit is reached. Retry after the time given in Retry-After."}
}

// rateHeaders write a decision as headers. An empty text leaves the header out.
type rateHeaders struct{ limit, remaining, reset, retryAfter headerText }

// headerText writes one of the headers.
type headerText = func(*call, limiter.Decision) string

// number writes a whole number.
func number(n func(c *call, d limiter.Decision) int64) headerText {
	return func(c *call, d limiter.Decision) string { return whole(n(c, d)) }
}

func (b *behaviour) plainRateHeaders() rateHeaders {
	return rateHeaders{
		limit:      number(func(_ *call, d limiter.Decision) int64 { return d.Limit }),
		remaining:  number(func(_ *call, d limiter.Decision) int64 { return d.Remaining }),
		reset:      number(func(_ *call, d limiter.Decision) int64 { return unixUp(d.Reset.Add(b.skew)) }),
		retryAfter: number(func(_ *call, d limiter.Decision) int64 { return secondsUp(d.RetryAfter) }),
	}
}

// unixUp and secondsUp round up: a client that waits for a time rounded down comes too early.
func unixUp(t time.Time) int64 {
	if t.Nanosecond() > 0 {
		return t.Unix() + 1
	}
	return t.Unix()
}

func secondsUp(d time.Duration) int64 { return int64((d + time.Second - 1) / time.Second) }

// The names of the headers in the form of net/http.
const (
	limitHeader     = "X-Ratelimit-Limit"
	remainingHeader = "X-Ratelimit-Remaining"
	resetHeader     = "X-Ratelimit-Reset"
)

// finish sets the headers that every answer has.
func (b *behaviour) finish(c *call, a answer) answer {
	if c.decision == (limiter.Decision{}) {
		c.decision = b.anonymous(c)
	}
	c.setHeader(limitHeader, b.rate.limit(c, c.decision))
	c.setHeader(remainingHeader, b.rate.remaining(c, c.decision))
	c.setHeader(resetHeader, b.rate.reset(c, c.decision))
	if a.status == http.StatusTooManyRequests {
		c.setHeader("Retry-After", b.rate.retryAfter(c, c.decision))
	}
	return a
}

// setHeader sets a header whose name is in the form of net/http. An empty value sets nothing.
func (c *call) setHeader(name, value string) {
	if value != "" {
		c.header[name] = []string{value}
	}
}
