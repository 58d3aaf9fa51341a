package load

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/verdict"
)

// A wrong key, the plan's or the other one, is not a fault of the target.
func TestAWrongKeyIsNoFinding(t *testing.T) {
	for name, change := range map[string]func(*Config){
		"the plan's": func(c *Config) { c.Plans[0].Key = exchange.NewSecret("mistyped-0123456789") },
		"the other":  func(c *Config) { c.OtherKey = exchange.NewSecret("mistyped-0123456789") },
	} {
		res, _ := scene{change: change}.play(t)
		if res.Verdict != verdict.NoVerdict {
			t.Errorf("%s key is mistyped; want no verdict; got %s, %v", name, res.Verdict, failures(res))
		}
		if name == "the plan's" && passed(res, "RATE-15") {
			t.Error("RATE-15 passed, and no accepted request had headers")
		}
	}
}

func passed(res *verdict.Results, id spec.ID) bool {
	return slices.ContainsFunc(res.Requirements, func(q verdict.Requirement) bool { return q.ID == id && q.Verdict == verdict.Passed })
}

// A Retry-After that is longer than MaxWait ends the key's run.
func TestTheLongestWait(t *testing.T) {
	asks := func(h http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { h.ServeHTTP(patient{w}, r) })
	}
	for _, c := range []struct {
		longest time.Duration
		waits   bool
	}{{4 * time.Minute, false}, {0, true}} {
		res, _ := scene{handler: asks, change: func(cfg *Config) { cfg.MaxWait = c.longest }}.play(t)
		gaveUp := strings.Contains(res.Reasons.String(), "Retry-After asks to wait 5m0s, and the run waits at most 4m0s")
		if gaveUp == c.waits {
			t.Errorf("a longest wait of %s and a Retry-After of 5 minutes: %q", c.longest, res.Reasons)
		}
	}
}

// patient is a service whose 429s ask to wait five minutes, in Retry-After and in Reset.
type patient struct{ http.ResponseWriter }

func (w patient) WriteHeader(status int) {
	if status == http.StatusTooManyRequests {
		w.Header().Set(spec.HeaderRetryAfter, "300")
		w.Header().Set(spec.HeaderReset, strconv.FormatInt(time.Now().Unix()+300, 10))
	}
	w.ResponseWriter.WriteHeader(status)
}

// A target that stops responding in the middle of a run is given up after mostSilent requests.
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
		t.Errorf("want no verdict after a few more requests; got %s after %d: %q", res.Verdict, res.Requests, failures(res))
	}
}
