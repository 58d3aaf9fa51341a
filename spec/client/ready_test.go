package client

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"petconform/spec/exchange"
)

// starting answers each request with the next answer, and the last one again and again.
type starting struct {
	t       *testing.T
	answers []func() (*http.Response, error)
	asked   int
}

func (s *starting) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Header.Get("Authorization") != "" {
		s.t.Error("a request to see whether the target is ready has the key, and spends its allowance")
	}
	next := s.answers[min(s.asked, len(s.answers)-1)]
	s.asked++
	return next()
}

func answered(status int, mediaType, body string, more ...string) func() (*http.Response, error) {
	return func() (*http.Response, error) {
		h := http.Header{"Content-Type": {mediaType}}
		for i := 0; i+1 < len(more); i += 2 {
			h.Set(more[i], more[i+1])
		}
		return &http.Response{StatusCode: status, Header: h, Body: io.NopCloser(strings.NewReader(body))}, nil
	}
}

func refused() (*http.Response, error) { return nil, errors.New("connection refused") }

func TestReady(t *testing.T) {
	const gate = "g1H2i3J4k5L6"
	unready := answered(503, "text/html", "<h1>starting</h1>")
	for _, row := range []struct {
		name    string
		answers []func() (*http.Response, error)
		within  time.Duration
		// told are the reasons to wait that are told, err is that of the end, and took is how long all took.
		told []string
		err  string
		took time.Duration
	}{
		{name: "ready", answers: []func() (*http.Response, error){answered(401, "application/json", "{}")}},
		{name: "an error of the service itself", answers: []func() (*http.Response, error){answered(500, "application/problem+json", "{}")}},
		{name: "limited", answers: []func() (*http.Response, error){answered(429, "text/plain", "")}},
		{name: "refused, then a gateway, then ready", answers: []func() (*http.Response, error){refused, refused, unready, answered(200, "application/json", "[]")},
			told: []string{"no response: connection refused", `503 Service Unavailable, "<h1>starting</h1>"`}, took: 3 * readyPause},
		{name: "a long Retry-After, and ready before it ends", answers: []func() (*http.Response, error){answered(503, "text/html", "", "Retry-After", "999999"), answered(401, "application/json", "")},
			within: 10 * time.Second, told: []string{"503 Service Unavailable"}, took: readyPause},
		{name: "a gateway that knows no route yet", answers: []func() (*http.Response, error){answered(404, "text/plain", "default backend - 404")}, within: 3 * time.Second,
			told: []string{`404 Not Found, "default backend - 404"`}, err: `the target was not ready within 3s; last: 404 Not Found, "default backend - 404"`, took: 3 * time.Second},
		{name: "a page while the service starts", answers: []func() (*http.Response, error){answered(200, "text/html", "<h1>starting</h1>"), answered(200, "text/plain", " [1")},
			told: []string{`200 OK, "<h1>starting</h1>"`}, took: readyPause},
		{name: "never", answers: []func() (*http.Response, error){refused}, within: 10 * time.Second,
			told: []string{"no response: connection refused"}, err: "the target was not ready within 10s; last: no response: connection refused", took: 10 * time.Second},
		{name: "Retry-After beyond the time", answers: []func() (*http.Response, error){answered(503, "text/html", "", "Retry-After", "3600")},
			told: []string{"503 Service Unavailable"}, err: "the target was not ready within 1m0s; last: 503 Service Unavailable", took: time.Minute},
		{name: "a secret that is sent back", answers: []func() (*http.Response, error){answered(403, "text/html", "no "+gate)}, within: time.Second,
			told: []string{`403 Forbidden, "no [key]"`}, err: `the target was not ready within 1s; last: 403 Forbidden, "no [key]"`, took: time.Second},
	} {
		t.Run(row.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				if row.within == 0 {
					row.within = time.Minute
				}
				var told []string
				began := time.Now()
				err := Ready(t.Context(), &starting{t: t, answers: row.answers}, &url.URL{Scheme: "http", Host: "h.example", Path: "/v1"}, row.within,
					exchange.NewRedactor(exchange.NewSecret(gate)), func(why string) { told = append(told, why) })
				got := ""
				if err != nil {
					got = err.Error()
				}
				if took := time.Since(began); got != row.err || took != row.took || !slices.Equal(told, row.told) {
					t.Errorf("error %q after %s, told %q; %q after %s, told %q is wanted", got, took, told, row.err, row.took, row.told)
				}
			})
		})
	}
}

// TestReadyStopped: an interruption ends the wait at once.
func TestReadyStopped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		began := time.Now()
		err := Ready(ctx, &starting{t: t, answers: []func() (*http.Response, error){refused}}, &url.URL{Scheme: "http", Host: "h.example"}, time.Hour, nil, func(string) {})
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(began) != 5*time.Second {
			t.Errorf("%v after %s", err, time.Since(began))
		}
	})
}
