package client

import (
	"net/http"
	"testing"
	"time"

	"petconform/spec"
	"petconform/spec/exchange"
)

// Whatever the headers say, the pacer admits a request or waits for a limited time.
func FuzzPacer(f *testing.F) {
	f.Add("60", "59", "1767225660", "1", 200)
	f.Add("60", "0", "9223372036854775807", "9999999999", 429)
	f.Add("-1", "5", "-9223372036854775808", "", 429)
	f.Add("1000", "0", "1767312000", "soon", 200)
	f.Fuzz(func(t *testing.T, limit, remaining, reset, after string, status int) {
		const most = time.Minute
		p := &pacer{maxWait: most}
		h := http.Header{}
		for name, value := range map[string]string{spec.HeaderLimit: limit, spec.HeaderRemaining: remaining, spec.HeaderReset: reset, spec.HeaderRetryAfter: after} {
			h.Set(name, value)
		}
		now := time.Now()
		for range 3 {
			_, wait := p.try(now)
			if wait < 0 || wait > most+time.Minute+resetSlack && status != http.StatusTooManyRequests { // the client ends such a wait
				t.Fatalf("got a wait of %s, want 0 to %s", wait, most+time.Minute+resetSlack)
			}
			if wait == 0 {
				p.observe(exchange.Exchange{N: 1, Auth: exchange.Key, Sent: now, Response: &exchange.Response{Status: status, Header: h}})
			}
		}
	})
}
