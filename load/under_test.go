package load

import (
	"fmt"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"petconform/spec"
	"petconform/spec/reference/limiter"
	"petconform/spec/verdict"
)

// TestASlowRefillOfASlowTarget: responses of a second leave the rate just under the plan's, so that a bucket which refills at 9/10 is found.
func TestASlowRefillOfASlowTarget(t *testing.T) {
	t.Parallel()
	for _, latency := range []time.Duration{600 * time.Millisecond, time.Second} {
		res, _ := scene{kind: limiter.TokenBucket, latency: latency, deviations: []string{"plan-refills-a-tenth-slowly"}}.play(t)
		if !slices.Equal(failures(res), []spec.ID{"RATE-7"}) {
			wrong(t, res, "responses of %s: failed %v", latency, failures(res))
		}
	}
}

// TestNothingIsServedJustUnderTheRate: a target that answers 403 throughout the phase, as to a banned key, has not passed it.
func TestNothingIsServedJustUnderTheRate(t *testing.T) {
	t.Parallel()
	var under atomic.Bool
	res, _ := scene{change: func(c *Config) { c.Progress = func(e Event) { under.Store(e.Phase == "under") } },
		serve: func(next http.Handler, w http.ResponseWriter, r *http.Request) {
			if under.Load() {
				w = forbidden{w}
			}
			next.ServeHTTP(w, r)
		}}.play(t)
	if c, _ := res.Check("load-free-under"); c.Verdict == verdict.Passed || res.Verdict == verdict.Conforms {
		wrong(t, res, "the phase %s, and the run %s", c.Verdict, res.Verdict)
	}
}

// forbidden makes each response a 403 with an Error body.
type forbidden struct{ http.ResponseWriter }

func (w forbidden) WriteHeader(int) {
	w.Header().Del("Content-Length")
	w.ResponseWriter.WriteHeader(http.StatusForbidden)
}

func (w forbidden) Write(p []byte) (int, error) {
	_, err := fmt.Fprint(w.ResponseWriter, `{"code":"banned","message":"The key is banned.","status":403}`)
	return len(p), err
}

// TestALookThatIsLost says nothing of what is left: the fill after it waits for a fresh allowance, as any other.
func TestALookThatIsLost(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var last time.Time
	lost := 0
	res, _ := scene{kind: limiter.SlidingCounter, change: func(c *Config) { c.Timeout = time.Second },
		serve: func(next http.Handler, w http.ResponseWriter, r *http.Request) {
			mu.Lock()
			silence := time.Since(last)
			last = time.Now()
			hangs := silence > 2*time.Minute && silence < time.Hour && lost == 0
			if hangs {
				lost++
			}
			mu.Unlock()
			if hangs {
				time.Sleep(2 * time.Second)
			}
			next.ServeHTTP(w, r)
		}}.play(t)
	if lost != 1 || res.Verdict != verdict.Conforms {
		wrong(t, res, "%d lost: %s", lost, res.Verdict)
	}
}
