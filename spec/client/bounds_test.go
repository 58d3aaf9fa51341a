package client_test

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"petconform/spec/client"
	"petconform/spec/exchange"
)

// scripted answers request n, counted from 1, which begins at a time of the run.
type scripted struct {
	answer func(n int, at time.Duration, r *http.Request) (*http.Response, error)

	mu    sync.Mutex
	n     int
	began time.Time
}

func (s *scripted) RoundTrip(r *http.Request) (*http.Response, error) {
	s.mu.Lock()
	if s.n++; s.n == 1 {
		s.began = time.Now()
	}
	n, at := s.n, time.Since(s.began)
	s.mu.Unlock()
	httptrace.ContextClientTrace(r.Context()).GotConn(httptrace.GotConnInfo{})
	return s.answer(n, at, r)
}

// sendAll sends calls, some at the same time, until the run ends. It returns how long that took, the responses that can be judged,
// and the error that ended the run.
func sendAll(t *testing.T, cfg client.Config, calls, atATime int) (took time.Duration, judged int, err error) {
	t.Helper()
	cfg.Base, cfg.Key = &url.URL{Scheme: "http", Host: "pets.test"}, exchange.NewSecret(key)
	cfg.Record = func(x exchange.Exchange) error {
		if x.Answered() && !x.Limited() && x.Status() != http.StatusServiceUnavailable {
			judged++
		}
		return nil
	}
	c, err := client.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	begun := time.Now()
	next := make(chan struct{}, calls)
	for range calls {
		next <- struct{}{}
	}
	close(next)
	var all sync.WaitGroup
	for range atATime {
		all.Go(func() {
			for range next {
				if _, err := c.Send(t.Context(), list); err != nil {
					return
				}
			}
		})
	}
	all.Wait()
	return time.Since(begun), judged, c.Err()
}

func status(code int, headers ...string) (*http.Response, error) {
	h := http.Header{}
	for i := 0; i+1 < len(headers); i += 2 {
		h.Set(headers[i], headers[i+1])
	}
	return &http.Response{StatusCode: code, Proto: "HTTP/1.1", Header: h, Body: http.NoBody}, nil
}

var errReset = errors.New("stream error: stream ID 7; INTERNAL_ERROR; received from peer")

// slow waits, unless the request ends before.
func slow(r *http.Request, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-r.Context().Done():
		return r.Context().Err()
	}
}

// TestBounds: the outages of a run last at most MaxWait together, and a target that does not give whole responses ends the run.
func TestBounds(t *testing.T) {
	type answer func(int, time.Duration, *http.Request) (*http.Response, error)
	down := func(length, every time.Duration, sign error) answer {
		return func(n int, at time.Duration, _ *http.Request) (*http.Response, error) {
			if n > 3 && at%every < length {
				return nil, sign
			}
			time.Sleep(50 * time.Millisecond)
			return status(http.StatusOK)
		}
	}
	after := func(d time.Duration) answer {
		return func(_ int, _ time.Duration, r *http.Request) (*http.Response, error) {
			if err := slow(r, d); err != nil {
				return nil, err
			}
			return status(http.StatusOK)
		}
	}
	whole := func(every int, sign error) answer {
		return func(n int, _ time.Duration, _ *http.Request) (*http.Response, error) {
			if n%every == every-1 {
				return status(http.StatusOK)
			}
			return nil, sign
		}
	}
	broken := errors.New("malformed HTTP response")
	for name, row := range map[string]struct {
		answer answer
		within time.Duration
		ends   error
		says   string
	}{
		"25 outages of 12 s": {down(12*time.Second, 15*time.Second, io.EOF), 390 * time.Second, client.ErrOutage, "the run waits 5m0s for all outages together"},
		"4 outages of 12 s": {func(n int, at time.Duration, r *http.Request) (*http.Response, error) {
			if at > 60*time.Second {
				return status(http.StatusOK)
			}
			return down(12*time.Second, 15*time.Second, io.EOF)(n, at, r)
		}, 0, nil, ""},
		"one that does not end":               {down(time.Second, time.Second, io.EOF), 6 * time.Minute, client.ErrOutage, "--max-wait"},
		"every other stream is reset, always": {whole(2, errReset), 0, nil, ""},
		"hangs":                               {after(time.Hour), 65 * time.Second, client.ErrSilent, "for 45s in all"},
		"very slow, but whole":                {after(20 * time.Second), 65 * time.Second, client.ErrSilent, "for 45s in all"},
		"slow, but whole":                     {after(3 * time.Second), 0, nil, ""},
		"never HTTP":                          {whole(1<<20, broken), 0, nil, ""},
		"every eighth is HTTP":                {whole(22, broken), 0, nil, ""}, // each call is sent three times
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				took, _, err := sendAll(t, client.Config{Transport: &scripted{answer: row.answer}}, 4000, 1)
				if !errors.Is(err, row.ends) || took > row.within && row.ends != nil || err != nil && !strings.Contains(err.Error(), row.says) {
					t.Errorf("after %s: %v; %v with %q within %s is wanted", took, err, row.ends, row.says, row.within)
				}
			})
		})
	}
}

