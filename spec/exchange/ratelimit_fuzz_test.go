package exchange_test

import (
	"net/http"
	"testing"
	"time"

	"petconform/spec"
	"petconform/spec/exchange"
)

// A Retry-After that can be read gives a wait that is not negative and not beyond what a time can hold.
func FuzzRetryAfter(f *testing.F) {
	for _, field := range []string{"", "1", "120", "4294967296", "-1", "1.5", "soon", "Fri, 31 Dec 1999 23:59:59 GMT", "Friday, 31-Dec-99 23:59:59 GMT", "Fri Dec 31 23:59:59 1999"} {
		f.Add(field, "Thu, 01 Jan 2026 00:00:00 GMT")
		f.Add(field, "")
	}
	received := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, field, date string) {
		h := http.Header{spec.HeaderRetryAfter: {field}, "Date": {date}}
		wait, ok := exchange.RetryAfter(h, received)
		if wait < 0 || !ok && wait != 0 {
			t.Errorf("Retry-After %q with Date %q: a wait of 0 or more is wanted, %s (%t) came", field, date, wait, ok)
		}
		if at := received.Add(wait); at.Before(received) {
			t.Errorf("Retry-After %q with Date %q: the end of the wait, %s, lies before its beginning", field, date, at)
		}
	})
}

// An allowance is read only from three whole numbers.
func FuzzAllowanceOf(f *testing.F) {
	f.Add("60", "59", "1767225600")
	f.Add("+60", " 5 ", "9223372036854775808")
	f.Add("6e1", "", "-1")
	f.Fuzz(func(t *testing.T, limit, remaining, reset string) {
		h := http.Header{}
		h.Set(spec.HeaderLimit, limit)
		h.Set(spec.HeaderRemaining, remaining)
		h.Set(spec.HeaderReset, reset)
		a, ok := exchange.AllowanceOf(h)
		for _, field := range []string{limit, remaining, reset} {
			if _, err := exchange.WholeNumber(field); err != nil && ok {
				t.Errorf("%q is no whole number, and the allowance %+v is read all the same", field, a)
			}
		}
	})
}
