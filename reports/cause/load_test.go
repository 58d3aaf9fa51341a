package cause_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"petconform/load"
	"petconform/load/record"
	"petconform/reports/internal/test/real"
	"petconform/spec/long"
	"petconform/spec/reference/deviations"
	"petconform/spec/verdict"
)

// undecided is the deviation that a load on a window leaves inconclusive, since someone else may keep a bucket empty.
const undecided = "plan-spread-over-seconds"

// TestALoadIsShownAgain: the command of each cause that a load finds shows it again, and holds once it is mended.
func TestALoadIsShownAgain(t *testing.T) {
	for _, d := range long.Rows(t, deviations.All(), long.Broken) {
		if !slices.Contains([]deviations.Need{deviations.Load, deviations.Day, deviations.Ban}, d.Needs) {
			continue
		}
		t.Run(d.Name, func(t *testing.T) {
			t.Parallel()
			line := "petconform load --plan Free"
			switch d.Needs {
			case deviations.Day:
				line += " --day 24h"
			case deviations.Ban:
				line += " --provoke-ban"
			}
			run := func(line string, deviations ...string) verdict.Results { return loaded(t, line, deviations...) }
			if none := len(again(t, run(line, d.Name), run, d.Name)) == 0; none != (d.Name == undecided) {
				t.Errorf("no cause: %t", none)
			}
		})
	}
}

// loaded makes the run of a command line in simulated time, with the keys that the deviations of limits need.
func loaded(t *testing.T, line string, deviations ...string) verdict.Results {
	t.Helper()
	return real.Load(t, func(cfg *load.Config) {
		words := strings.Fields(line)
		for i, w := range words {
			switch w {
			case "--phase":
				for _, p := range strings.Split(words[i+1], ",") {
					cfg.Phases = append(cfg.Phases, record.Phase(p))
				}
			case "--day":
				cfg.Day, _ = time.ParseDuration(words[i+1])
			case "--provoke-ban":
				cfg.ProvokeBan = true
			}
		}
	}, deviations...).Results
}
