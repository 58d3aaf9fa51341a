package load

import (
	"flag"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"petconform/load/record"
	"petconform/spec"
	"petconform/spec/reference"
	"petconform/spec/reference/freedoms"
	"petconform/spec/reference/limiter"
	"petconform/spec/reference/store"
	"petconform/spec/verdict"
)

// TestEveryKindOfLimiterConforms runs each kind of limiter with each plan.
func TestEveryKindOfLimiterConforms(t *testing.T) {
	t.Parallel()
	for _, kind := range limiter.Kinds() {
		for _, plan := range []spec.Plan{spec.Free, spec.Pro, spec.Business} {
			t.Run(string(kind)+"/"+plan.Name, func(t *testing.T) {
				t.Parallel()
				res, rec := scene{kind: kind, plans: []spec.Plan{plan}}.play(t)
				t.Logf("took %s", rec.End.Ended.Sub(rec.Meta.Started))
				if res.Verdict != verdict.Conforms || testing.Verbose() {
					tellResults(t, res)
				}
				if res.Verdict != verdict.Conforms {
					t.Errorf("%s of %s is lawful, and the verdict was %s", kind, plan.Name, res.Verdict)
				}
				if !slices.ContainsFunc(res.Observations, func(o verdict.Observation) bool {
					return o.Key == plan.Name+": kind of limiter" && slices.Contains(strings.Split(o.Value, ", or "), kindNames[kind])
				}) {
					t.Errorf("%q should be among the kinds that are observed: %+v", kindNames[kind], res.Observations)
				}
			})
		}
	}
}

var kindNames = map[limiter.Kind]string{
	limiter.FixedFirst: "fixed window from the first request", limiter.FixedClock: "fixed window on the clock", limiter.SlidingLog: "sliding log",
	limiter.SlidingCounter: "sliding counter", limiter.TokenBucket: "token bucket or GCRA", limiter.GCRA: "token bucket or GCRA",
	limiter.SteppedBucket: "token bucket or GCRA",
}

var runs = flag.Int("runs", 1, "how many times each row of the matrix is run, each time at another moment and pace")

// moments gives run i a start within a minute, a latency and a seed, so that windows end at another time in each run.
func moments(i int, s scene) scene {
	s.after = time.Duration(i)*7_310*time.Millisecond + time.Duration(i*i)*37*time.Millisecond
	s.latency = []time.Duration{time.Millisecond, 300 * time.Microsecond, 4 * time.Millisecond, 15 * time.Millisecond, 40 * time.Millisecond}[i%5]
	if s.slow > 0 {
		s.latency = s.slow
	}
	change := s.change
	s.change = func(c *Config) {
		c.Seed = uint64(i)
		if change != nil {
			change(c)
		}
	}
	return s
}

// kinds returns all kinds of limiter; with -short, the two that differ most.
func kinds() []limiter.Kind {
	if testing.Short() {
		return []limiter.Kind{limiter.FixedFirst, limiter.TokenBucket}
	}
	return limiter.Kinds()
}

// untoldFreedoms are the freedoms on which every run may have no verdict, with the reason.
var untoldFreedoms = map[string]string{
	"others-use-the-key": "someone else's requests are refused or not as ours are",
}

// TestEveryFreedomConforms switches on each freedom with each kind of limiter.
func TestEveryFreedomConforms(t *testing.T) {
	t.Parallel()
	for _, f := range freedoms.All() {
		for _, kind := range kinds() {
			t.Run(f.Name+"/"+string(kind), func(t *testing.T) {
				t.Parallel()
				s := scene{kind: kind, freedoms: []string{f.Name}}
				if f.Name == "remaining-in-thousands" { // it shows on large plans only
					s.plans = []spec.Plan{{Name: "Enterprise", PerMinute: 3100, PerDay: 1_000_000}}
				}
				lawful(t, s, untoldFreedoms[f.Name])
			})
		}
	}
}

func TestEveryKindConformsAtAnyMoment(t *testing.T) {
	t.Parallel()
	for _, kind := range limiter.Kinds() {
		for _, plan := range []spec.Plan{spec.Free, spec.Pro, spec.Business} {
			t.Run(string(kind)+"/"+plan.Name, func(t *testing.T) {
				t.Parallel()
				lawful(t, scene{kind: kind, plans: []spec.Plan{plan}}, "")
			})
		}
	}
}

