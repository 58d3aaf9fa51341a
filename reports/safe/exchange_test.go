package safe

import (
	"testing"
	"time"

	"petconform/spec/exchange"
)

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
	} {
		if got := Came(row.x); got != row.want {
			t.Errorf("%q; %q is wanted", got, row.want)
		}
	}
}
