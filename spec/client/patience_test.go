package client_test

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"petconform/spec/client"
	"petconform/spec/exchange"
)

// after answers like next, after a while.
type after struct {
	wait time.Duration
	next func(n int) (*http.Response, error)
	n    int
}

func (a *after) RoundTrip(r *http.Request) (*http.Response, error) {
	a.n++
	select {
	case <-time.After(a.wait):
		return a.next(a.n)
	case <-r.Context().Done():
		return nil, context.Cause(r.Context())
	}
}

func fine(int) (*http.Response, error) {
	return &http.Response{StatusCode: http.StatusOK, Proto: "HTTP/1.1", Header: http.Header{}, Body: http.NoBody}, nil
}

// TestPatience: a target that does not give whole responses ends the run within the bounds that --help says.
func TestPatience(t *testing.T) {
	closed := func(int) (*http.Response, error) { return nil, errors.New("malformed HTTP response") }
	for name, c := range map[string]struct {
		wait   time.Duration
		next   func(int) (*http.Response, error)
		calls  int // calls until the run ends
		within time.Duration
		says   string
	}{
		"hangs":                  {time.Hour, fine, 3, 80 * time.Second, "for 1m15s in all"},
		"very slow, but whole":   {20 * time.Second, fine, 5, 90 * time.Second, "for 1m15s in all"},
		"slow, but whole":        {3 * time.Second, fine, 0, 0, ""},
		"closes each connection": {time.Millisecond, closed, 0, 0, ""},
		"every eighth is whole": {time.Millisecond, func(n int) (*http.Response, error) {
			if n%22 == 0 { // each call is sent three times
				return fine(n)
			}
			return closed(n)
		}, 0, time.Second, ""},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c1, err := client.New(client.Config{Base: &url.URL{Scheme: "http", Host: "pets.test"}, Key: exchange.NewSecret(key), Transport: &after{wait: c.wait, next: c.next}})
				if err != nil {
					t.Fatal(err)
				}
				begun, calls := time.Now(), 0
				for err == nil && calls < 40 {
					calls++
					_, err = c1.Send(t.Context(), list)
					err = errors.Join(err, c1.Err())
				}
				if c.says == "" {
					if err != nil {
						t.Errorf("the run ended after %d calls: %v", calls, err)
					}
					return
				}
				if !errors.Is(err, client.ErrSilent) || !strings.Contains(err.Error(), c.says) || calls != c.calls || time.Since(begun) > c.within {
					t.Errorf("after %d calls and %s: %v; %q was wanted after %d and %s", calls, time.Since(begun), err, c.says, c.calls, c.within)
				}
			})
		})
	}
}
