package safe

import (
	"net/http"
	"testing"
	"time"

	"petconform/spec"
	"petconform/spec/exchange"
)

func limited(retryAfter, reset string) exchange.Exchange {
	h := http.Header{}
	h.Set(spec.HeaderRetryAfter, retryAfter)
	h.Set(spec.HeaderReset, reset)
	return exchange.Exchange{Sent: time.Date(2026, time.March, 2, 9, 30, 0, 0, time.UTC), Done: 2 * time.Millisecond,
		Response: &exchange.Response{Status: http.StatusTooManyRequests, Header: h}}
}

func TestCame(t *testing.T) {
	response := &exchange.Response{Status: 200, Size: 1054}
	refused := &exchange.Failure{Kind: "refused", Detail: "no one\nlistens"}
	for _, row := range []struct {
		x    exchange.Exchange
		want string
	}{
		{exchange.Exchange{Response: response, Done: 999 * time.Microsecond}, "200, 1,054 bytes, under 1 ms"},
		{exchange.Exchange{Response: response, Done: 1500 * time.Millisecond}, "200, 1,054 bytes, 1,500 ms"},
		{exchange.Exchange{Response: response, Failure: refused}, "200, then refused: no one⏎listens"},
		{exchange.Exchange{Failure: refused}, "refused: no one⏎listens"},
		{exchange.Exchange{}, "nothing"},
		{limited("1", "1772443800"), "429, 0 bytes, 2 ms, at 09:30:00.002 UTC, Retry-After: 1, X-RateLimit-Reset: 2026-03-02 09:30:00 UTC"},
		{limited("soon", "in a\nmoment"), "429, 0 bytes, 2 ms, at 09:30:00.002 UTC, Retry-After: soon, X-RateLimit-Reset: in a⏎moment"},
		{limited("", ""), "429, 0 bytes, 2 ms, at 09:30:00.002 UTC, Retry-After: none, X-RateLimit-Reset: none"},
	} {
		if got := Came(row.x); got != row.want {
			t.Errorf("%q; %q is wanted", got, row.want)
		}
	}
}
