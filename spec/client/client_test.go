package client_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"petconform/spec/client"
	"petconform/spec/exchange"
)

const key = "secret-Key-0123456789"

// sendTo sends one call to a handler on loopback and returns its last exchange and all that were recorded.
func sendTo(t *testing.T, h http.Handler, call client.Call, change func(*client.Config)) (exchange.Exchange, []exchange.Exchange, error) {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	return sendToURL(t, server.URL+"/v1", call, change)
}

func sendToURL(t *testing.T, address string, call client.Call, change func(*client.Config)) (exchange.Exchange, []exchange.Exchange, error) {
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
	x, err := c.Send(context.Background(), call)
	return x, recorded, err
}

var list = client.Call{Check: "check", Step: "step", Method: "GET", Path: "/pets?limit=1"}

func TestTheKeyIsSentAndNeverRecorded(t *testing.T) {
	var got string
	x, _, err := sendTo(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got = r.Header.Get("Authorization")
		w.Header().Set("X-Echo", got)
		fmt.Fprintf(w, `{"you sent":%q}`, got)
	}), list, nil)
	if err != nil || got != "Bearer "+key {
		t.Fatalf("Authorization %q, error %v", got, err)
	}
	if strings.Contains(fmt.Sprintf("%+v", x), key) || bytes.Contains(x.Response.Body, []byte(key)) || !x.Response.Redacted {
		t.Errorf("the key is recorded: %+v", x.Response)
	}
}

func TestWhatIsSentIsPlain(t *testing.T) {
	var got *http.Request
	x, _, err := sendTo(t, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { got = r }), list, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got.ContentLength > 0 || len(got.TransferEncoding) > 0 || got.Header.Get("Content-Type") != "" {
		t.Errorf("a GET was sent with a body: length %d, %v, %v", got.ContentLength, got.TransferEncoding, got.Header)
	}
	if got.Header.Get("User-Agent") != "petconform/test (check)" || got.URL.RequestURI() != "/v1/pets?limit=1" {
		t.Errorf("User-Agent %q, %s", got.Header.Get("User-Agent"), got.URL)
	}
	if x.Operation != "listPets" || x.Attempt != 1 || x.Done <= 0 {
		t.Errorf("recorded as %+v", x)
	}
}

func TestEncodingIsUndone(t *testing.T) {
	var packed bytes.Buffer
	zw := gzip.NewWriter(&packed)
	_, _ = zw.Write([]byte("[]"))
	_ = zw.Close()
	for _, c := range []struct {
		name, encoding string
		body           []byte
		want           string
		kind           exchange.Kind
	}{
		{"gzip", "gzip", packed.Bytes(), "[]", ""},
		{"no encoding", "identity", []byte("[]"), "[]", ""},
		{"gzip that is none", "gzip", []byte("[]"), "", exchange.Undecodable},
		{"what was not asked for", "br", []byte("[]"), "", exchange.Unasked},
		{"a bomb", "gzip", bomb(), "", exchange.TooLarge},
	} {
		x, _, err := sendTo(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", c.encoding)
			_, _ = w.Write(c.body)
		}), list, nil)
		if err != nil {
			t.Fatal(err)
		}
		if c.kind == "" && (x.Failure != nil || string(x.Response.Body) != c.want) || c.kind != "" && (x.Failure == nil || x.Failure.Kind != c.kind) {
			t.Errorf("%s: failure %+v", c.name, x.Failure)
		}
	}
}

func bomb() []byte {
	var b bytes.Buffer
	zw := gzip.NewWriter(&b)
	_, _ = zw.Write(make([]byte, 2<<20))
	_ = zw.Close()
	return b.Bytes()
}

func TestHostileTargetsEndInTime(t *testing.T) {
	endless := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for r.Context().Err() == nil {
			if _, err := w.Write(make([]byte, 4096)); err != nil {
				return
			}
		}
	})
	slow := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	dropped := http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	headers := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		for i := range 5000 {
			w.Header().Set(fmt.Sprintf("X-H%d", i), strings.Repeat("x", 100))
		}
	})
	for name, c := range map[string]struct {
		handler http.Handler
		want    exchange.Kind
		sent    int
	}{
		"an endless body":     {endless, exchange.TooLarge, 1},
		"no answer":           {slow, exchange.Timeout, 1},
		"a connection closed": {dropped, exchange.Closed, 3},
		"too many headers":    {headers, exchange.NotHTTP, 3},
	} {
		timeout := time.Minute // a slow machine has to reach what is wrong with the others
		if c.want == exchange.Timeout {
			timeout = 300 * time.Millisecond
		}
		x, all, err := sendTo(t, c.handler, list, func(cfg *client.Config) { cfg.Timeout = timeout })
		if err != nil || x.Failure == nil || x.Failure.Kind != c.want || len(all) != c.sent {
			t.Errorf("%s: got %d requests, failure %+v, error %v; want %s after %d", name, len(all), x.Failure, err, c.want, c.sent)
		}
	}
}

