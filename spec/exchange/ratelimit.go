package exchange

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"petconform/spec"
)

// Allowance is what the three rate-limit headers of a response say (Limits / Rate limits by plan).
type Allowance struct {
	Limit, Remaining int64
	Reset            time.Time
}

// AllowanceOf reads the three headers; ok is false when one is missing or is no whole number.
func AllowanceOf(h http.Header) (a Allowance, ok bool) {
	limit, err1 := WholeNumber(h.Get(spec.HeaderLimit))
	remaining, err2 := WholeNumber(h.Get(spec.HeaderRemaining))
	reset, err3 := WholeNumber(h.Get(spec.HeaderReset))
	if err1 != nil || err2 != nil || err3 != nil {
		return Allowance{}, false
	}
	return Allowance{limit, remaining, time.Unix(reset, 0)}, true
}

// WholeNumber reads a header field of decimal digits with an optional minus sign, as counters are written.
func WholeNumber(s string) (int64, error) {
	s = strings.TrimSpace(s)
	if strings.HasPrefix(s, "+") {
		return 0, strconv.ErrSyntax
	}
	return strconv.ParseInt(s, 10, 64)
}

// RetryAfter reads a Retry-After header: a number of seconds, or an HTTP date, which counts from the response's own Date
// where there is one, so that the clocks need not agree. The wait is never negative.
func RetryAfter(h http.Header, received time.Time) (wait time.Duration, ok bool) {
	field := strings.TrimSpace(h.Get(spec.HeaderRetryAfter))
	if seconds, err := strconv.ParseUint(field, 10, 32); err == nil {
		return time.Duration(seconds) * time.Second, true
	}
	at, err := http.ParseTime(field)
	if err != nil {
		return 0, false
	}
	return max(0, at.Sub(ServerTime(h, received))), true
}

// ServerTime is the response's Date header, or received when it has none that can be read.
func ServerTime(h http.Header, received time.Time) time.Time {
	if date, err := http.ParseTime(h.Get("Date")); err == nil {
		return date
	}
	return received
}
