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
	if res.Verdict != verdict.Deviates || !names(&d, failed) {
		t.Errorf("%s breaks %v (and may break %v); failed: %v", d.Suffers, d.Breaks, d.May, failed)
		tellResults(t, res)
	}
}

// names says whether what failed is what the deviation breaks, and nothing that it may not break.
func names(d *reference.Deviation, failed []spec.ID) bool {
	for _, id := range d.Breaks {
		if !slices.Contains(failed, id) {
			return false
		}
	}
	for _, id := range failed {
		if !slices.Contains(d.Breaks, id) && !slices.Contains(d.May, id) {
			return false
		}
	}
	return true
}
