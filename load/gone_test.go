package load

import (
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"petconform/spec/exchange"
	"petconform/spec/verdict"
)

// A key that is a wrong one is no fault of the target, be it the plan's or the other one.
func TestAWrongKeyIsNoFinding(t *testing.T) {
	for name, change := range map[string]func(*Config){
		"the plan's": func(c *Config) { c.Plans[0].Key = exchange.NewSecret("mistyped-0123456789") },
		"the other":  func(c *Config) { c.OtherKey = exchange.NewSecret("mistyped-0123456789") },
	} {
		res, _ := scene{change: change}.play(t)
		if res.Verdict != verdict.NoVerdict {
			t.Errorf("%s key is mistyped; no verdict was wanted, not %s, %v", name, res.Verdict, failures(res))
		}
	}
}

// A target that goes away in the middle is not called again and again.
func TestATargetThatGoesAway(t *testing.T) {
	n := atomic.Int64{}
	s := scene{handler: func(h http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if n.Add(1) > 200 {
				time.Sleep(time.Hour)
			}
			h.ServeHTTP(w, r)
		})
	}, change: func(c *Config) { c.Timeout = time.Second }}
	res, _ := s.play(t)
	if res.Verdict != verdict.NoVerdict || res.Requests > 200+mostSilent+32 {
		t.Errorf("no verdict was wanted, after a few more requests; it was %s after %d: %q", res.Verdict, res.Requests, failures(res))
	}
}
