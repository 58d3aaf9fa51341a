package exchange

import (
	"errors"
	"net/http"
	"slices"
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
	limit, hasLimit := Number(h, spec.HeaderLimit)
	remaining, hasRemaining := Number(h, spec.HeaderRemaining)
	reset, hasReset := Number(h, spec.HeaderReset)
	return Allowance{limit, remaining, time.Unix(reset, 0)}, hasLimit && hasRemaining && hasReset
}

// Number returns the whole number in a header: decimal digits, with an optional minus sign. One that was sent several
// times must have the same value each time.
func Number(h http.Header, name string) (int64, bool) {
	values := h.Values(name)
	if len(values) == 0 || slices.ContainsFunc(values, func(v string) bool { return v != values[0] }) {
		return 0, false
	}
	digits := strings.TrimSpace(values[0])
	n, err := strconv.ParseInt(digits, 10, 64)
	return n, err == nil && digits[0] != '+'
}

// LongestWait is the longest wait that a header is read as asking for: 100 years. A longer one is read as this one, so
// that sums of waits and times stay within what time.Duration holds.
const LongestWait = 100 * 365 * 24 * time.Hour

// Seconds returns n seconds, at most LongestWait and at least -LongestWait.
func Seconds(n int64) time.Duration {
	const most = int64(LongestWait / time.Second)
	return time.Duration(max(-most, min(n, most))) * time.Second
}

// RetryAfter returns the wait that a Retry-After header asks for, in seconds or as an HTTP date. The wait until a date
// counts from the response's Date header if there is one, so clock skew does not matter. The wait is never negative,
// and at most LongestWait: RFC 9110, section 10.2.3 gives the seconds no largest value.
func RetryAfter(h http.Header, received time.Time) (wait time.Duration, ok bool) {
	field := strings.TrimSpace(h.Get(spec.HeaderRetryAfter))
	if field == "" { // as in almost every response of a load
		return 0, false
	}
	if seconds, err := strconv.ParseUint(field, 10, 63); err == nil || errors.Is(err, strconv.ErrRange) {
		return Seconds(int64(seconds)), true
	}
	at, err := http.ParseTime(field)
	if err != nil {
		return 0, false
	}
	return min(LongestWait, max(0, at.Sub(ServerTime(h, received)))), true
}

// ServerTime returns the time of the target's clock when it sent a response: its Date, and its Age if a cache kept it
// (RFC 9111, section 4.2.3); received if there is no valid Date.
func ServerTime(h http.Header, received time.Time) time.Time {
	date, err := http.ParseTime(h.Get("Date"))
	if err != nil {
		return received
	}
	if age, err := strconv.ParseUint(h.Get("Age"), 10, 31); err == nil {
		date = date.Add(time.Duration(age) * time.Second)
	}
	return date
}
