package load

import (
	"slices"
	"testing"
	"time"

	"petconform/spec"
	"petconform/spec/long"
	"petconform/spec/reference"
	"petconform/spec/reference/deviations"
	"petconform/spec/reference/limiter"
	"petconform/spec/verdict"
)

// TestEveryDeviationOfLimitsIsFound checks that each deviation that shows under load fails the requirements in Breaks and no others,
// except those in May.
func TestEveryDeviationOfLimitsIsFound(t *testing.T) {
	t.Parallel()
	for _, d := range deviations.All() {
		if d.Needs != deviations.Load && d.Needs != deviations.Day && d.Needs != deviations.Ban {
			continue
		}
		t.Run(d.Name, func(t *testing.T) {
			t.Parallel()
			s := scene{deviations: []string{d.Name}, change: func(c *Config) {
				if d.Needs == deviations.Day {
					c.Day = 24 * time.Hour
				}
				if d.Needs == deviations.Ban {
					c.ProvokeBan, c.BanKey = true, PlanKey{Plan: spec.Free, Key: keyOf("ban")}
				}
			}}
			for i := range *runs {
				found(t, moments(i, s), d)
			}
		})
	}
}

// found fails the test if a run does not fail what the deviation breaks, or fails anything else.
func found(t *testing.T, s scene, d deviations.Deviation) {
	t.Helper()
	res, _ := s.play(t)
	failed := failures(res)
	missed := slices.ContainsFunc(d.Breaks, func(id spec.ID) bool { return !slices.Contains(failed, id) })
	if missed || !blamed(&d, res) {
		t.Errorf("%s breaks %v (and may break %v); failed: %v", d.Name, d.Breaks, d.May, failed)
		tellResults(t, res)
	}
}

// truths are deviations that are true of some kinds. A bucket's next token comes within a second, and a bucket and a sliding log are whole
// again a window from now at the latest.
var truths = map[string][]limiter.Kind{
	"retry-after-1":           {limiter.TokenBucket, limiter.GCRA},
	"reset-too-early":         {limiter.TokenBucket, limiter.GCRA},
	"reset-at-once":           {limiter.TokenBucket, limiter.GCRA},
	"reset-a-window-from-now": {limiter.TokenBucket, limiter.GCRA, limiter.SlidingLog, limiter.SlidingCounter},
}

// TestDeviationsOnEveryKindOfLimiter switches on each deviation of limits with each kind of limiter.
func TestDeviationsOnEveryKindOfLimiter(t *testing.T) {
	t.Parallel()
	underLoad := slices.DeleteFunc(deviations.All(), func(d deviations.Deviation) bool { return d.Needs != deviations.Load })
	for _, row := range besideKinds(t, long.Deviations(t, underLoad), func(d deviations.Deviation) string { return d.Name }, truths) {
		t.Run(row.of.Name+"/"+string(row.kind), func(t *testing.T) {
			t.Parallel()
			untold := 0
			for i := range *runs {
				res, _ := moments(i, scene{kind: row.kind, deviations: []string{row.of.Name}}).play(t)
				switch {
				case res.Verdict == verdict.NoVerdict:
					untold++
					t.Logf("run %d: no verdict: %q", i, res.Reasons)
				case !blamed(&row.of, res):
					tellResults(t, res)
					t.Errorf("run %d: %s: %v", i, res.Verdict, failures(res))
				}
			}
			if untold*4 > *runs {
				t.Errorf("no verdict %d times of %d; want a quarter at most", untold, *runs)
			}
		})
	}
}

// TestALimitByConnectionOnAShortMinute checks that a limit for each connection is found in every run, also with a minute of 2 s.
func TestALimitByConnectionOnAShortMinute(t *testing.T) {
	t.Parallel()
	for i := range *runs {
		s := moments(i, scene{deviations: []string{"scope-connection"}, refer: func(rc *reference.Config) { rc.Minute, rc.Day = 2*time.Second, 2880*time.Second },
			change: func(c *Config) { c.Minute = 2 * time.Second }})
		res, _ := s.play(t)
		if res.Verdict != verdict.Deviates || !slices.Contains(failures(res), spec.ID("RATE-11")) {
			tellResults(t, res)
			t.Errorf("run %d, responses in %s: %s, %v; want RATE-11 failed", i, s.latency, res.Verdict, failures(res))
		}
	}
}
