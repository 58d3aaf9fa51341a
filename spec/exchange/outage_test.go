package exchange_test

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"testing"
	"time"

	"petconform/spec/exchange"
)

// TestUnended: each exchange is its sending and its end in seconds, its status, and its failure.
func TestUnended(t *testing.T) {
	type x struct {
		sent, ended float64
		status      int
		kind        exchange.Kind
	}
	for name, row := range map[string]struct {
		all  []x
		want []int
	}{
		"an outage that ends":                {[]x{{0, 1, 200, ""}, {2, 3, 503, ""}, {3, 4, 200, ""}}, nil},
		"one that does not":                  {[]x{{0, 1, 200, ""}, {2, 3, 503, ""}, {3, 4, 0, exchange.Unreachable}}, []int{2, 3}},
		"what was answered was sent earlier": {[]x{{0, 1, 200, ""}, {2, 4, 502, ""}, {3, 5, 201, ""}}, []int{2}},
		"a refusal is an answer":             {[]x{{0, 1, 200, ""}, {2, 3, 504, ""}, {3, 4, 429, ""}}, nil},
		"so is a response that breaks off":   {[]x{{0, 1, 200, ""}, {2, 3, 504, ""}, {3, 4, 200, exchange.Closed}}, nil},
		"a connection that closes":           {[]x{{0, 1, 200, ""}, {2, 3, 0, exchange.Closed}}, []int{2}},
		"a probe in vain":                    {[]x{{0, 1, 200, ""}, {2, 3, 503, ""}, {3, 4, 503, exchange.Outage}}, []int{2, 3}},
		"what the run stopped":               {[]x{{0, 1, 200, ""}, {2, 3, 503, ""}, {3, 4, 0, exchange.Stopped}}, []int{2}},
		"a time-out":                         {[]x{{0, 1, 200, ""}, {2, 3, 0, exchange.Timeout}}, nil},
		"nobody was there":                   {[]x{{0, 1, 503, ""}, {2, 3, 0, exchange.Unreachable}}, nil},
		"a server error":                     {[]x{{0, 1, 200, ""}, {2, 3, 500, ""}}, nil},
	} {
		var all []exchange.Exchange
		seconds := func(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
		for i, x := range row.all {
			one := exchange.Exchange{N: i + 1, Sent: time.Unix(0, 0).Add(seconds(x.sent)), Done: seconds(x.ended - x.sent)}
			if x.status != 0 {
				one.Response = &exchange.Response{Status: x.status}
			}
			if x.kind != "" {
				one.Failure = &exchange.Failure{Kind: x.kind}
			}
			all = append(all, one)
		}
		if got := slices.Sorted(maps.Keys(exchange.Unended(all))); fmt.Sprint(got) != fmt.Sprint(row.want) {
			t.Errorf("%s: want %v, got %v", name, row.want, got)
		}
	}
}

// TestServerTime: a cache's Age tells how long ago the Date was, so that a cached response shows no clock that differs.
func TestServerTime(t *testing.T) {
	received := time.Date(2026, time.March, 4, 5, 6, 7, 0, time.UTC)
	sent := received.Add(-time.Hour).Format(http.TimeFormat)
	for want, h := range map[time.Duration]http.Header{
		0: {"Date": {sent}, "Age": {"3600"}}, -time.Hour: {"Date": {sent}, "Age": {"-3600"}}, -59 * time.Minute: {"Date": {sent}, "Age": {"60"}},
	} {
		if got := exchange.ServerTime(h, received); !got.Equal(received.Add(want)) {
			t.Errorf("%v: %s", h, got)
		}
	}
}
