package verdict_test

import (
	"testing"
	"time"

	"petconform/spec"
	"petconform/spec/verdict"
)

const ledgerText = `requirements:
- {id: A-1, clause: c, statement: a must, level: must, proof: check}
- {id: A-2, clause: c, statement: a should, level: should, proof: rule, why: w}
- {id: A-3, clause: c, statement: an open one, level: open, proof: check, why: w}
- {id: A-4, clause: c, statement: until a day, level: must, proof: check, until: 2030-12-05}
`

func judged(t *testing.T, asOf time.Time, checks ...verdict.Check) map[spec.ID]verdict.Verdict {
	t.Helper()
	l, err := spec.ParseLedger([]byte(ledgerText))
	if err != nil {
		t.Fatal(err)
	}
	out := map[spec.ID]verdict.Verdict{}
	for _, r := range verdict.Requirements(l.Requirements, checks, asOf) {
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
		{"one passes, one can't tell", today, []verdict.Check{check(verdict.Inconclusive, "A-1"), check(verdict.Passed, "A-1")}, "A-1", verdict.Passed},
		{"none can tell", today, []verdict.Check{check(verdict.Inconclusive, "A-1")}, "A-1", verdict.Inconclusive},
		{"an open one", today, []verdict.Check{check(verdict.Observed, "A-3")}, "A-3", verdict.Observed},
		{"an open one is never failed", today, []verdict.Check{check(verdict.Failed, "A-3", "A-3")}, "A-3", verdict.Observed},
		{"before its end", today, []verdict.Check{check(verdict.Failed, "A-4", "A-4")}, "A-4", verdict.Failed},
		{"on its end", spec.Removal, []verdict.Check{check(verdict.Failed, "A-4", "A-4")}, "A-4", verdict.NotApplicable},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := judged(t, c.asOf, c.checks...)[c.of]; got != c.want {
				t.Errorf("%s is %q, want %q", c.of, got, c.want)
			}
		})
	}
}

func TestConclude(t *testing.T) {
	must := func(v verdict.Verdict) verdict.Requirement {
		return verdict.Requirement{ID: "A-1", Level: spec.Must, Verdict: v}
	}
	should := verdict.Requirement{ID: "A-2", Level: spec.Should, Verdict: verdict.Failed}
	for _, c := range []struct {
		name     string
		of       []verdict.Requirement
		validity verdict.Validity
		strict   bool
		want     verdict.Run
	}{
		{"a must holds", []verdict.Requirement{must(verdict.Passed)}, verdict.Validity{}, false, verdict.Conforms},
		{"a must is broken", []verdict.Requirement{must(verdict.Failed)}, verdict.Validity{}, false, verdict.Deviates},
		{"a should is broken", []verdict.Requirement{must(verdict.Passed), should}, verdict.Validity{}, false, verdict.Conforms},
		{"a should counts", []verdict.Requirement{must(verdict.Passed), should}, verdict.Validity{}, true, verdict.Deviates},
		{"nothing ran", []verdict.Requirement{must(verdict.NotRun)}, verdict.Validity{}, false, verdict.NoVerdict},
		{"nothing at all", nil, verdict.Validity{}, false, verdict.NoVerdict},
		{"incomplete", []verdict.Requirement{must(verdict.Passed)}, verdict.Validity{Incomplete: []string{"stopped"}}, false, verdict.NoVerdict},
		{"incomplete and broken", []verdict.Requirement{must(verdict.Failed)}, verdict.Validity{Incomplete: []string{"stopped"}}, false, verdict.Deviates},
		{"invalid and broken", []verdict.Requirement{must(verdict.Failed)}, verdict.Validity{Invalid: []string{"the key was revoked"}}, false, verdict.NoVerdict},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := verdict.Results{Requirements: c.of, Strict: c.strict}
			r.Conclude(c.validity)
			got, reasons := r.Verdict, r.Reasons
			if got != c.want {
				t.Errorf("%q, want %q (%v)", got, c.want, reasons)
			}
			if got != verdict.Conforms && len(reasons) == 0 {
				t.Errorf("%q without a reason", got)
			}
		})
	}
}
