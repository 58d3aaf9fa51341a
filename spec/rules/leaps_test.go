package rules

import (
	"testing"
	"time"

	"petconform/spec/exchange"
	"petconform/spec/history"
)

// TestLeaps sends a request every 400 ms, and Remaining is 0 and 9 of 10 by turns. A limit that resets within seconds may be full
// again; within a minute's window nothing explains it.
func TestLeaps(t *testing.T) {
	begun := time.Unix(1_790_000_000, 0)
	for _, row := range []struct {
		reset time.Duration // after each request
		want  int
	}{{time.Second, 0}, {40 * time.Second, 10}} {
		var spent []counted
		for i := range 20 {
			x := &history.Exchange{Exchange: exchange.Exchange{N: i + 1, Sent: begun.Add(time.Duration(i) * 400 * time.Millisecond), Done: time.Millisecond}}
			spent = append(spent, counted{x, exchange.Allowance{Limit: 10, Remaining: int64(i % 2 * 9), Reset: x.Sent.Add(row.reset)}})
		}
		if got := len(leaps(spent)); got != row.want {
			t.Errorf("Reset %s after each request: %d leaps, want %d", row.reset, got, row.want)
		}
	}
}
