package rules_test

import (
	"net/http"
	"testing"
	"time"

	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/history"
	"petconform/spec/rules"
)

// Whatever an answer holds, every rule has something to say of it, and what it finds broken is in the ledger and told.
func FuzzRules(f *testing.F) {
	f.Add("GET", "/pets", 200, []byte(`[{"id":1,"name":"a","categoryId":1}]`), "X-RateLimit-Reset", "1767225600")
	f.Add("POST", "/pets", 201, []byte(`{"id":"1"}`), "Content-Type", "application/json; charset=\"")
	f.Add("GET", "/pets/1", 200, []byte(`{"id":2}`), "Deprecation", "@99999999999999")
	f.Add("GET", "/pets/1", 410, []byte(`{"code":1,"message":null,"status":410.0}`), "Sunset", "Wed, 05 Dec 2030 00:00:00 GMT")
	f.Add("GET", "/store/orders", 429, []byte(""), "Retry-After", "-1")
	f.Add("PATCH", "/pets", 405, []byte("{}"), "WWW-Authenticate", ",,")
	f.Fuzz(func(t *testing.T, method, path string, status int, body []byte, name, value string) {
		if len(body) > 1<<16 {
			return
		}
		sent := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
		h := http.Header{}
		for _, field := range []string{"X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"} {
			h.Set(field, "60")
		}
		h.Add(name, value)
		var all []exchange.Exchange
		for n, auth := range []exchange.Auth{exchange.Key, exchange.NoKey, exchange.Key} {
			all = append(all, exchange.Exchange{N: n + 1, Operation: spec.OperationOf(method, path), Auth: auth, Sent: sent,
				Request: exchange.Request{Method: method, Path: path, Body: body}, Response: &exchange.Response{Status: status, Header: h, Body: body}})
		}
		checks, seen := rules.Judge(rules.All(), history.Of(&exchange.Recording{Meta: exchange.Meta{Target: path}, Exchanges: all}))
		for _, c := range checks {
			for _, found := range c.Findings {
				if _, known := spec.TheLedger().Find(found.Requirement); !known || found.Message == "" || found.Expected == "" || found.Actual == "" {
					t.Errorf("%s finds what is not told in full: %+v", c.ID, found)
				}
			}
		}
		for _, o := range seen {
			if q, known := spec.TheLedger().Find(o.Requirement); !known || q.Level != spec.Open {
				t.Errorf("observed is %s, which is not an open question", o.Requirement)
			}
		}
	})
}
