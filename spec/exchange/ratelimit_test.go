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
