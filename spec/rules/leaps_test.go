package rules

import (
	"net/http"
	"testing"
	"time"

	"petconform/spec/exchange"
	"petconform/spec/history"
)

// TestLeaps sends a request every 400 ms, and Remaining is 0 and 9 of 10 by turns. A limit that resets within seconds may be full
// again, also by a clock that is a minute ahead; within a minute's window nothing explains it.
func TestLeaps(t *testing.T) {
	begun := time.Unix(1_790_000_000, 0)
	for _, row := range []struct {
		ahead, reset time.Duration // of the target's clock, and after each request
		want         int
	}{{0, time.Second, 0}, {time.Minute, time.Second, 0}, {0, 40 * time.Second, 10}} {
		var spent []counted
		for i := range 20 {
			x := &history.Exchange{Exchange: exchange.Exchange{N: i + 1, Sent: begun.Add(time.Duration(i) * 400 * time.Millisecond), Done: time.Millisecond}}
			now := x.Sent.Add(row.ahead)
			x.Response = &exchange.Response{Header: http.Header{"Date": {now.UTC().Format(http.TimeFormat)}}}
			spent = append(spent, counted{x, exchange.Allowance{Limit: 10, Remaining: int64(i % 2 * 9), Reset: now.Add(row.reset)}})
		}
		if got := len(leaps(spent)); got != row.want {
			t.Errorf("Reset %s after each request: %d leaps, want %d", row.reset, got, row.want)
		}
	}
}
