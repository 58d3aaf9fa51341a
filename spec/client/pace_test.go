package client_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"petconform/spec/client"
	"petconform/spec/exchange"
)

// window is a transport with a fixed-window limiter.
type window struct {
	limit  int
	length time.Duration
	// header changes the headers of an answer.
	header func(h http.Header)

	mu      sync.Mutex
	begun   time.Time
	used    int
	refused int
	early   int
	// told is when the first 429 of a window was answered, until the end of its Retry-After.
	told, until time.Time
}

func (w *window) RoundTrip(r *http.Request) (*http.Response, error) {
	time.Sleep(5 * time.Millisecond)
	w.mu.Lock()
	defer w.mu.Unlock()
	now := time.Now()
	if now.Sub(w.begun) >= w.length {
		w.begun, w.used = now, 0
	}
	if now.Before(w.until) && now.After(w.told.Add(5*time.Millisecond)) { // those under way can't be called back
		w.early++
	}
	reset := w.begun.Add(w.length)
	h := http.Header{"Date": {now.UTC().Format(http.TimeFormat)}}
	status := http.StatusOK
	if w.used >= w.limit {
		if status = http.StatusTooManyRequests; !w.until.Equal(reset) {
			w.told, w.until = now, reset
		}
		w.refused++
		h.Set("Retry-After", fmt.Sprint(int(reset.Sub(now).Seconds()+0.999)))
	} else {
		w.used++
	}
	h.Set("X-RateLimit-Limit", fmt.Sprint(w.limit))
	h.Set("X-RateLimit-Remaining", fmt.Sprint(w.limit-w.used))
	h.Set("X-RateLimit-Reset", fmt.Sprint(reset.Unix()))
	if w.header != nil {
		w.header(h)
	}
	if status == http.StatusTooManyRequests && h.Get("Retry-After") == "" { // nothing said when a request is early
		w.until = time.Time{}
	}
	return &http.Response{StatusCode: status, Proto: "HTTP/1.1", Header: h, Body: io.NopCloser(strings.NewReader("[]")), Request: r}, nil
}

// spend sends n requests in a synctest bubble, several at the same time.
func spend(t *testing.T, transport http.RoundTripper, n, atATime int) (took time.Duration, err error) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		took, _, err = sendAll(t, client.Config{Transport: transport}, n, atATime)
	})
	return took, err
}

func TestTheAllowanceIsPacedWithoutA429(t *testing.T) {
	for _, atATime := range []int{1, 8, 64} {
		for _, limit := range []int{3, 10, 60, 300} {
			w := &window{limit: limit, length: time.Minute}
			took, err := spend(t, w, limit*2, atATime)
			if err != nil || w.refused > 0 {
				t.Errorf("limit %d, %d at a time: %d answers of 429, error %v", limit, atATime, w.refused, err)
			}
			if took > 4*time.Minute {
				t.Errorf("limit %d, %d at a time: it took %s to spend two windows", limit, atATime, took)
			}
		}
	}
}

