package load

import (
	"slices"
	"testing"
	"time"

	"petconform/spec"
	"petconform/spec/reference"
	"petconform/spec/verdict"
)

// Every deviation that shows under load is found, by the requirements that it breaks and by no others; what a deviation
// may break beside is its own statement.
func TestEveryDeviationOfLimitsIsFound(t *testing.T) {
	for _, d := range reference.Deviations() {
		if d.Needs != reference.Load && d.Needs != reference.Day && d.Needs != reference.Ban {
			continue
		}
		t.Run(d.Name, func(t *testing.T) {
			s := scene{deviations: []string{d.Name}, change: func(c *Config) {
				if d.Needs == reference.Day {
					c.Day = 24 * time.Hour
				}
				if d.Needs == reference.Ban {
					c.ProvokeBan, c.BanKey = true, PlanKey{Plan: spec.Free, Key: keyOf("ban")}
				}
			}}
			for i := range *runs {
				found(t, moments(i, s), d)
			}
		})
	}
}

// found fails the test when a run does not name what the deviation breaks, or names something else.
func found(t *testing.T, s scene, d reference.Deviation) {
	t.Helper()
	res, _ := s.play(t)
	failed := failures(res)
	ok := res.Verdict == verdict.Deviates
	for _, id := range d.Breaks {
		ok = ok && slices.Contains(failed, id)
	}
	for _, id := range failed {
		ok = ok && (slices.Contains(d.Breaks, id) || slices.Contains(d.May, id))
	}
	if !ok {
		t.Errorf("%s breaks %v (and may break %v); failed: %v", d.Suffers, d.Breaks, d.May, failed)
		tellResults(t, res)
	}
}
