package client

import (
	"net/http"
	"testing"
	"time"

	"petconform/spec"
	"petconform/spec/exchange"
)

// A base address that is accepted is http or https, has a host, and has no user name or password.
func FuzzParseBase(f *testing.F) {
	for _, raw := range []string{"http://pets.example/v1", "https://h/v1/", "http://user:word@h", "//h", "http://h/?a", "http://h/%zz", "http://[::1]:80/v1", " http://h ", "http://h#x", "http:///v1"} {
		f.Add(raw)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		u, err := ParseBase(raw)
		if err != nil {
			return
		}
		if u.Host == "" || u.User != nil || u.RawQuery != "" || u.ForceQuery || u.Fragment != "" || u.Scheme != "http" && u.Scheme != "https" {
			t.Errorf("%q is accepted as the base address %q", raw, u)
		}
		if _, err := http.NewRequest(http.MethodGet, u.String()+"/pets", nil); err != nil {
			t.Errorf("%q is accepted, and no request can be made from it: %v", raw, err)
		}
	})
}

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
