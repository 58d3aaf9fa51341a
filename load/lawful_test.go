package load

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"petconform/load/record"
	"petconform/spec"
	"petconform/spec/long"
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
				res := lawful(t, scene{kind: kind, plans: []spec.Plan{plan}}, "")
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
	limiter.SlidingCounter: "sliding counter", limiter.TokenBucket: "token bucket or GCRA",
	limiter.SteppedBucket: "token bucket or GCRA",
}

var runs = flag.Int("runs", 1, "how many times each row of the matrix is run, each time at another moment and pace")

// moments gives run i a start within a minute, a latency and a seed, so that windows end at another time in each run.
func moments(i int, s scene) scene {
	s.after = time.Duration(i)*7_310*time.Millisecond + time.Duration(i*i)*37*time.Millisecond
	if s.latency == 0 {
		s.latency = []time.Duration{time.Millisecond, 300 * time.Microsecond, 4 * time.Millisecond, 15 * time.Millisecond, 40 * time.Millisecond}[i%5]
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

// beside is a row of a matrix: something beside a kind of limiter.
type beside[T any] struct {
	of   T
	kind limiter.Kind
}

// besideKinds returns each row beside each kind of limiter but those that except has for its name. In short, it is one kind, which is another
// for each row.
func besideKinds[T any](t *testing.T, rows []T, name func(T) string, except map[string][]limiter.Kind) []beside[T] {
	t.Helper()
	var all []beside[T]
	kinds := limiter.Kinds()
	for i, row := range rows {
		for n := range kinds {
			if kind := kinds[(i+n)%len(kinds)]; !slices.Contains(except[name(row)], kind) {
				all = append(all, beside[T]{row, kind})
			}
		}
	}
	return long.Rows(t, all, func(b beside[T]) []string { return []string{name(b.of)} })
}

// untoldFreedoms are the freedoms on which every run may have no verdict, with the reason.
var untoldFreedoms = map[string]string{
	"others-use-the-key": "someone else's requests are refused or not as ours are",
}

// TestEveryFreedomConforms switches on each freedom with each kind of limiter.
func TestEveryFreedomConforms(t *testing.T) {
	t.Parallel()
	for _, row := range besideKinds(t, freedoms.All(), func(f freedoms.Freedom) string { return f.Name }, nil) {
		t.Run(row.of.Name+"/"+string(row.kind), func(t *testing.T) {
			t.Parallel()
			s := scene{kind: row.kind, freedoms: []string{row.of.Name}}
			if row.of.Name == "remaining-in-thousands" { // it shows on large plans only
				s.plans = []spec.Plan{{Name: "Enterprise", PerMinute: 3100, PerDay: 1_000_000}}
			}
			lawful(t, s, untoldFreedoms[row.of.Name])
		})
	}
}

// TestOthersOnEveryPlan has someone else who uses the key: with each plan and each kind of limiter, and in quick runs too. Such a run is
// inconclusive, and says so.
func TestOthersOnEveryPlan(t *testing.T) {
	t.Parallel()
	plans := []spec.Plan{spec.Free, spec.Pro, spec.Business, {Name: "Enterprise", PerMinute: 3100, PerDay: 1_000_000}}
	for _, row := range besideKinds(t, plans, func(p spec.Plan) string { return p.Name }, nil) {
		for _, quick := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/%s/quick %t", row.of.Name, row.kind, quick), func(t *testing.T) {
				t.Parallel()
				s := scene{kind: row.kind, plans: []spec.Plan{row.of}, freedoms: []string{"others-use-the-key"}, change: func(c *Config) { c.Quick = quick }}
				for i := range *runs {
					res, _ := moments(i, s).play(t)
					if len(failures(res)) > 0 || !slices.ContainsFunc(res.Warnings, func(w string) bool { return strings.Contains(w, "someone else used the key") }) {
						wrong(t, res, "run %d: failed %v, warnings %q", i, failures(res), res.Warnings)
					}
				}
			})
		}
	}
}

