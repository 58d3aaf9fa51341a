package client_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"petconform/spec/client"
	"petconform/spec/exchange"
)

const key = "secret-Key-0123456789"

// clientOf returns a client of an address, and what it records.
func clientOf(t *testing.T, address string, change func(*client.Config)) (*client.Client, *[]exchange.Exchange) {
	t.Helper()
	base, err := client.ParseBase(address)
	if err != nil {
		t.Fatal(err)
	}
	var recorded []exchange.Exchange
	cfg := client.Config{Base: base, Key: exchange.NewSecret(key), UserAgent: "petconform/test", Timeout: 30 * time.Second,
		Record: func(x exchange.Exchange) error { recorded = append(recorded, x); return nil }}
	if change != nil {
		change(&cfg)
	}
	c, err := client.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return c, &recorded
}

// sendTo sends one call to a handler on loopback and returns its last exchange and all that were recorded.
func sendTo(t *testing.T, h http.HandlerFunc, change func(*client.Config)) (exchange.Exchange, []exchange.Exchange, error) {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	c, recorded := clientOf(t, server.URL+"/v1", change)
	x, err := c.Send(t.Context(), list)
	return x, *recorded, err
}

var list = client.Call{Check: "check", Step: "step", Method: "GET", Path: "/pets?limit=1"}

// TestARequest: the key is sent and never recorded, a GET has no body, and a redirect is not followed.
func TestARequest(t *testing.T) {
	var got *http.Request
	x, all, err := sendTo(t, func(w http.ResponseWriter, r *http.Request) {
		got = r
		w.Header().Set("X-Echo", r.Header.Get("Authorization"))
		http.Redirect(w, r, "/elsewhere?"+r.Header.Get("Authorization"), http.StatusFound)
	}, nil)
	if err != nil || x.Status() != http.StatusFound || len(all) != 1 || got.URL.RequestURI() != "/v1/pets?limit=1" {
		t.Fatalf("%d requests, the last to %s: status %d, error %v", len(all), got.URL, x.Status(), err)
	}
	if got.Header.Get("Authorization") != "Bearer "+key || got.Header.Get("User-Agent") != "petconform/test (check)" ||
		got.ContentLength > 0 || len(got.TransferEncoding) > 0 || got.Header.Get("Content-Type") != "" {
		t.Errorf("sent with a body of %d bytes, %v and %v", got.ContentLength, got.TransferEncoding, got.Header)
	}
	if strings.Contains(fmt.Sprintf("%+v %s", x, x.Response.Body), key) || !x.Response.Redacted {
		t.Errorf("the key is recorded: %+v", x.Response)
	}
	if x.Operation != "listPets" || x.Attempt != 1 || x.Done <= 0 {
		t.Errorf("recorded as %+v", x)
	}
}

// TestNamesOfHeaders: they are written as the call has them, and that of the credential like the others. A header that every request has
// takes the place of one of the same name.
func TestNamesOfHeaders(t *testing.T) {
	var lines []string
	transport := client.NewTransport(1)
	transport.DialContext = func(context.Context, string, string) (net.Conn, error) {
		near, far := net.Pipe()
		go func() {
			in := bufio.NewReader(far)
			for line, _ := in.ReadString('\n'); line > "\r\n"; line, _ = in.ReadString('\n') {
				lines = append(lines, strings.TrimSpace(line))
			}
			_, _ = io.WriteString(far, "HTTP/1.1 204 No Content\r\n\r\n")
		}()
		return near, nil
	}
	defer transport.CloseIdleConnections()
	c, all := clientOf(t, "http://pets.test/v1", func(cfg *client.Config) {
		cfg.Transport = client.WithHeaders(transport, http.Header{"Accept": {"text/plain"}})
	})
	named := http.Header{"user-agent": {"other"}, "accept": {"*/*"}, "accept-encoding": {"gzip"}}
	if x, err := c.Send(t.Context(), client.Call{Method: "GET", Path: "/pets", Header: named}); err != nil || x.Status() != 204 {
		t.Fatalf("status %d, error %v", x.Status(), err)
	}
	slices.Sort(lines)
	want := []string{"Accept: text/plain", "GET /v1/pets HTTP/1.1", "Host: pets.test", "accept-encoding: gzip", "authorization: Bearer " + key, "user-agent: other"}
	if !slices.Equal(lines, want) {
		t.Errorf("sent as %q; want %q", lines, want)
	}
	if got := (*all)[0].Request.Header; !maps.EqualFunc(got, named, slices.Equal) {
		t.Errorf("recorded with %v; want %v", got, named)
	}
}

