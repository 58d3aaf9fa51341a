package client

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"testing"
	"testing/synctest"
	"time"
)

// TestAConnectionThatWasIdleIsNotUsedAgain: a server with an idle time-out of a second may close it at any moment from then on.
func TestAConnectionThatWasIdleIsNotUsedAgain(t *testing.T) {
	for pause, want := range map[time.Duration]int{500 * time.Millisecond: 1, time.Second: 2, 5 * time.Second: 2} {
		synctest.Test(t, func(t *testing.T) {
			dials := 0
			transport := NewTransport(4)
			transport.DialContext = func(context.Context, string, string) (net.Conn, error) {
				dials++
				near, far := net.Pipe()
				go answerAll(far)
				return near, nil
			}
			defer transport.CloseIdleConnections()
			for range 2 {
				req, _ := http.NewRequest(http.MethodGet, "http://pets.test/v1/pets", nil)
				resp, err := transport.RoundTrip(req)
				if err != nil {
					t.Fatal(err)
				}
				_, _ = io.Copy(io.Discard, resp.Body)
				_ = resp.Body.Close()
				time.Sleep(pause)
			}
			if dials != want {
				t.Errorf("a pause of %s: want %d connections; got %d", pause, want, dials)
			}
		})
	}
}

// answerAll answers every request on a connection.
func answerAll(c net.Conn) {
	in := bufio.NewReader(c)
	for {
		if _, err := http.ReadRequest(in); err != nil {
			return
		}
		_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]")
	}
}
