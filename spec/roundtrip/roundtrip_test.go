package roundtrip

import (
	"compress/gzip"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptrace"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"petconform/spec/exchange"
)

// transport is a function that is an http.RoundTripper, with a connection from before.
type transport func(*http.Request) (*http.Response, error)

func (f transport) RoundTrip(req *http.Request) (*http.Response, error) {
	httptrace.ContextClientTrace(req.Context()).GotConn(httptrace.GotConnInfo{Reused: true, WasIdle: true, IdleTime: time.Second})
	return f(req)
}

const key = "pet-secret-key-0123456789"

func response(status int, body string, header http.Header) *http.Response {
	return &http.Response{StatusCode: status, Proto: "HTTP/1.1", Header: header, Body: io.NopCloser(strings.NewReader(body))}
}

func packed(body string) string {
	var b strings.Builder
	zw := gzip.NewWriter(&b)
	_, _ = io.WriteString(zw, body)
	_ = zw.Close()
	return b.String()
}

// send sends one request, for at most five seconds.
func send(t *testing.T, method string, f transport) (x exchange.Exchange) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, "http://pets.test/v1/pets", nil)
	if err != nil {
		t.Fatal(err)
	}
	r := &Recorder{Redactor: exchange.NewRedactor(exchange.NewSecret(key)), MaxBody: 100}
	r.Send(f, req, &x)
	return x
}

// TestKindsOfFailure has a row for every kind that an exchange gets here.
func TestKindsOfFailure(t *testing.T) {
	fails := func(err error) transport { return func(*http.Request) (*http.Response, error) { return nil, err } }
	comes := func(resp *http.Response) transport {
		return func(*http.Request) (*http.Response, error) { return resp, nil }
	}
	for name, c := range map[string]struct {
		send transport
		want exchange.Kind
		body string
	}{
		"closed":     {fails(io.EOF), exchange.Closed, ""},
		"not HTTP":   {fails(errors.New("net/http: malformed HTTP response")), exchange.NotHTTP, ""},
		"status 000": {comes(response(0, "[]", nil)), exchange.NotHTTP, ""},
		"status 099": {comes(response(99, "[]", nil)), exchange.NotHTTP, ""},
		"status 100": {comes(response(100, "[]", nil)), "", "[]"},
		"too large":  {comes(response(200, strings.Repeat("a", 101), nil)), exchange.TooLarge, strings.Repeat("a", 101)},
		"gzip":       {comes(response(200, packed("[]"), http.Header{"Content-Encoding": {"gzip"}})), "", "[]"},
		"a bomb": {comes(response(200, packed(strings.Repeat("a", 1<<20))[:90], http.Header{"Content-Encoding": {"gzip"}})), exchange.TooLarge,
			strings.Repeat("a", 101)},
		"gzip that is none": {comes(response(200, "[]", http.Header{"Content-Encoding": {"gzip"}})), exchange.Undecodable, "[]"},
		"br":                {comes(response(200, "[]", http.Header{"Content-Encoding": {"br"}})), exchange.Unasked, "[]"},
		"a key as a coding": {comes(response(200, "[]", http.Header{"Content-Encoding": {key}})), exchange.Unasked, "[]"},
		"a key in an error": {fails(errors.New("broken by " + key)), exchange.Closed, ""},
		"a refused stream":  {fails(errors.New("stream error: stream ID 3; REFUSED_STREAM; received from peer")), exchange.Closed, ""},
		"time-out": {func(req *http.Request) (*http.Response, error) {
			<-req.Context().Done()
			return nil, req.Context().Err()
		}, exchange.Timeout, ""},
	} {
		synctest.Test(t, func(t *testing.T) {
			x := send(t, http.MethodGet, c.send)
			if x.Failure == nil {
				x.Failure = &exchange.Failure{}
			}
			if x.Failure.Kind != c.want || strings.Contains(x.Failure.Detail, key) {
				t.Fatalf("%s: want a failure of the kind %s; got %+v", name, c.want, x.Failure)
			}
			if x.Response != nil && strings.Contains(x.Response.Encoding, key) {
				t.Errorf("%s: the key is in the coding %q", name, x.Response.Encoding)
			}
			if (x.Response != nil) != (c.body != "") || x.Response != nil && (string(x.Response.Body) != c.body || x.Response.Truncated != (c.want != "")) {
				t.Errorf("%s: want %.9q; got %+v", name, c.body, x.Response)
			}
			if long := c.want == exchange.Timeout; !x.Reused || long != (x.Done == 5*time.Second) {
				t.Errorf("%s: reused %t, took %s", name, x.Reused, x.Done)
			}
		})
	}
}

// TestNoBodyCanBeSentAgain: net/http would send a GET again by itself. Only a GET has a body of unknown length, which
// is not sent.
func TestNoBodyCanBeSentAgain(t *testing.T) {
	for method, length := range map[string]int64{http.MethodGet: -1, http.MethodPut: 0} {
		x := send(t, method, func(req *http.Request) (*http.Response, error) {
			if req.GetBody != nil || req.ContentLength != length || (req.Body == http.NoBody) != (length == 0) {
				t.Errorf("%s: the length %d and the body %T", method, req.ContentLength, req.Body)
			}
			return response(200, "["+key+"]", http.Header{}), nil
		})
		if x.Response == nil || !x.Response.Redacted || strings.Contains(string(x.Response.Body), key) {
			t.Errorf("%s: the key is in the response, or nothing says that it was: %+v", method, x.Response)
		}
	}
}

// TestAKeyThatIsNotRecordedIsTold: the reason phrase and the trailers are not recorded.
func TestAKeyThatIsNotRecordedIsTold(t *testing.T) {
	for name, put := range map[string]func(resp *http.Response){
		"reason":  func(resp *http.Response) { resp.Status = "200 " + key },
		"trailer": func(resp *http.Response) { resp.Trailer = http.Header{"X-Key": {key}} },
	} {
		x := send(t, http.MethodGet, func(*http.Request) (*http.Response, error) {
			resp := response(200, "[]", http.Header{})
			put(resp)
			return resp, nil
		})
		if x.Response == nil || !x.Response.Redacted {
			t.Errorf("%s: nothing says that the response had the key: %+v", name, x.Response)
		}
	}
}
