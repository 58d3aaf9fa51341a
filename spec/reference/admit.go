package reference

import (
	"net/http"
	"strconv"
	"time"

	"petconform/spec/reference/limiter"
)

// spend counts the request against the allowance of its key, and refuses it when there is none left.
func (b *behaviour) spend(c *call) *refusal {
	c.decision = b.take(c)
	if c.decision.Allowed {
		return nil
	}
	return &refusal{status: http.StatusTooManyRequests, code: "rate_limited",
		message: "The plan's limit is reached. Retry after the time given in Retry-After."}
}

// rateHeaders say a decision in headers. An empty text leaves the header out.
type rateHeaders struct {
	limit, remaining, reset, retryAfter func(*call, limiter.Decision) string
}

func (b *behaviour) plainRateHeaders() rateHeaders {
	return rateHeaders{
		limit:     func(_ *call, d limiter.Decision) string { return strconv.FormatInt(d.Limit, 10) },
		remaining: func(_ *call, d limiter.Decision) string { return strconv.FormatInt(d.Remaining, 10) },
		reset:     func(_ *call, d limiter.Decision) string { return strconv.FormatInt(unixUp(d.Reset.Add(b.skew)), 10) },
		retryAfter: func(_ *call, d limiter.Decision) string {
			return strconv.FormatInt(secondsUp(d.RetryAfter), 10)
		},
	}
}

// unixUp and secondsUp round up: a client that waits for a rounded-down time comes too early.
func unixUp(t time.Time) int64 {
	if t.Nanosecond() > 0 {
		return t.Unix() + 1
	}
	return t.Unix()
}

func secondsUp(d time.Duration) int64 { return int64((d + time.Second - 1) / time.Second) }

// The names of the headers in the form that net/http keeps them in.
const (
	limitHeader     = "X-Ratelimit-Limit"
	remainingHeader = "X-Ratelimit-Remaining"
	resetHeader     = "X-Ratelimit-Reset"
)

// finish sets what every answer carries, whatever became of the request.
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

// setHeader sets a header whose name is in net/http's form already.
func (c *call) setHeader(name, value string) {
	if value != "" {
		c.header[name] = []string{value}
	}
}
