package compare

import (
	"strings"
	"testing"

	"petconform/conformance/proof"
	"petconform/reports/internal/test/sample"
	"petconform/spec/verdict"
)

// TestTargets: a must that the first target breaks and the second one keeps breaks SERVICE-5; one that both break does not, nor one
// that only the second breaks.
func TestTargets(t *testing.T) {
	plain, quick, full := proof.Service{}, proof.Service{Deviations: []string{"category-false-accepted"}}, proof.Service{Deviations: []string{"category-false-accepted"}, Deep: true, Only: []string{"create-category-invalid", "create-status-invalid"}}
	ten := proof.Service{Deviations: []string{"limit-defaults-to-10"}}
	newest := proof.Service{Freedoms: []string{"newest-first", "ids-random"}, Animals: 30}
	for _, row := range []struct {
		name          string
		first, second proof.Service
		want          verdict.Verdict
		says          string
	}{
		{"alike", plain, plain, verdict.Passed, "SERVICE-5 passed"},
		{"the first deviates", ten, plain, verdict.Failed, "failed at staging only (1) LIST-5 (must)"},
		{"the second deviates", plain, ten, verdict.Passed, "failed at production only, which fails nothing (1) LIST-5 (must)"},
		{"both deviate", ten, ten, verdict.Passed, "SERVICE-5 passed"},
		{"both are lawful", plain, newest, verdict.Passed, "LIST-15 (open): order of the animals of a run in a listing newest first → oldest first"},
		{"the second was not sent it", full, quick, verdict.Inconclusive, "failed at staging, not tested at production"},
		{"the first was not sent it", quick, full, verdict.Passed, "SERVICE-5 passed"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			first, second := run(t, row.first), run(t, row.second)
			first.Target.Environment, second.Target.Environment = "staging", "production"
			d := Targets(first, second)
			text := d.Text(80)
			if says := strings.Join(strings.Fields(text), " "); d.Verdict != row.want || !strings.Contains(says, row.says) {
				t.Errorf("%s (%s); %s and %q are wanted in:\n%s", d.Verdict, d.Why, row.want, row.says, text)
			}
		})
	}
}

// TestTargetsUndecided: where a run could not tell, the comparison cannot either, unless the first target surely keeps the must or the
// second one surely breaks it.
func TestTargetsUndecided(t *testing.T) {
	for _, row := range []struct{ first, second, want verdict.Verdict }{
		{verdict.Passed, verdict.Passed, verdict.Passed},
		{verdict.Failed, verdict.Passed, verdict.Failed},
		{verdict.Failed, verdict.Failed, verdict.Passed},
		{verdict.Failed, verdict.Inconclusive, verdict.Inconclusive},
		{verdict.Failed, verdict.NotRun, verdict.Inconclusive},
		{verdict.Inconclusive, verdict.Passed, verdict.Inconclusive},
		{verdict.Inconclusive, verdict.Failed, verdict.Passed},
		{verdict.Inconclusive, verdict.Inconclusive, verdict.Passed},
		{verdict.Passed, verdict.Inconclusive, verdict.Passed},
		{verdict.NotRun, verdict.Passed, verdict.Passed}, // left out by choice
	} {
		of := func(v verdict.Verdict) verdict.Results {
			r := sample.Good().Results
			for i, q := range r.Requirements {
				if q.ID == "LIST-5" {
					r.Requirements[i].Verdict = v
				}
			}
			return r
		}
		if d := Targets(Run{Results: of(row.first)}, Run{Results: of(row.second)}); d.Verdict != row.want {
			t.Errorf("%s at the first target, %s at the second: %s (%s); %s is wanted", row.first, row.second, d.Verdict, d.Why, row.want)
		}
	}
	none := verdict.Results{Verdict: verdict.Conforms}
	if d := Targets(Run{Results: none}, Run{Results: none}); d.Verdict != verdict.Inconclusive {
		t.Errorf("two runs that decided nothing: %s", d.Verdict)
	}
}

func TestOneTarget(t *testing.T) {
	for _, row := range []struct {
		a, b verdict.Target
		want bool
	}{
		{verdict.Target{URL: "a", Environment: "x"}, verdict.Target{URL: "a", Environment: "y"}, true},
		{verdict.Target{URL: "a"}, verdict.Target{URL: "b"}, false},
		{verdict.Target{URL: "a", Environment: "x"}, verdict.Target{URL: "b", Environment: "x"}, true},
		{verdict.Target{URL: "a", Environment: "x"}, verdict.Target{URL: "b", Environment: "y"}, false},
		{verdict.Target{URL: "a", Reference: true}, verdict.Target{URL: "b", Reference: true}, true},
		{verdict.Target{URL: "a", Reference: true}, verdict.Target{URL: "b"}, false},
	} {
		if got := OneTarget(row.a, row.b); got != row.want {
			t.Errorf("%+v and %+v: %t", row.a, row.b, got)
		}
	}
}
