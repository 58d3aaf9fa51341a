package rules

import (
	"fmt"
	"testing"
	"time"

	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/history"
)

// TestFrozen asks for four animals twice. Where Remaining falls in between and each second response repeats the first, a
// cache keeps the headers. Where a listing rises too, a bucket was refilled in a pause.
func TestFrozen(t *testing.T) {
	begun := time.Unix(1_790_000_000, 0)
	for _, row := range []struct {
		pause bool
		want  int
	}{{want: 4}, {pause: true}} {
		var spent []counted
		send := func(path string, remaining int64) {
			n := len(spent)
			x := &history.Exchange{Exchange: exchange.Exchange{N: n + 1, Operation: spec.GetPet, Sent: begun.Add(time.Duration(n) * time.Millisecond)}}
			x.Request.Path, x.Response = path, &exchange.Response{}
			spent = append(spent, counted{x, exchange.Allowance{Limit: 1000, Remaining: remaining, Reset: begun.Add(time.Minute)}})
		}
		left := int64(900)
		for n := range 4 {
			send(fmt.Sprintf("/pets/%d", n), left-int64(n))
		}
		for n := range 12 {
			send(fmt.Sprintf("/pets?limit=%d", n+1), left-4-int64(n))
		}
		if row.pause {
			send("/pets?limit=50", left+1)
		}
		for n := range 4 {
			send(fmt.Sprintf("/pets/%d", n), left-int64(n))
		}
		if got := len(frozen(spent)); got != row.want {
			t.Errorf("with a pause %v: %d found, want %d", row.pause, got, row.want)
		}
	}
}