// TestWhatIsNotHTTP: bytes that break HTTP are told apart from a connection that closes, which may be an outage. Both
// are sent again twice.
func TestWhatIsNotHTTP(t *testing.T) {
	const ok = "HTTP/1.1 200 OK\r\n"
	for said, want := range map[string]exchange.Kind{
		"220 mail.example ESMTP\r\n\r\n":                                               exchange.NotHTTP,
		"HTTP/1.1 000 Nothing\r\n\r\n":                                                 exchange.NotHTTP,
		ok + "Content-Length: 2\r\nContent-Length: 3\r\n\r\n[]":                        exchange.NotHTTP,
		ok + "Content-Length: 99999999999999999999\r\n\r\n[]":                          exchange.NotHTTP,
		ok + "Transfer-Encoding: chunked\r\n\r\nzz\r\n[]\r\n":                          exchange.NotHTTP,
		ok + "Transfer-Encoding: chunked\r\n\r\n10000000000000000\r\n[]":               exchange.NotHTTP,
		ok + "Transfer-Encoding: chunked\r\n\r\n0\r\nX: " + strings.Repeat("x", 1<<17): exchange.NotHTTP,
		ok + strings.Repeat("X-H: "+strings.Repeat("x", 100)+"\r\n", 5000) + "\r\n":    exchange.NotHTTP,
		ok + "Content-Length: 3\r\n\r\n[]":                                             exchange.Closed,
		"":                                                                             exchange.Closed,
	} {
		x, all, err := sendTo(t, func(w http.ResponseWriter, _ *http.Request) {
			conn, _, err := w.(http.Hijacker).Hijack()
			if err != nil {
				t.Error(err)
				return
			}
			_, _ = io.WriteString(conn, said)
			_ = conn.Close()
		}, nil)
		if err != nil || x.Failure == nil || x.Failure.Kind != want || len(all) != 3 {
			t.Errorf("%.60q: %d requests, failure %+v, error %v; %s was wanted", said, len(all), x.Failure, err, want)
		}
	}
}

// TestUnreachable: an address where nobody listens.
func TestUnreachable(t *testing.T) {
	const says = "connection refused"
	c, all := clientOf(t, "http://127.0.0.1:1/v1", nil) // another test may get any port that was free a moment ago
	x, err := c.Send(t.Context(), list)
	if err != nil || x.Failure == nil || x.Failure.Kind != exchange.Unreachable || !strings.Contains(x.Failure.Detail, says) || len(*all) != 1 {
		t.Errorf("%d requests, failure %+v, error %v; %s is wanted", len(*all), x.Failure, err, says)
	}
}

// TestEveryRequestIsRecorded: one that is sent again over a new connection too.
func TestEveryRequestIsRecorded(t *testing.T) {
	var hits atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		if hits.Add(1) == 2 {
			panic(http.ErrAbortHandler)
		}
	}))
	defer server.Close()
	c, recorded := clientOf(t, server.URL+"/v1", nil)
	for range 3 {
		if x, err := c.Send(t.Context(), list); err != nil || x.Status() != 200 {
			t.Fatalf("status %d, error %v", x.Status(), err)
		}
	}
	if hits.Load() != 4 || len(*recorded) != 4 {
		t.Errorf("the service saw %d requests and %d are recorded", hits.Load(), len(*recorded))
	}
}

func TestParseBase(t *testing.T) {
	for _, good := range []string{"http://127.0.0.1:8080/v1", "https://host/v1/", " http://[::1]:80/a/v1 "} {
		if _, err := client.ParseBase(good); err != nil {
			t.Errorf("%q is refused: %v", good, err)
		}
	}
	for _, bad := range []string{"", "host/v1", "ftp://host/v1", "http://", "http://u:p@host/v1", "http://host/v1?x=1", "http://host/v1#top", "http://ho st", "//h", "http://h/?", "http://h/%zz", "http:///v1", "http://h:0/v1"} {
		_, err := client.ParseBase(bad)
		if err == nil {
			t.Errorf("%q is accepted", bad)
		} else if strings.Contains(err.Error(), "u:p@") {
			t.Errorf("the error repeats a password: %v", err)
		}
	}
}
