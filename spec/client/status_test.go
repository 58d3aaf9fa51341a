package client_test

import (
	"net/http"
	"testing"

	"petconform/spec/exchange"
)

// TestStatusBelow100: net/http reads a status of 000; it is no HTTP, and no response to judge.
func TestStatusBelow100(t *testing.T) {
	x, _, _ := sendTo(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		conn, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		_, _ = conn.Write([]byte("HTTP/1.1 000 Zero\r\nContent-Length: 2\r\n\r\n[]"))
		_ = conn.Close()
	}), list, nil)
	if x.Response != nil || x.Failure == nil || x.Failure.Kind != exchange.NotHTTP {
		t.Errorf("response %+v, failure %+v; no response and a failure of the kind not-http are wanted", x.Response, x.Failure)
	}
}