// TestHeadersThatDoNotSay: a 429 is waited out where the headers do not show it coming, figures of another kind neither hold the
// run up nor make it meet one, and a wait that is too long ends the run at the first 429 that asks for it.
func TestHeadersThatDoNotSay(t *testing.T) {
	zero := func(h http.Header) { h.Set("X-RateLimit-Remaining", "0") }
	left := 1000
	ofADay := func(h http.Header) {
		left--
		h.Set("X-RateLimit-Limit", "1000")
		h.Set("X-RateLimit-Remaining", fmt.Sprint(left))
		h.Set("X-RateLimit-Reset", fmt.Sprint(time.Now().Add(9*time.Hour).Unix()))
	}
	none := func(h http.Header) {
		for _, name := range []string{"Retry-After", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"} {
			h.Del(name)
		}
	}
	after := func(field string) func(http.Header) { // beyond what a time holds: the longest wait, and not none
		return func(h http.Header) {
			if h.Get("Retry-After") != "" {
				h.Set("Retry-After", field)
			}
		}
	}
	const long = 10 * time.Hour
	for name, row := range map[string]struct {
		limit, n, atATime int
		length            time.Duration
		header            func(http.Header)
		refused           [2]int // at least, and at most
		least, most       time.Duration
		says              string
	}{
		"no headers to pace by":        {20, 50, 4, time.Minute, func(h http.Header) { h.Del("X-RateLimit-Remaining") }, [2]int{1, 50}, 2 * time.Minute, time.Hour, ""},
		"remaining lies":               {20, 50, 4, time.Minute, func(h http.Header) { h.Set("X-RateLimit-Remaining", "1000000") }, [2]int{1, 50}, 2 * time.Minute, time.Hour, ""},
		"remaining is always 0":        {1000, 100, 8, time.Minute, zero, [2]int{}, 0, 3 * time.Minute, ""},
		"the figures of a day":         {60, 130, 8, time.Minute, ofADay, [2]int{}, time.Minute, time.Hour, ""},
		"no Retry-After":               {2, 3, 1, time.Minute, none, [2]int{1, 7}, time.Minute, time.Hour, ""},
		"no Retry-After, for long":     {2, 3, 1, long, none, [2]int{8, 8}, time.Minute, time.Hour, "8 without a valid Retry-After"},
		"spent for long":               {2, 5, 1, long, nil, [2]int{1, 1}, 0, time.Minute, "--max-wait"},
		"Retry-After beyond int64":     {2, 5, 1, long, after("9223372036854775808"), [2]int{1, 1}, 0, time.Minute, "--max-wait"},
		"Retry-After far beyond int64": {2, 5, 1, long, after("1000000000000000000000000000000"), [2]int{1, 1}, 0, time.Minute, "--max-wait"},
		"Retry-After in the year 9999": {2, 5, 1, long, after("Fri, 31 Dec 9999 23:59:59 GMT"), [2]int{1, 1}, 0, time.Minute, "--max-wait"},
	} {
		w := &window{limit: row.limit, length: row.length, header: row.header}
		took, err := spend(t, w, row.n, row.atATime)
		if row.says == "" && err != nil || row.says != "" && (!errors.Is(err, client.ErrAllowance) || !strings.Contains(err.Error(), row.says)) ||
			w.early > 0 || w.refused < row.refused[0] || w.refused > row.refused[1] || took < row.least || took > row.most {
			t.Errorf("%s: %d answers of 429, %d early requests, %s, error %v", name, w.refused, w.early, took, err)
		}
	}
}

// TestAnotherLimiterDoesNotHoldTheRunUp: a path that the interface does not name may be answered by a gateway, whose limiter is full.
func TestAnotherLimiterDoesNotHoldTheRunUp(t *testing.T) {
	w := &window{limit: 1000, length: time.Minute}
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		c, err := client.New(client.Config{Base: &url.URL{Scheme: "http", Host: "pets.test"}, Key: exchange.NewSecret(key), Transport: w})
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range []string{"/pets", "/elsewhere", "/pets"} {
			w.header = func(h http.Header) {
				if path == "/elsewhere" {
					h.Set("X-RateLimit-Limit", "60")
					h.Set("X-RateLimit-Remaining", "0")
				}
			}
			if _, err := c.Send(t.Context(), client.Call{Check: "test", Method: "GET", Path: path}); err != nil {
				t.Fatal(err)
			}
		}
		if took := time.Since(begun); took > time.Second {
			t.Errorf("three requests took %s", took)
		}
	})
}

// burst is a transport that limits requests in a second, which no header shows. A 429 comes 1 ms after the other answers of the
// same moment: how many the client has accepted by then sets its spacing, and may not depend on the scheduler.
type burst struct {
	most    int
	taken   []time.Time
	refused int
	mu      sync.Mutex
}

func (b *burst) RoundTrip(r *http.Request) (*http.Response, error) {
	time.Sleep(5 * time.Millisecond)
	now := time.Now()
	status, h := b.answer(now)
	if status == http.StatusTooManyRequests {
		time.Sleep(time.Millisecond)
	}
	return &http.Response{StatusCode: status, Proto: "HTTP/1.1", Header: h, Body: io.NopCloser(strings.NewReader("[]")), Request: r}, nil
}

func (b *burst) answer(now time.Time) (int, http.Header) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for len(b.taken) > 0 && now.Sub(b.taken[0]) >= time.Second {
		b.taken = b.taken[1:]
	}
	h := http.Header{"X-Ratelimit-Limit": {"60000"}, "X-Ratelimit-Remaining": {"59000"}, "X-Ratelimit-Reset": {fmt.Sprint(now.Unix() + 60)}}
	if len(b.taken) >= b.most {
		b.refused++
		h.Set("Retry-After", "1")
		return http.StatusTooManyRequests, h
	}
	b.taken = append(b.taken, now)
	return http.StatusOK, h
}

func TestALimiterThatNoHeaderSpeaksOfIsLearned(t *testing.T) {
	b := &burst{most: 5}
	// 120 requests at five a second are 24 s; the first burst may be refused, and little after it.
	if took, err := spend(t, b, 120, 8); err != nil || took > 45*time.Second || b.refused > 12 {
		t.Errorf("120 requests took %s with %d answers of 429: %v", took, b.refused, err)
	}
}
