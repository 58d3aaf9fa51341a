package clients

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"petconform/spec/reference"
	"petconform/spec/verdict"
)

// pipes is a network without a machine: connections in simulated time.
type pipes struct {
	dialled chan net.Conn
	closed  chan struct{}
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.dialled:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

// Close closes the connections that were not accepted, too.
func (p *pipes) Close() error {
	close(p.closed)
	for len(p.dialled) > 0 {
		_ = (<-p.dialled).Close()
	}
	return nil
}

func (p *pipes) Addr() net.Addr { return &net.UnixAddr{} }

func (p *pipes) dial(context.Context, string, string) (net.Conn, error) {
	ours, theirs := net.Pipe()
	p.dialled <- theirs
	return ours, nil
}

// open opens a connection, sends a text and reads whatever comes.
func (p *pipes) open(text string) {
	c, _ := p.dial(nil, "", "") //nolint:staticcheck // it is not read
	go func() { _, _ = io.Copy(io.Discard, c) }()
	go func() { _, _ = io.WriteString(c, text) }()
}

// served serves a desk over pipes, as petconform client does over TCP, and judges what clients sent.
func served(t *testing.T, s setting, run func(*testing.T, *pipes)) (r verdict.Results) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t, s)
		p := &pipes{make(chan net.Conn, 10_000), make(chan struct{})} // as many wait as an operating system lets
		ctx, end := context.WithCancel(t.Context())
		done := make(chan error)
		go func() {
			front := reference.Front{Handler: d.watcher, Connected: d.watcher.Connected, Grace: time.Second}
			done <- d.watcher.service.(*reference.Service).ServeBehind(ctx, d.watcher.Listen(p), front)
		}()
		run(t, p)
		end()
		if err := <-done; err != nil && !errors.Is(err, net.ErrClosed) {
			t.Error(err)
		}
		r = d.judge()
	})
	return r
}

const listing = "GET /v1/pets?limit=1 HTTP/1.1\r\nHost: desk\r\nAuthorization: Bearer " + deskKey + "\r\n"

// TestPipelined: requests that a client had sent before it could read the 429 are not early, on the same connection
// either. One that it sends afterwards is.
func TestPipelined(t *testing.T) {
	for after, want := range map[int]verdict.Verdict{0: verdict.Passed, 1: verdict.Failed} {
		r := served(t, setting{minute: time.Hour, perMinute: 5, Settings: one}, func(t *testing.T, p *pipes) {
			conn, _ := p.dial(t.Context(), "", "")
			in := bufio.NewReader(conn)
			for _, n := range []int{7, after} {
				go func() { _, _ = io.WriteString(conn, strings.Repeat(listing+"\r\n", n)) }()
				for range n {
					resp, err := http.ReadResponse(in, nil)
					noError(t, err)
					_, _ = io.Copy(io.Discard, resp.Body)
				}
				time.Sleep(2 * underWay)
			}
		})
		if got, _ := r.Check("client-retry-after"); got.Verdict != want {
			t.Errorf("%d more: CLIENT-4 is %s; %s is wanted\n%s", after, got.Verdict, want, told(r))
		}
	}
}

// listings returns a client of the pipes that lists, and fails the test if it is not answered within five seconds.
func listings(t *testing.T, p *pipes) func(query string) {
	client := &http.Client{Transport: &http.Transport{DialContext: p.dial}, Timeout: 5 * time.Second}
	t.Cleanup(client.CloseIdleConnections)
	return func(query string) {
		r, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://desk/v1/pets?"+query, nil)
		r.Header.Set("Authorization", "Bearer "+deskKey)
		resp, err := client.Do(r)
		if err != nil {
			t.Error(err)
			return
		}
		resp.Body.Close()
	}
}

// TestAGoodClientBesideBadOnes: connections that are idle, and those that send slowly, keep no client out.
func TestAGoodClientBesideBadOnes(t *testing.T) {
	for name, bad := range map[string]struct {
		n    int
		text string
	}{
		"idle":                      {5000, ""},
		"idle after a listing":      {600, listing + "\r\n"},
		"slow headers":              {600, listing},
		"slow bodies":               {600, strings.Replace(listing, "GET", "POST", 1) + "Content-Length: 90\r\n\r\n{"},
		"slow after an exchange":    {600, listing + "\r\n" + listing},
		"something that is no HTTP": {600, "\x16\x03\x01\x02\x00\x01"},
	} {
		t.Run(name, func(t *testing.T) {
			r := served(t, setting{perMinute: 100_000}, func(t *testing.T, p *pipes) {
				ask := listings(t, p)
				for i := range bad.n {
					if p.open(bad.text); i%100 == 0 {
						ask("status=sold")
					}
				}
				ask("status=sold")
			})
			if got, _ := r.Check("client-status"); got.Of != 1+bad.n/100 || got.Verdict != verdict.Passed {
				t.Errorf("%d of its requests came", got.Of)
			}
		})
	}
}

// TestABurstIsServed: a lawful client may send more requests at once than there may be connections.
func TestABurstIsServed(t *testing.T) {
	const n = 2 * maxConnections
	r := served(t, setting{perMinute: 100_000, freedoms: []string{"slow"}}, func(t *testing.T, p *pipes) {
		ask := listings(t, p)
		threads(n, func(i int) { ask(fmt.Sprint("limit=", i%100+1)) })
	})
	if got, _ := r.Check("client-limit"); got.Of != n {
		t.Errorf("%d of %d requests came", got.Of, n)
	}
}
