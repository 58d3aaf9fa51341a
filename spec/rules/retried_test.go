package rules

import (
	"fmt"
	"net/http"
	"strconv"
	"testing"
	"time"

	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/history"
)

// TestRetried: who waited for Retry-After is served, if nobody else of the key was. Fewer than three of one call may be
// another client's doing.
func TestRetried(t *testing.T) {
	began := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	type sent struct {
		step            string
		attempt, status int
		at, retryAfter  time.Duration
	}
	for name, row := range map[string]struct {
		all  []sent
		want int
	}{
		"served":                {[]sent{{"a", 1, 429, 0, 2}, {"a", 2, 200, 3, 0}}, 0},
		"refused thrice":        {[]sent{{"a", 1, 429, 0, 2}, {"a", 2, 429, 3, 2}, {"a", 3, 429, 6, 2}, {"a", 4, 429, 9, 2}}, 1},
		"refused thrice, of 0":  {[]sent{{"a", 1, 429, 0, 0}, {"a", 2, 429, 1, 0}, {"a", 3, 429, 2, 0}, {"a", 4, 429, 3, 0}}, 1},
		"three side by side":    {[]sent{{"a", 1, 429, 0, 2}, {"b", 1, 429, 0, 2}, {"c", 1, 429, 0, 2}, {"a", 2, 429, 3, 2}, {"b", 2, 429, 3, 2}, {"c", 2, 429, 3, 2}}, 0},
		"refused once":          {[]sent{{"a", 1, 429, 0, 2}, {"a", 2, 429, 3, 2}, {"a", 3, 200, 6, 0}}, 0},
		"did not wait":          {[]sent{{"a", 1, 429, 0, 9}, {"a", 2, 429, 3, 9}, {"a", 3, 429, 6, 9}}, 0},
		"another one is served": {[]sent{{"a", 1, 429, 0, 1}, {"b", 1, 200, 2, 0}, {"a", 2, 429, 3, 1}, {"b", 2, 200, 5, 0}, {"a", 3, 429, 6, 1}}, 0},
	} {
		var all []history.Exchange
		for i, s := range row.all {
			h := http.Header{"Retry-After": {strconv.Itoa(int(s.retryAfter))}}
			all = append(all, history.ReadExchange(exchange.Exchange{N: i + 1, Check: "c", Step: s.step, Attempt: s.attempt, Auth: exchange.Key, Operation: spec.ListPets,
				Request:  exchange.Request{Method: "GET", Path: "/pets"},
				Response: &exchange.Response{Status: s.status, Header: h, Body: exchange.Body("[]")}, Sent: began.Add(s.at * time.Second), Done: time.Millisecond}))
		}
		if got := retriedIsServed(history.From(exchange.Meta{}, nil, all)); len(got.Broken) != row.want {
			t.Errorf("%s: %d refusals are told, %d are wanted: %v", name, len(got.Broken), row.want, got.Broken)
		}
	}
}

// TestMilliseconds: a Retry-After that is a thousand times the time to the reset.
func TestMilliseconds(t *testing.T) {
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	for wait, want := range map[int]bool{30: false, 60: false, 3_600: false, 27_900: false, 28_100: true, 30_000: true, 30_900: true, 45_000: false} {
		h := http.Header{"Date": {now.Format(http.TimeFormat)}, "X-Ratelimit-Limit": {"60"}, "X-Ratelimit-Remaining": {"0"},
			"X-Ratelimit-Reset": {fmt.Sprint(now.Unix() + 30)}, "Retry-After": {strconv.Itoa(wait)}}
		x := history.ReadExchange(exchange.Exchange{N: 1, Auth: exchange.Key, Operation: spec.ListPets, Request: exchange.Request{Method: "GET", Path: "/pets"},
			Response: &exchange.Response{Status: 429, Header: h}, Sent: now, Done: time.Millisecond})
		if got := len(retryAfter(x).Broken) > 0; got != want {
			t.Errorf("Retry-After %d, 30 s before the reset: broken %t, want %t", wait, got, want)
		}
	}
}
