package verdict_test

import (
	"slices"
	"testing"
	"time"

	"petconform/spec"
	"petconform/spec/verdict"
)

// TestAdd: a check that is added decides its own requirement, and what kept the run from having a verdict before still does.
func TestAdd(t *testing.T) {
	alike := func(v verdict.Verdict) verdict.Check {
		c := check(v, "SERVICE-5")
		if c.Decides, c.Reason = "SERVICE-5", "why"; v == verdict.Failed {
			c.Findings = []verdict.Finding{{Requirement: "SERVICE-5"}}
		}
		return c
	}
	for _, row := range []struct {
		name     string
		validity verdict.Validity
		adds     verdict.Verdict
		want     verdict.Run
		untold   int
		holds    bool
	}{
		{"alike", verdict.Validity{}, verdict.Passed, verdict.Conforms, 0, false},
		{"broken", verdict.Validity{}, verdict.Failed, verdict.Deviates, 0, false},
		{"untold", verdict.Validity{}, verdict.Inconclusive, verdict.NoVerdict, 1, false},
		{"stopped", verdict.Validity{Incomplete: []string{"stopped"}}, verdict.Passed, verdict.NoVerdict, 0, false},
		{"stopped and broken", verdict.Validity{Incomplete: []string{"stopped"}}, verdict.Failed, verdict.Deviates, 0, false},
		{"the key was revoked", verdict.Validity{Invalid: []string{"revoked"}}, verdict.Failed, verdict.NoVerdict, 0, false},
		{"a part", verdict.Validity{Part: true}, verdict.Passed, verdict.NoVerdict, 0, true},
		{"a part, broken", verdict.Validity{Part: true}, verdict.Failed, verdict.Deviates, 0, false},
		{"a part, untold", verdict.Validity{Part: true}, verdict.Inconclusive, verdict.NoVerdict, 1, false},
	} {
		t.Run(row.name, func(t *testing.T) {
			r := verdict.Results{Kind: "check", AsOf: time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)}
			for _, q := range spec.TheLedger().Requirements {
				if q.Proof == spec.ByCheck {
					r.Checks = append(r.Checks, verdict.Check{ID: string(q.ID), Verdict: verdict.Passed, Requirements: []spec.ID{q.ID}})
				}
			}
			r.Requirements = verdict.Requirements(spec.TheLedger().Requirements, r.Checks, r.AsOf)
			r.Conclude(row.validity)
			r.Add(alike(row.adds))
			i := slices.IndexFunc(r.Requirements, func(q verdict.Requirement) bool { return q.ID == "SERVICE-5" })
			if r.Requirements[i].Verdict != row.adds || !slices.Equal(r.Requirements[i].Checks, []string{"check"}) {
				t.Errorf("%+v; %s is wanted", r.Requirements[i], row.adds)
			}
			if r.Verdict != row.want || len(r.Inconclusive) != row.untold || (r.Part != nil && r.Part.Holds) != row.holds {
				t.Errorf("%s, %q, untold %v, %v; %s is wanted", r.Verdict, r.Word, r.Inconclusive, r.Reasons, row.want)
			}
		})
	}
}
