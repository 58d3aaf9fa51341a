package exchange

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"petconform/spec"
)

// Allowance has the values of the three rate-limit headers of a response (Limits / Rate limits by plan).
type Allowance struct {
	Limit, Remaining int64
	Reset            time.Time
}

// AllowanceOf reads the three headers; ok is false if one is missing or not a whole number.
func AllowanceOf(h http.Header) (a Allowance, ok bool) {
	limit, err1 := WholeNumber(h.Get(spec.HeaderLimit))
	remaining, err2 := WholeNumber(h.Get(spec.HeaderRemaining))
	reset, err3 := WholeNumber(h.Get(spec.HeaderReset))
	if err1 != nil || err2 != nil || err3 != nil {
		return Allowance{}, false
	}
	return Allowance{limit, remaining, time.Unix(reset, 0)}, true
}

// WholeNumber parses a header field of decimal digits with an optional minus sign. Anything else, and a number beyond int64, is
// an error.
func WholeNumber(s string) (int64, error) {
	s = strings.TrimSpace(s)
	if strings.HasPrefix(s, "+") {
		return 0, strconv.ErrSyntax
	}
	return strconv.ParseInt(s, 10, 64)
}

// RetryAfter returns the wait that a Retry-After header asks for, in seconds or as an HTTP date. The wait until a date counts from
// the response's Date header if there is one, so clock skew does not matter. The wait is never negative.
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

// ServerTime returns the time in the Date header, or received if there is no valid one.
func ServerTime(h http.Header, received time.Time) time.Time {
	if date, err := http.ParseTime(h.Get("Date")); err == nil {
		return date
	}
	return received
}