// TestWhatIsNotHTTP: bytes that break HTTP are told apart from a connection that closes, which may be an outage.
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
		ok + "Content-Length: 3\r\n\r\n[]":                                             exchange.Closed,
		"":                                                                             exchange.Closed,
	} {
		x, _, err := sendTo(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			conn, _, err := w.(http.Hijacker).Hijack()
			if err != nil {
				t.Error(err)
				return
			}
			_, _ = io.WriteString(conn, said)
			_ = conn.Close()
		}), list, nil)
		if err != nil || x.Failure == nil || x.Failure.Kind != want {
			t.Errorf("%.60q: failure %+v, error %v; %s was wanted", said, x.Failure, err, want)
		}
	}
}

func TestNobodyListens(t *testing.T) {
	server := httptest.NewServer(nil)
	server.Close()
	x, all, err := sendToURL(t, server.URL+"/v1", list, nil)
	if err != nil || x.Failure == nil || x.Failure.Kind != exchange.Unreachable || len(all) != 1 {
		t.Errorf("%d requests, failure %+v, error %v", len(all), x.Failure, err)
	}
}

func TestRedirectsAreNotFollowed(t *testing.T) {
	var hits atomic.Int32
	x, _, err := sendTo(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		hits.Add(1)
		http.Redirect(w, r, "/elsewhere", http.StatusFound)
	}), list, nil)
	if err != nil || x.Status() != 302 || hits.Load() != 1 {
		t.Errorf("status %d after %d requests, error %v", x.Status(), hits.Load(), err)
	}
}

func TestADeadConnectionIsNotResentSilently(t *testing.T) {
	var hits atomic.Int32
	h := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if hits.Add(1) == 2 {
			panic(http.ErrAbortHandler)
		}
		_, _ = w.Write([]byte("[]"))
	})
	server := httptest.NewServer(h)
	defer server.Close()
	base, _ := client.ParseBase(server.URL + "/v1")
	recorded := 0
	c, err := client.New(client.Config{Base: base, Key: exchange.NewSecret(key), Record: func(exchange.Exchange) error { recorded++; return nil }})
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if x, err := c.Send(context.Background(), list); err != nil || x.Status() != 200 {
			t.Fatalf("status %d, error %v", x.Status(), err)
		}
	}
	if int(hits.Load()) != recorded {
		t.Errorf("the service saw %d requests and %d are recorded", hits.Load(), recorded)
	}
}

func TestTheBudgetEndsTheRun(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer server.Close()
	base, _ := client.ParseBase(server.URL)
	c, err := client.New(client.Config{Base: base, Key: exchange.NewSecret(key), MaxRequests: 1})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Send(context.Background(), list); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Send(context.Background(), list); !errors.Is(err, client.ErrBudget) {
		t.Errorf("got %v, want ErrBudget", err)
	}
}

func TestParseBase(t *testing.T) {
	for _, good := range []string{"http://127.0.0.1:8080/v1", "https://host/v1/", " http://[::1]:80/a/v1 "} {
		if _, err := client.ParseBase(good); err != nil {
			t.Errorf("%q is refused: %v", good, err)
		}
	}
	for _, bad := range []string{"", "host/v1", "ftp://host/v1", "http://", "http://u:p@host/v1", "http://host/v1?x=1", "http://host/v1#top", "http://ho st"} {
		_, err := client.ParseBase(bad)
		if err == nil {
			t.Errorf("%q is accepted", bad)
		} else if strings.Contains(err.Error(), "u:p@") {
			t.Errorf("the error repeats a password: %v", err)
		}
	}
}

// TestAnUnknownAuthority: a certificate that nobody vouches for names the flag that helps.
func TestAnUnknownAuthority(t *testing.T) {
	server := httptest.NewUnstartedServer(http.NotFoundHandler())
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	defer server.Close()
	x, _, _ := sendToURL(t, server.URL+"/v1", list, nil)
	if x.Failure == nil || x.Failure.Kind != exchange.Unreachable || !strings.Contains(x.Failure.Detail, "--ca-cert") {
		t.Errorf("%+v; unreachable, with --ca-cert named, is wanted", x.Failure)
	}
}
