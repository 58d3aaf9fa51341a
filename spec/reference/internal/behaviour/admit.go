package behaviour

import (
	"net/http"
	"time"

	"petconform/spec/reference/limiter"
)

// spend counts the request against the allowance of its key, and refuses it if the allowance is spent.
func (b *Behaviour) spend(c *Call) *Refusal {
	c.Decision = b.Take(c)
	if c.Decision.Allowed {
		return nil
	}
	return Refused(http.StatusTooManyRequests, "rate_limited", "The plan's limit is reached. Retry after the time given in Retry-After.")
}

// rateHeaders write a decision as headers. An empty text leaves the header out.
type rateHeaders struct{ Limit, Remaining, Reset, RetryAfter HeaderText }

// HeaderText writes one of the headers.
type HeaderText = func(*Call, limiter.Decision) string

// Number writes a whole number.
func Number(n func(c *Call, d limiter.Decision) int64) HeaderText {
	return func(c *Call, d limiter.Decision) string { return Whole(n(c, d)) }
}

func (b *Behaviour) plainRateHeaders() rateHeaders {
	return rateHeaders{
		Limit:      Number(func(_ *Call, d limiter.Decision) int64 { return d.Limit }),
		Remaining:  Number(func(_ *Call, d limiter.Decision) int64 { return d.Remaining }),
		Reset:      Number(func(_ *Call, d limiter.Decision) int64 { return UnixUp(d.Reset.Add(b.Skew)) }),
		RetryAfter: Number(func(_ *Call, d limiter.Decision) int64 { return SecondsUp(d.RetryAfter) }),
	}
}

// UnixUp and secondsUp round up: a client that waits for a time rounded down comes too early.
func UnixUp(t time.Time) int64 {
	if t.Nanosecond() > 0 {
		return t.Unix() + 1
	}
	return t.Unix()
}

func SecondsUp(d time.Duration) int64 { return int64((d + time.Second - 1) / time.Second) }

// The names of the headers in the form of net/http.
const (
	LimitHeader     = "X-Ratelimit-Limit"
	RemainingHeader = "X-Ratelimit-Remaining"
	ResetHeader     = "X-Ratelimit-Reset"
)

// finish sets the headers that every answer has.
func (b *Behaviour) finish(c *Call, a Answer) Answer {
	if c.Decision == (limiter.Decision{}) {
		c.Decision = b.Anonymous(c)
	}
	c.SetHeader(LimitHeader, b.Rate.Limit(c, c.Decision))
	c.SetHeader(RemainingHeader, b.Rate.Remaining(c, c.Decision))
	c.SetHeader(ResetHeader, b.Rate.Reset(c, c.Decision))
	if a.Status == http.StatusTooManyRequests {
		c.SetHeader("Retry-After", b.Rate.RetryAfter(c, c.Decision))
	}
	return a
}

// SetHeader sets a header whose name is in the form of net/http. An empty value sets nothing.
func (c *Call) SetHeader(name, value string) {
	if value != "" {
		c.Header[name] = []string{value}
	}
}
