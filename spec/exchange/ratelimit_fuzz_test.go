package exchange_test

import (
	"net/http"
	"testing"
	"time"

	"petconform/spec"
	"petconform/spec/exchange"
)

func TestRetryAfter(t *testing.T) {
	received := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for field, want := range map[string]time.Duration{
		"0": 0, "120": 2 * time.Minute, "Thu, 01 Jan 2026 00:01:00 GMT": time.Minute, "Wed, 31 Dec 2025 00:00:00 GMT": 0,
		"4294967296":                       exchange.LongestWait,
		"9223372036854775808":              exchange.LongestWait, // beyond int64
		"1000000000000000000000000000000":  exchange.LongestWait,
		"Fri, 31 Dec 9999 23:59:59 GMT":    exchange.LongestWait,
		"-1":                               -1, // these cannot be read
		"1e3":                              -1,
		"-1000000000000000000000000000000": -1,
		"":                                 -1,
	} {
		wait, ok := exchange.RetryAfter(http.Header{spec.HeaderRetryAfter: {field}}, received)
		if ok != (want >= 0) || wait != max(0, want) {
			t.Errorf("Retry-After %q: the wait is %s (%t); %s is wanted (%t)", field, wait, ok, max(0, want), want >= 0)
		}
	}
}

// FuzzHeaders: a Retry-After that can be read gives a wait that is not negative and not beyond what a time can hold, and an
// allowance is read only from three whole numbers.
func FuzzHeaders(f *testing.F) {
	for _, field := range []string{"", "1", "120", "4294967296", "-1", "1.5", "soon", "Fri, 31 Dec 1999 23:59:59 GMT", "Fri Dec 31 23:59:59 1999"} {
		f.Add(field, "Thu, 01 Jan 2026 00:00:00 GMT", "60", "59", "1767225600")
		f.Add(field, "", "+60", " 5 ", "9223372036854775808")
		f.Add(field, "", "6e1", field, "-1")
	}
	received := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, field, date, limit, remaining, reset string) {
		h := http.Header{spec.HeaderRetryAfter: {field}, "Date": {date}, spec.HeaderLimit: {limit}, spec.HeaderRemaining: {remaining}, spec.HeaderReset: {reset}}
		wait, ok := exchange.RetryAfter(h, received)
		if wait < 0 || wait > exchange.LongestWait || !ok && wait != 0 || received.Add(wait).Before(received) {
			t.Errorf("Retry-After %q with Date %q: a wait from 0 to LongestWait is wanted, %s (%t) came", field, date, wait, ok)
		}
		a, ok := exchange.AllowanceOf(h)
		for _, field := range []string{limit, remaining, reset} {
			if _, err := exchange.WholeNumber(field); err != nil && ok {
				t.Errorf("%q is no whole number, and the allowance %+v is read all the same", field, a)
			}
		}
	})
}
