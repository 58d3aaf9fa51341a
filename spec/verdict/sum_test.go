package verdict_test

import (
	"testing"
	"time"

	"petconform/spec"
	"petconform/spec/verdict"
)

var requirements = []spec.Requirement{
	{ID: "A-1", Level: spec.Must, Proof: spec.ByCheck}, {ID: "A-2", Level: spec.Should, Proof: spec.ByRule},
	{ID: "A-3", Level: spec.Open, Proof: spec.ByCheck}, {ID: "A-4", Level: spec.Must, Proof: spec.ByCheck, Until: spec.Date{Time: spec.Removal}},
}

func judged(asOf time.Time, checks ...verdict.Check) map[spec.ID]verdict.Verdict {
	out := map[spec.ID]verdict.Verdict{}
	for _, r := range verdict.Requirements(requirements, checks, asOf) {
		out[r.ID] = r.Verdict
	}
	return out
}

func check(v verdict.Verdict, proves spec.ID, found ...spec.ID) verdict.Check {
	c := verdict.Check{ID: "check", Verdict: v, Requirements: append([]spec.ID{proves}, found...)}
	for _, id := range found {
		c.Findings = append(c.Findings, verdict.Finding{Requirement: id})
	}
	return c
}

func TestHowChecksAddUp(t *testing.T) {
	today := time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		name   string
		asOf   time.Time
		checks []verdict.Check
		of     spec.ID
		want   verdict.Verdict
	}{
		{"no check", today, nil, "A-1", verdict.NotRun},
		{"one passes", today, []verdict.Check{check(verdict.Passed, "A-1")}, "A-1", verdict.Passed},
		{"one of two fails", today, []verdict.Check{check(verdict.Passed, "A-1"), check(verdict.Failed, "A-1", "A-1")}, "A-1", verdict.Failed},
		{"it failed for another", today, []verdict.Check{check(verdict.Failed, "A-1", "A-2")}, "A-1", verdict.Passed},
		{"it finds what it is not to prove", today, []verdict.Check{{ID: "check", Verdict: verdict.Failed, Requirements: []spec.ID{"A-1"},
			Findings: []verdict.Finding{{Requirement: "A-4"}}}}, "A-4", verdict.Failed},
		{"one passes, one can't tell", today, []verdict.Check{check(verdict.Inconclusive, "A-1"), check(verdict.Passed, "A-1")}, "A-1", verdict.Passed},
		{"none can tell", today, []verdict.Check{check(verdict.Inconclusive, "A-1")}, "A-1", verdict.Inconclusive},
		{"an open one", today, []verdict.Check{check(verdict.Observed, "A-3")}, "A-3", verdict.Observed},
		{"an open one is never failed", today, []verdict.Check{check(verdict.Failed, "A-3", "A-3")}, "A-3", verdict.Observed},
		{"before its end", today, []verdict.Check{check(verdict.Failed, "A-4", "A-4")}, "A-4", verdict.Failed},
		{"on its end", spec.Removal, []verdict.Check{check(verdict.Failed, "A-4", "A-4")}, "A-4", verdict.NotApplicable},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := judged(c.asOf, c.checks...)[c.of]; got != c.want {
				t.Errorf("%s is %q, want %q", c.of, got, c.want)
			}
		})
	}
}
