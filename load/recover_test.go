package load

import (
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"petconform/spec"
	"petconform/spec/reference/limiter"
	"petconform/spec/verdict"
)

// late is a service whose 429s ask to wait so many seconds longer in Retry-After than in Reset.
type late struct {
	http.ResponseWriter
	by int
}

func (w late) WriteHeader(status int) {
	if status == http.StatusTooManyRequests {
		asked, _ := strconv.Atoi(w.Header().Get(spec.HeaderRetryAfter))
		w.Header().Set(spec.HeaderRetryAfter, strconv.Itoa(asked+w.by))
	}
	w.ResponseWriter.WriteHeader(status)
}

// TestResetBeforeRetryAfter has a Reset that comes before the end of Retry-After. A run proves both, except a Retry-After that is longer
// than it waits.
func TestResetBeforeRetryAfter(t *testing.T) {
	t.Parallel()
	for _, kind := range limiter.Kinds() {
		for _, by := range []int{1, 2, 3, 5, 30, 3600} {
			for _, fast := range []bool{false, true} {
				s := scene{kind: kind, handler: func(h http.Handler) http.Handler {
					return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { h.ServeHTTP(late{w, by}, r) })
				}}
				if fast {
					s = quick(s)
				}
				res, _ := s.play(t)
				if by < 3600 && passed(res, "RATE-8") && (holds(res) || res.Verdict == verdict.Conforms) {
					continue
				}
				if untold := "RATE-8 is inconclusive: the run did not wait until Retry-After had passed"; by < 3600 || len(failures(res)) > 0 ||
					!strings.Contains(res.Reasons.String(), untold) {
					tellResults(t, res)
					t.Errorf("%s, quick %v: Retry-After is %d s longer than Reset: failed %v, %q", kind, fast, by, failures(res), res.Reasons)
				}
			}
		}
	}
}

// TestAQueueConforms has a limiter that delays the last requests of an allowance until a bucket has gained a token. So requests that are
// sent one after the other, as in a fill, are never refused, but those of the overload are.
func TestAQueueConforms(t *testing.T) {
	t.Parallel()
	queue := func(h http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			h.ServeHTTP(w, r)
			left, err := strconv.Atoi(w.Header().Get(spec.HeaderRemaining))
			if err == nil && left < 5 && w.Header().Get(spec.HeaderRetryAfter) == "" {
				time.Sleep(1100 * time.Millisecond)
			}
		})
	}
	res, _ := scene{kind: limiter.TokenBucket, handler: queue}.play(t)
	if res.Verdict != verdict.Conforms || !passed(res, "RATE-8") {
		tellResults(t, res)
		t.Errorf("a queue is lawful; got %s, %q", res.Verdict, res.Reasons)
	}
	for _, o := range res.Observations {
		if o.Requirement == "RATE-17" && o.Value != "they apply" {
			t.Errorf("the overload had 429s, and the observation is %q", o.Value)
		}
	}
}