// TestMaxOutage: a run waits for outages no longer than MaxOutage says, and for the allowance as long as MaxWait says.
func TestMaxOutage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		down := func(n int, _ time.Duration, _ *http.Request) (*http.Response, error) {
			if n > 3 {
				return nil, io.EOF
			}
			return status(http.StatusOK)
		}
		took, _, err := sendAll(t, client.Config{Transport: &scripted{answer: down}, MaxOutage: 30 * time.Second}, 100, 1)
		if !errors.Is(err, client.ErrOutage) || took > 35*time.Second || !strings.Contains(err.Error(), "the run waits 30s for all outages together") {
			t.Errorf("after %s: %v", took, err)
		}
		flaky := func(n int, _ time.Duration, _ *http.Request) (*http.Response, error) {
			if n%2 == 0 {
				return status(http.StatusServiceUnavailable, "Retry-After", "1")
			}
			return status(http.StatusOK)
		}
		if _, _, err = sendAll(t, client.Config{Transport: &scripted{answer: flaky}, MaxOutage: 30 * time.Second}, 100, 1); err == nil || !strings.Contains(err.Error(), "it answers 503; ") {
			t.Error(err)
		}
	})
}

// TestLongest: no target makes a run take longer than Config.MaxWait says, whatever it mixes, and with few or many requests at a time.
func TestLongest(t *testing.T) {
	after := func(d time.Duration, code int, headers ...string) func(r *http.Request) (*http.Response, error) {
		return func(r *http.Request) (*http.Response, error) {
			if err := slow(r, d); err != nil {
				return nil, err
			}
			return status(code, headers...)
		}
	}
	fails := func(err error) func(*http.Request) (*http.Response, error) {
		return func(*http.Request) (*http.Response, error) { return nil, err }
	}
	moves := []func(r *http.Request) (*http.Response, error){
		fails(io.EOF), fails(errReset), after(time.Hour, http.StatusOK),
		after(2900*time.Millisecond, http.StatusOK), after(29*time.Second, http.StatusOK),
		after(0, http.StatusServiceUnavailable, "Retry-After", "20"),
		after(0, http.StatusTooManyRequests, "Retry-After", "200"), after(0, http.StatusTooManyRequests, "Retry-After", "3"),
		func(*http.Request) (*http.Response, error) {
			return status(http.StatusOK, "X-RateLimit-Limit", "5", "X-RateLimit-Remaining", "0", "X-RateLimit-Reset", fmt.Sprint(time.Now().Add(4*time.Minute).Unix()))
		},
	}
	longest, ends := time.Duration(0), map[string]int{}
	for seed := range uint64(30) {
		synctest.Test(t, func(t *testing.T) {
			random := rand.New(rand.NewPCG(seed, 0))
			mix := make([]int, 20) // the same moves come in runs, or a run would end at the first
			for i := range mix {
				mix[i] = random.IntN(len(moves) + 3)
			}
			cfg := client.Config{MaxWait: client.DefaultMaxWait, Timeout: client.DefaultTimeout}
			target := &scripted{answer: func(n int, _ time.Duration, r *http.Request) (*http.Response, error) {
				move := mix[n/2%len(mix)]
				if n < 3 || move >= len(moves) {
					time.Sleep(5 * time.Millisecond)
					return status(http.StatusOK)
				}
				return moves[move](r)
			}}
			with := cfg
			with.Transport = target
			took, judged, err := sendAll(t, with, 150, 1+int(seed%3)*3)
			if most := cfg.MaxWait + cfg.Timeout*5/2 + time.Duration(judged)*(cfg.Timeout/10+3*time.Second); took > most {
				t.Errorf("seed %d: %s with %d responses, and at most %s is wanted; it ended with %v", seed, took, judged, most, err)
			}
			longest = max(longest, took)
			for name, end := range map[string]error{"silent": client.ErrSilent, "outage": client.ErrOutage, "allowance": client.ErrAllowance} {
				if errors.Is(err, end) {
					ends[name]++
				}
			}
		})
	}
	t.Logf("the longest run took %s; they ended by %v", longest, ends)
}