// lawful fails the test if a run finds a deviation, or if more than a quarter of the runs have no verdict. untold says why every run
// may have none; it is empty if there is no such reason.
func lawful(t *testing.T, s scene, untold string) {
	t.Helper()
	n := 0
	for i := range *runs {
		res, rec := moments(i, s).play(t)
		switch res.Verdict {
		case verdict.Conforms:
		case verdict.NoVerdict:
			n++
			t.Logf("run %d: no verdict after %s: %q", i, rec.End.Ended.Sub(rec.Meta.Started), res.Reasons)
		default:
			t.Errorf("run %d: a lawful service deviates", i)
			tellResults(t, res)
		}
	}
	if untold == "" && 4*n > *runs {
		t.Errorf("no verdict %d times of %d; want a quarter at most", n, *runs)
	}
}

// TestSlowTargetsAreNotCalledWrong has responses that take so long that a fill does not end within its window. Such a run may be
// inconclusive, but the requests that the next window accepts are no finding.
func TestSlowTargetsAreNotCalledWrong(t *testing.T) {
	t.Parallel()
	for _, kind := range kinds() {
		for _, s := range []struct {
			minute, latency time.Duration
			untold          string
		}{
			{4 * time.Second, 150 * time.Millisecond, ""},
			{4 * time.Second, 600 * time.Millisecond, "the limit is not reached by few requests at a time"},
			{4 * time.Second, 3 * time.Second, "the limit is not reached before the window is over"},
			{time.Minute, time.Second, ""},
			{time.Minute, 7 * time.Second, "the limit is not reached by few requests at a time"},
		} {
			if bucket := kind == limiter.TokenBucket || kind == limiter.GCRA; bucket && s.untold == "" {
				s.untold = "a bucket gains a request while the createPet that is to be refused is on its way"
			}
			t.Run(fmt.Sprintf("%s/%s of %s", kind, s.latency, s.minute), func(t *testing.T) {
				t.Parallel()
				lawful(t, scene{kind: kind, slow: s.latency, refer: func(rc *reference.Config) { rc.Minute, rc.Day = s.minute, 1440*s.minute },
					change: func(c *Config) { c.Minute = s.minute }}, s.untold)
			})
		}
	}
}

// TestUnreadableListings checks that a run whose listings can't be read does not say that the store is full.
func TestUnreadableListings(t *testing.T) {
	s := scene{handler: func(h http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method != http.MethodGet {
				h.ServeHTTP(w, r)
				return
			}
			k := httptest.NewRecorder()
			h.ServeHTTP(k, r)
			maps.Copy(w.Header(), k.Header())
			w.Header().Del("Content-Length")
			w.WriteHeader(k.Code)
			_, _ = fmt.Fprintf(w, `{"items": %s}`, k.Body)
		})
	}}
	res, _ := s.play(t)
	for _, c := range res.Checks {
		if c.ID == record.CheckID("Free", record.RefusedCreate) && (c.Verdict != verdict.NotRun || !strings.Contains(c.Reason, "no listing could be read")) {
			t.Errorf("%s is %s: %s", c.ID, c.Verdict, c.Reason)
		}
	}
	if res.Verdict == verdict.Conforms {
		t.Error("the run conforms, and no listing shows whether refused createPets had an effect")
	}
}

// TestAFilledStoreConforms has 100 animals of each status. A listing shows at most 100, so it can't show what a refused createPet left
// behind. That phase is not applicable, and the run conforms.
func TestAFilledStoreConforms(t *testing.T) {
	s := scene{refer: func(rc *reference.Config) {
		rc.Store = store.New()
		for i := range 3 * spec.MaxLimit {
			rc.Store.Add(spec.NewPet{Name: "filler", CategoryID: 1, Status: spec.Statuses()[i%3]}, store.Sequential)
		}
	}}
	res, _ := s.play(t)
	if res.Verdict != verdict.Conforms {
		tellResults(t, res)
		t.Errorf("a filled store is lawful, and the verdict was %s", res.Verdict)
	}
	for _, c := range res.Checks {
		if c.ID == record.CheckID("Free", record.RefusedCreate) && (c.Verdict != verdict.NotApplicable || c.Reason != record.StoreFull) {
			t.Errorf("%s is %s: %s", c.ID, c.Verdict, c.Reason)
		}
	}
}
