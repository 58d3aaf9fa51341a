package roundtrip

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"testing"

	"petconform/spec/exchange"
)

// TestNothingFollowsConnectionClose: the server says keep-alive all the same, and reads whatever comes.
func TestNothingFollowsConnectionClose(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				for lines := bufio.NewReader(conn); ; {
					req, err := http.ReadRequest(lines)
					if err != nil {
						return
					}
					_, _ = io.Copy(io.Discard, req.Body)
					_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\n[]")
				}
			}()
		}
	}()
	r := &Recorder{Redactor: exchange.NewRedactor(exchange.NewSecret(key)), MaxBody: 100}
	transport := &http.Transport{}
	defer transport.CloseIdleConnections()
	for i, row := range []struct {
		connection string
		reused     bool
	}{{"", false}, {"close", true}, {"", false}} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+listener.Addr().String(), nil)
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
