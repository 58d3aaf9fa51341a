package history

import (
	"testing"

	"petconform/spec/exchange"
)

// The interface does not show which of two values of a parameter counts.
func TestAsked(t *testing.T) {
	for path, want := range map[string]string{"/pets?limit=2": "2", "/pets?limit=2&limit=3": "", "/pets?status=sold&limit=%34": "4", "/pets?limit=": ""} {
		x := ReadExchange(exchange.Exchange{Request: exchange.Request{Method: "GET", Path: path}})
		if got, has := x.Asked("limit"); got != want || !has {
			t.Errorf("%s: want %q, got %q (%t)", path, want, got, has)
		}
		if _, has := x.Asked("other"); has {
			t.Errorf("%s asks for nothing else", path)
		}
	}
}