// TestOthersBesideABucket has someone else who uses the key of a bucket that responds slowly, so that our requests overlap and its gain
// hides theirs: beside one request in five, and at half of the plan's rate. Nothing is found.
func TestOthersBesideABucket(t *testing.T) {
	t.Parallel()
	for _, plan := range []spec.Plan{spec.Free, spec.Pro} {
		for name, others := range map[string]func(dice *rand.Rand, since time.Duration) int{
			"one in five":     func(dice *rand.Rand, _ time.Duration) int { return max(0, dice.IntN(10)-8) },
			"two beside some": func(dice *rand.Rand, _ time.Duration) int { return max(0, dice.IntN(10)-6) / 2 },
			"half of the plan's rate": func(_ *rand.Rand, since time.Duration) int {
				return int(min(since, 10*time.Second).Seconds() * float64(plan.PerMinute) / 120)
			},
		} {
			for _, latency := range []time.Duration{300 * time.Millisecond, 1200 * time.Millisecond} {
				t.Run(fmt.Sprintf("%s/%s/%s", plan.Name, name, latency), func(t *testing.T) {
					t.Parallel()
					dice, last := rand.New(rand.NewPCG(uint64(latency), 7)), time.Time{}
					var mu sync.Mutex
					res, _ := scene{kind: limiter.TokenBucket, plans: []spec.Plan{plan}, latency: latency, after: 17 * time.Second,
						serve: func(next http.Handler, w http.ResponseWriter, r *http.Request) {
							mu.Lock()
							defer mu.Unlock()
							if now := time.Now(); r.Header.Get("Authorization") == "Bearer "+keyOf(plan.Name).Reveal() {
								for n := others(dice, now.Sub(last)); n > 0 && !last.IsZero(); n-- {
									theirs := httptest.NewRequestWithContext(r.Context(), http.MethodGet, "http://pets.test/v1/pets", nil)
									theirs.Header = r.Header.Clone()
									next.ServeHTTP(httptest.NewRecorder(), theirs)
								}
								last = now
							}
							next.ServeHTTP(w, r)
						}}.play(t)
					if len(failures(res)) > 0 {
						wrong(t, res, "failed %v", failures(res))
					}
				})
			}
		}
	}
}

// TestFreedomsOfLimitsOnEveryPlan has quick and full runs of each freedom of the limits with each plan.
func TestFreedomsOfLimitsOnEveryPlan(t *testing.T) {
	t.Parallel()
	limits := slices.DeleteFunc(freedoms.All(), func(f freedoms.Freedom) bool {
		return !slices.Contains([]string{"limiter", "figure of headers", "refused requests", "ban", "Retry-After", "clock"}, f.Part)
	})
	for i, f := range limits {
		for k, plan := range []spec.Plan{spec.Free, spec.Pro, spec.Business} {
			if quick := (i+k)%2 == 0; long.Wanted() || i%3 == k {
				t.Run(fmt.Sprintf("%s/%s/quick %t", f.Name, plan.Name, quick), func(t *testing.T) {
					t.Parallel()
					for n := range *runs {
						res, _ := moments(n, scene{plans: []spec.Plan{plan}, freedoms: []string{f.Name}, change: func(c *Config) { c.Quick = quick }}).play(t)
						if len(failures(res)) > 0 {
							wrong(t, res, "run %d: failed %v", n, failures(res))
						}
					}
				})
			}
		}
	}
}

// lawful returns the results of the last run. It fails the test if a run finds a deviation, or if more than a quarter of the runs have no verdict. untold says why every run
// may have none; it is empty if there is no such reason.
func lawful(t *testing.T, s scene, untold string) (res *verdict.Results) {
	t.Helper()
	n := 0
	for i := range *runs {
		var rec *record.Recording
		res, rec = moments(i, s).play(t)
		switch res.Verdict {
		case verdict.Conforms:
		case verdict.NoVerdict:
			n++
			t.Logf("run %d: no verdict after %s: %q", i, rec.End.Ended.Sub(rec.Meta.Started), res.Reasons)
		default:
			wrong(t, res, "run %d: a lawful service deviates", i)
		}
	}
	if untold == "" && 4*n > *runs {
		t.Errorf("no verdict %d times of %d; want a quarter at most", n, *runs)
	}
	return res
}

// TestSlowTargetsAreNotCalledWrong has responses that take so long that a fill does not end within its window. Such a run may be
// inconclusive, but the requests that the next window accepts are no finding.
func TestSlowTargetsAreNotCalledWrong(t *testing.T) {
	t.Parallel()
	type slow struct {
		minute, latency time.Duration
		untold          string
	}
	name := func(s slow) string { return fmt.Sprintf("%s of %s", s.latency, s.minute) }
	for _, row := range besideKinds(t, []slow{
		{4 * time.Second, 150 * time.Millisecond, ""},
		{4 * time.Second, 600 * time.Millisecond, "the limit is not reached by few requests at a time"},
		{4 * time.Second, 3 * time.Second, "the limit is not reached before the window is over"},
		{time.Minute, time.Second, ""},
		{time.Minute, 7 * time.Second, "the limit is not reached by few requests at a time"},
	}, name, nil) {
		s := row.of
		if bucket := row.kind == limiter.TokenBucket; bucket && s.untold == "" {
			s.untold = "a bucket gains a request while the createPet that is to be refused is on its way"
		}
		t.Run(string(row.kind)+"/"+name(s), func(t *testing.T) {
			t.Parallel()
			lawful(t, scene{kind: row.kind, latency: s.latency, minute: s.minute}, s.untold)
		})
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
		wrong(t, res, "a filled store is lawful, and the verdict was %s", res.Verdict)
	}
	for _, c := range res.Checks {
		if c.ID == record.CheckID("Free", record.RefusedCreate) && (c.Verdict != verdict.NotApplicable || c.Reason != record.StoreFull) {
			t.Errorf("%s is %s: %s", c.ID, c.Verdict, c.Reason)
		}
	}
}
