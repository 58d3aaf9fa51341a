package load

import (
	"cmp"
	"slices"
	"testing"
	"time"

	"petconform/spec"
	"petconform/spec/long"
	"petconform/spec/reference/deviations"
	"petconform/spec/reference/limiter"
	"petconform/spec/verdict"
)

func ofLimits() []deviations.Deviation {
	return slices.DeleteFunc(deviations.All(), func(d deviations.Deviation) bool {
		return !slices.Contains([]deviations.Need{deviations.Load, deviations.Day, deviations.Ban}, d.Needs)
	})
}

// undecided are the deviations that a run leaves inconclusive, or that another kind explains, with the reason, on some kinds of limiter;
// without any, on all.
var undecided = map[string]struct {
	why   string
	kinds []limiter.Kind
}{
	"plan-spread-over-seconds": {why: "Remaining is 0 throughout, as of a bucket that someone else keeps empty"},
	"plan-day-half": {"by the headers a part of the day may have been spent before the run",
		[]limiter.Kind{limiter.FixedClock, limiter.TokenBucket, limiter.SlidingLog, limiter.SlidingCounter}},
	"plan-day-one-high": {"a bucket may have been a request short of full at first, and gained one",
		[]limiter.Kind{limiter.FixedClock, limiter.SlidingCounter}},
	"plan-day-one-low": {"a bucket may have been a request short of full at first, and a day on the clock may have begun before the run",
		[]limiter.Kind{limiter.TokenBucket, limiter.FixedClock, limiter.SlidingCounter}},
	"remaining-one-too-few": {"a sliding counter, which may round down what is left, explains some runs too",
		[]limiter.Kind{limiter.SlidingLog, limiter.FixedClock}},
}

// seldom are the deviations that a second's fraction hides in a quarter of all runs at most: a time that is cut to whole seconds is right
// where little is cut.
var seldom = []string{"reset-too-early", "retry-after-rounded-down"}

func mayBeUndecided(name string, kind limiter.Kind) bool {
	u, ok := undecided[name]
	return ok && (u.kinds == nil || slices.Contains(u.kinds, cmp.Or(kind, limiter.FixedFirst)))
}

// TestEveryDeviationOfLimitsIsFound checks that each deviation that shows under load fails the requirements in Breaks and no others,
// except those in May.
func TestEveryDeviationOfLimitsIsFound(t *testing.T) {
	t.Parallel()
	for _, d := range ofLimits() {
		t.Run(d.Name, func(t *testing.T) {
			t.Parallel()
			for i := range *runs {
				found(t, moments(i, deviating(d, limiter.FixedFirst)), d)
			}
		})
	}
}

// deviating is a scene with a deviation, and with the phase that it needs.
func deviating(d deviations.Deviation, kind limiter.Kind) scene {
	return scene{kind: kind, deviations: []string{d.Name}, change: func(c *Config) {
		if d.Needs == deviations.Day {
			c.Day = 24 * time.Hour
		}
		if d.Needs == deviations.Ban {
			c.ProvokeBan, c.BanKey = true, PlanKey{Plan: spec.Free, Key: keyOf("ban")}
		}
	}}
}

// found fails the test if a run does not fail what the deviation breaks, or fails anything else.
func found(t *testing.T, s scene, d deviations.Deviation) {
	t.Helper()
	res, _ := s.play(t)
	failed := failures(res)
	if mayBeUndecided(d.Name, s.kind) && res.Verdict == verdict.NoVerdict {
		return
	}
	missed := slices.ContainsFunc(d.Breaks, func(id spec.ID) bool { return !slices.Contains(failed, id) })
	if missed || !blamed(&d, res) {
		wrong(t, res, "%s breaks %v (and may break %v); failed: %v", d.Name, d.Breaks, d.May, failed)
	}
}

// truths are deviations that are true of some kinds. A bucket's next token comes within a second, so that its wait in milliseconds is only
// longer than it has to be; a bucket and a sliding log are whole again a window from now at the latest; and what a sliding counter or a
// bucket has left is a fraction, which they may round down.
var truths = map[string][]limiter.Kind{
	"retry-after-1":            {limiter.TokenBucket},
	"reset-too-early":          {limiter.TokenBucket},
	"retry-after-milliseconds": {limiter.TokenBucket},
	"remaining-one-too-few":    {limiter.SlidingCounter, limiter.TokenBucket},
	"reset-a-window-from-now":  {limiter.TokenBucket, limiter.SlidingLog, limiter.SlidingCounter},
}

// TestWhatIsTrueOfAKindIsNoFault has each of truths with each of its kinds.
func TestWhatIsTrueOfAKindIsNoFault(t *testing.T) {
	t.Parallel()
	for _, d := range ofLimits() {
		for _, kind := range truths[d.Name] {
			t.Run(d.Name+"/"+string(kind), func(t *testing.T) {
				t.Parallel()
				for i := range *runs {
					if res, _ := moments(i, deviating(d, kind)).play(t); len(failures(res)) > 0 {
						wrong(t, res, "run %d: failed %v", i, failures(res))
					}
				}
			})
		}
	}
}

// TestDeviationsOnEveryKindOfLimiter switches on each deviation of limits with each kind of limiter.
func TestDeviationsOnEveryKindOfLimiter(t *testing.T) {
	t.Parallel()
	for _, row := range besideKinds(t, long.Rows(t, ofLimits(), long.Broken), func(d deviations.Deviation) string { return d.Name }, truths) {
		t.Run(row.of.Name+"/"+string(row.kind), func(t *testing.T) {
			t.Parallel()
			untold := 0
			for i := range *runs {
				res, _ := moments(i, deviating(row.of, row.kind)).play(t)
				switch {
				case res.Verdict == verdict.NoVerdict,
					res.Verdict == verdict.Conforms && (mayBeUndecided(row.of.Name, row.kind) || slices.Contains(seldom, row.of.Name)):
					untold++
					t.Logf("run %d: no verdict: %q", i, res.Reasons)
				case !blamed(&row.of, res):
					wrong(t, res, "run %d: %s: %v", i, res.Verdict, failures(res))
				}
			}
			if untold*4 > *runs && !mayBeUndecided(row.of.Name, row.kind) {
				t.Errorf("no verdict %d times of %d; want a quarter at most", untold, *runs)
			}
		})
	}
}
