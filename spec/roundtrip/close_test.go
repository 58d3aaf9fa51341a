package roundtrip

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"testing"

	"petconform/spec/exchange"
)

// TestNothingFollowsConnectionClose: the server says keep-alive all the same, and reads whatever comes.
func TestNothingFollowsConnectionClose(t *testing.T) {
	dial := func(context.Context, string, string) (net.Conn, error) {
		near, far := net.Pipe()
		go func() {
			for lines := bufio.NewReader(far); ; {
				if _, err := http.ReadRequest(lines); err != nil {
					return
				}
				_, _ = io.WriteString(far, "HTTP/1.1 200 OK\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\n[]")
			}
		}()
		return near, nil
	}
	r := &Recorder{Redactor: exchange.NewRedactor(exchange.NewSecret(key)), MaxBody: 100}
	transport := &http.Transport{DialContext: dial}
	defer transport.CloseIdleConnections()
	for i, row := range []struct {
		connection string
		reused     bool
	}{{"", false}, {"close", true}, {"", false}} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://pets.test/v1/pets", nil)
		if err != nil {
			t.Fatal(err)
		}
		if row.connection != "" {
			req.Header.Set("Connection", row.connection)
		}
		var x exchange.Exchange
		if r.Send(transport, req, &x); x.Failure != nil || x.Reused != row.reused {
			t.Errorf("request %d: %+v on a connection used before: %t; want %t", i+1, x.Failure, x.Reused, row.reused)
		}
	}
}

// TestAHeaderIsNotChanged: a load gives all its requests one header. HTTP/2 has no Connection.
func TestAHeaderIsNotChanged(t *testing.T) {
	r, shared := &Recorder{MaxBody: 100}, http.Header{"Connection": {"close"}}
	for i, want := range []string{"close", ""} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://pets.test/v1/pets", nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header = shared
		var x exchange.Exchange
		r.Send(transport(func(req *http.Request) (*http.Response, error) {
			if got := req.Header.Get("Connection"); got != want {
				t.Errorf("request %d: Connection is %q; want %q", i+1, got, want)
			}
			resp := response(200, "[]", http.Header{})
			resp.ProtoMajor = 2
			return resp, nil
		}), req, &x)
	}
	if shared.Get("Connection") != "close" {
		t.Error("the header of the caller was changed")
	}
}
