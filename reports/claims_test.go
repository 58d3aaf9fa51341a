package reports

import (
	"testing"

	"petconform/spec/exchange"
	"petconform/spec/verdict"
)

// TestDiffers: the recording of a run that was interrupted before it had planned everything need not show all that results.json
// says, but what it shows as broken has to be told.
func TestDiffers(t *testing.T) {
	t.Parallel()
	results := func(run verdict.Run, one, other verdict.Verdict) verdict.Results {
		r := verdict.Results{Verdict: run, Checks: []verdict.Check{{ID: "one", Kind: verdict.Active, Verdict: one}}}
		if other != "" {
			r.Checks = append(r.Checks, verdict.Check{ID: "other", Kind: verdict.Active, Verdict: other})
		}
		return r
	}
	for _, row := range []struct {
		name        string
		said, shown verdict.Results
		whole       int
	}{
		{"the same", results(verdict.Deviates, verdict.Failed, verdict.Passed), results(verdict.Deviates, verdict.Failed, verdict.Passed), 0},
		{"waived", results(verdict.Deviates, verdict.Waived, ""), results(verdict.Deviates, verdict.Failed, ""), 0},
		{"a check more", results(verdict.NoVerdict, verdict.Passed, verdict.NotRun), results(verdict.NoVerdict, verdict.Passed, ""), 1},
		{"no failure", results(verdict.Deviates, verdict.Passed, verdict.Failed), results(verdict.Deviates, verdict.Failed, verdict.Failed), 1},
		{"no failure, and another verdict", results(verdict.Conforms, verdict.Passed, ""), results(verdict.Deviates, verdict.Failed, ""), 2},
	} {
		for name, recording := range map[string]struct {
			rec  *exchange.Recording
			want int
		}{
			"no recording of checks": {nil, row.whole},
			"whole":                  {&exchange.Recording{End: &exchange.End{}}, row.whole},
			"torn":                   {&exchange.Recording{End: &exchange.End{}, Torn: true}, 0},
			"interrupted":            {&exchange.Recording{End: &exchange.End{Stopped: "interrupted"}}, 0},
			"killed":                 {&exchange.Recording{}, 0},
		} {
			got := recorded{claimed: &row.said}.differs(Input{Results: row.shown, Recording: recording.rec})
			if len(got) != recording.want {
				t.Errorf("%s, %s: %d differences, %d are wanted: %q", row.name, name, len(got), recording.want, got)
			}
		}
	}
}
