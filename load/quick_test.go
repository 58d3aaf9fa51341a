package load

import (
	"slices"
	"testing"
	"time"

	"petconform/spec"
	"petconform/spec/reference"
	"petconform/spec/reference/deviations"
	"petconform/spec/reference/limiter"
	"petconform/spec/verdict"
)

// mostQuick is how many windows a quick run on a conforming target may take.
const mostQuick = 6.1

func quick(s scene) scene {
	s.change = func(c *Config) { c.Quick = true }
	return s
}

// holds reports whether a part of a run has no finding and nothing inconclusive.
func holds(res *verdict.Results) bool { return res.Part != nil && res.Part.Holds }

// TestQuickOnEveryKind checks that a quick run holds on every kind of limiter within mostQuick windows.
func TestQuickOnEveryKind(t *testing.T) {
	for _, kind := range limiter.Kinds() {
		for _, plan := range []spec.Plan{spec.Free, spec.Pro, spec.Business} {
			res, rec := quick(scene{kind: kind, plans: []spec.Plan{plan}}).play(t)
			windows := float64(rec.End.Ended.Sub(rec.Meta.Started)) / float64(time.Minute)
			t.Logf("%s, %s: %s, %d requests, %.2f windows", kind, plan.Name, res.Verdict, res.Requests, windows)
			if !holds(res) || windows > mostQuick {
				wrong(t, res, "%s, %s: want a part that holds in at most %.1f windows; got %s in %.2f", kind, plan.Name, mostQuick, res.Verdict, windows)
			}
		}
	}
}

// TestQuickTwiceAMinute checks that a quick run finds a window that is half a minute: twice the plan is accepted in a minute.
func TestQuickTwiceAMinute(t *testing.T) {
	for _, kind := range []limiter.Kind{limiter.FixedFirst, limiter.FixedClock} {
		s := scene{kind: kind, refer: func(c *reference.Config) { c.Minute = 30 * time.Second }}
		if res, _ := quick(s).play(t); !slices.Equal(failures(res), []spec.ID{"RATE-6"}) {
			wrong(t, res, "%s: want RATE-6", kind)
		}
	}
}

// TestQuickOnEveryDeviation checks that a quick run fails no requirement that a deviation does not break, and that it finds at least 22
// deviations: those of the count, of the 429 and of the recovery.
func TestQuickOnEveryDeviation(t *testing.T) {
	found, untold, unseen := 0, 0, 0
	conforming := []string{}
	for _, d := range deviations.All() {
		if d.Needs != deviations.Load {
			continue
		}
		res, rec := quick(scene{deviations: []string{d.Name}}).play(t)
		windows := float64(rec.End.Ended.Sub(rec.Meta.Started)) / float64(time.Minute)
		t.Logf("%-32s %-11s %v of %v in %.2f windows", d.Name, res.Verdict, failures(res), d.Breaks, windows)
		switch {
		case res.Verdict == verdict.Deviates && blamed(&d, res):
			found++
		case res.Verdict == verdict.Deviates:
			wrong(t, res, "%s: blamed for %v", d.Name, failures(res))
		case !holds(res):
			untold++
		default:
			unseen++
			conforming = append(conforming, d.Name)
		}
	}
	t.Logf("found %d, no verdict on %d, not looked at %d: %v", found, untold, unseen, conforming)
	if found < 22 {
		t.Errorf("a quick run found %d deviations; want at least 22", found)
	}
}

// TestTheTimeLeftIsTheKnownWait compares what a quick run said was left with the time that it took from then on. On a fixed window
// it waits for Retry-After, and on a bucket for a fresh allowance: either takes a window for each fill. Only the second fill shows whether
// windows on the clock need a third.
func TestTheTimeLeftIsTheKnownWait(t *testing.T) {
	for _, kind := range []limiter.Kind{limiter.FixedFirst, limiter.FixedClock, limiter.SlidingLog, limiter.TokenBucket} {
		for _, after := range []time.Duration{0, 20 * time.Second} {
			type said struct {
				Event
				at time.Time
			}
			var all []said
			further := time.Duration(0)
			if kind == limiter.FixedClock {
				further = time.Minute
			}
			_, rec := scene{kind: kind, after: after, latency: time.Millisecond, change: func(c *Config) {
				c.Quick = true
				c.Progress = func(e Event) { all = append(all, said{e, time.Now()}) }
			}}.play(t)
			for _, s := range all {
				took := rec.End.Ended.Sub(s.at)
				if off := s.Left - took; off > 65*time.Second || off+further < -65*time.Second {
					t.Errorf("%s, %s into the minute: %s, round %d: %s left; it took %s", kind, after, s.Doing, s.Round, s.Left, took)
				}
			}
		}
	}
}
