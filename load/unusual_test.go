package load

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/reference"
	"petconform/spec/reference/limiter"
	"petconform/spec/reference/store"
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
				s := scene{kind: kind, serve: func(next http.Handler, w http.ResponseWriter, r *http.Request) { next.ServeHTTP(late{w, by}, r) }}
				if fast {
					s = quick(s)
				}
				res, _ := s.play(t)
				if by < 3600 && passed(res, "RATE-8") && (holds(res) || res.Verdict == verdict.Conforms) {
					continue
				}
				if untold := "and the run waits at most 10m0s"; by < 3600 || len(failures(res)) > 0 ||
					!strings.Contains(res.Reasons.String(), untold) {
					wrong(t, res, "%s, quick %v: Retry-After is %d s longer than Reset: failed %v, %q", kind, fast, by, failures(res), res.Reasons)
				}
			}
		}
	}
}

// TestAQueueConforms has a limiter that delays the last requests of an allowance until a bucket has gained a token. So requests that are
// sent one after the other, as in a fill, are never refused, but those of the overload are.
func TestAQueueConforms(t *testing.T) {
	t.Parallel()
	queue := func(next http.Handler, w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(w, r)
		left, err := strconv.Atoi(w.Header().Get(spec.HeaderRemaining))
		if err == nil && left < 5 && w.Header().Get(spec.HeaderRetryAfter) == "" {
			time.Sleep(1100 * time.Millisecond)
		}
	}
	res, _ := scene{kind: limiter.TokenBucket, serve: queue}.play(t)
	if res.Verdict != verdict.Conforms || !passed(res, "RATE-8") {
		wrong(t, res, "a queue is lawful; got %s, %q", res.Verdict, res.Reasons)
	}
	for _, o := range res.Observations {
		if o.Requirement == "RATE-17" && o.Value != "they apply" {
			t.Errorf("the overload had 429s, and the observation is %q", o.Value)
		}
	}
}

// delaying holds each response back until the bucket behind it has refilled to a part of the limit, as nginx's limit_req does.
type delaying struct {
	http.ResponseWriter
	part int64
}

func (d delaying) WriteHeader(status int) {
	a, ok := exchange.AllowanceOf(d.Header())
	if beyond := a.Limit/d.part - a.Remaining; ok && status != http.StatusTooManyRequests && status != http.StatusUnauthorized && beyond > 0 {
		time.Sleep(time.Duration(beyond) * time.Minute / time.Duration(a.Limit))
	}
	d.ResponseWriter.WriteHeader(status)
}

// TestABucketThatDelaysConforms has a bucket that delays requests before it refuses any, so that 16 in flight never empty it.
func TestABucketThatDelaysConforms(t *testing.T) {
	t.Parallel()
	for _, plan := range []spec.Plan{spec.Free, spec.Pro} {
		for _, part := range []int64{3, 6} {
			t.Run(fmt.Sprintf("%s/the last 1 of %d", plan.Name, part), func(t *testing.T) {
				t.Parallel()
				lawful(t, scene{kind: limiter.TokenBucket, plans: []spec.Plan{plan},
					serve: func(next http.Handler, w http.ResponseWriter, r *http.Request) { next.ServeHTTP(delaying{w, part}, r) }}, "")
			})
		}
	}
}

// only7 is a service that accepts animals of category 7 only.
func only7(next http.Handler, w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body) // of the test's own connection
	if r.Method == http.MethodPost && !regexp.MustCompile(`"categoryId":7\b`).Match(body) {
		body = []byte(`{"name":"Rex","categoryId":"unknown"}`)
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	next.ServeHTTP(w, r)
}

// TestTheCategoryOfTheTarget checks that a load run creates animals of a category that the target lists. If the target lists none and
// refuses category 1, that is no finding, and the evidence names --category-id.
func TestTheCategoryOfTheTarget(t *testing.T) {
	for name, c := range map[string]struct {
		stocked bool
		given   int64
		created int
	}{
		"a listing shows it": {true, 0, 2},
		"the flag names it":  {false, 7, 2},
		"the flag is wrong":  {true, 8, 0},
		"nobody knows it":    {false, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			stock := func(rc *reference.Config) {
				if rc.Seed, rc.Store = 0, store.New(); c.stocked {
					rc.Store.Add(spec.NewPet{Name: "Rex", CategoryID: 7, Status: spec.Available}, store.Sequential)
				}
			}
			res, _ := scene{serve: only7, refer: stock, change: func(cfg *Config) { cfg.CategoryID = c.given }}.play(t)
			told := slices.ContainsFunc(res.Checks, func(k verdict.Check) bool { return strings.Contains(k.Evidence, "--category-id") })
			if len(res.Created) != c.created || told != (c.created == 0) || len(failures(res)) > 0 || res.Verdict == verdict.Deviates {
				t.Errorf("%s, %d created, failed %v; %d are to be created", res.Verdict, len(res.Created), failures(res), c.created)
			}
		})
	}
}
