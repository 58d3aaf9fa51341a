package main

import (
	"testing"

	"petconform/spec/exchange"
	"petconform/spec/verdict"
)

// TestDifferences: the recording of a part of what results tell, like that of a run that was interrupted before it had planned
// everything, need not show all of it, but what it shows broken has to be told.
func TestDifferences(t *testing.T) {
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
		part        int
	}{
		{"the same", results(verdict.Deviates, verdict.Failed, verdict.Passed), results(verdict.Deviates, verdict.Failed, verdict.Passed), 0, 0},
		{"waived", results(verdict.Deviates, verdict.Waived, ""), results(verdict.Deviates, verdict.Failed, ""), 0, 0},
		{"a check more", results(verdict.NoVerdict, verdict.Passed, verdict.NotRun), results(verdict.NoVerdict, verdict.Passed, ""), 1, 0},
		{"no failure", results(verdict.Deviates, verdict.Passed, verdict.Failed), results(verdict.Deviates, verdict.Failed, verdict.Failed), 1, 1},
		{"no failure, and another verdict", results(verdict.Conforms, verdict.Passed, ""), results(verdict.Deviates, verdict.Failed, ""), 2, 2},
	} {
		if got := differences(row.said, row.shown, true); len(got) != row.whole {
			t.Errorf("%s: %d differences from the whole recording, %d are wanted: %q", row.name, len(got), row.whole, got)
		}
		if got := differences(row.said, row.shown, false); len(got) != row.part {
			t.Errorf("%s: %d differences from a part, %d are wanted: %q", row.name, len(got), row.part, got)
		}
	}
	for _, row := range []struct {
		rec  *exchange.Recording
		want bool
	}{
		{nil, true},
		{&exchange.Recording{End: &exchange.End{}}, true},
		{&exchange.Recording{End: &exchange.End{}, Torn: true}, false},
		{&exchange.Recording{End: &exchange.End{Stopped: "interrupted"}}, false},
		{&exchange.Recording{}, false},
	} {
		if got := finished(row.rec); got != row.want {
			t.Errorf("finished(%+v) is %t", row.rec, got)
		}
	}
}
