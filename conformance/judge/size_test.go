package judge

import (
	"net/http"
	"testing"
	"time"

	"petconform/spec/exchange"
)

// TestAffords checks which X-RateLimit-Limit lets a run of 987 requests be full.
func TestAffords(t *testing.T) {
	for limit, want := range map[string]bool{
		"": true, "60": false, "300": false, "1000": false, "1974": false, "1976": true, "6000": true, "1000000": true,
		"10000": false, "100000": false, // the days of Pro and Business, whose minutes are 300 and 1,000
	} {
		x := exchange.Exchange{Response: &exchange.Response{Status: http.StatusOK, Header: http.Header{}}}
		if limit != "" {
			x.Response.Header.Set("X-RateLimit-Limit", limit)
		}
		if got := Affords(x, 987); got != want {
			t.Errorf("X-RateLimit-Limit %q: full is %t, want %t", limit, got, want)
		}
	}
}

// TestSizeOf: what a run says of its size, from the limit that the first response shows.
func TestSizeOf(t *testing.T) {
	const quick, full = "a quick run of 1 request", "; a full one (--deep) sends about 1,000"
	for _, row := range []struct {
		limit        string
		deep, fitted bool
		want         string
	}{
		{"60", false, true, quick + ", since the key may send 60 a minute" + full + " and takes 17 of the target's minutes and all 1,000 requests of a day"},
		{"300", false, true, quick + ", since the key may send 300 a minute" + full + " and takes 4 of the target's minutes"},
		{"500", false, true, quick + ", since the key may send 500 in a window" + full},
		{"", false, false, quick + full},
		{"", true, true, "a full run of 1 request, since the target shows no limit"},
	} {
		x := exchange.Exchange{Response: &exchange.Response{Status: http.StatusOK, Header: http.Header{}}}
		if row.limit != "" {
			x.Response.Header.Set("X-RateLimit-Limit", row.limit)
		}
		rec := &exchange.Recording{Meta: exchange.Meta{Kind: "check", Deep: row.deep, Fitted: row.fitted, AsOf: time.Now().UTC()},
			Exchanges: []exchange.Exchange{x}}
		if got := sizeOf(rec); got != row.want {
			t.Errorf("X-RateLimit-Limit %q: %s\n%s is wanted", row.limit, got, row.want)
		}
	}
}
