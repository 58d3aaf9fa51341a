package verdict_test

import (
	"slices"
	"testing"

	"petconform/spec/verdict"
)

// TestOpenReasons: what a failure tells, or hides, is not told again; what else is inconclusive is.
func TestOpenReasons(t *testing.T) {
	r := verdict.Results{
		Requirements: []verdict.Requirement{
			{ID: "LIST-2", Clause: "Pets", Statement: "An array.", Verdict: verdict.Failed, Checks: []string{"bare-array"}},
			{ID: "LIST-5", Verdict: verdict.Inconclusive, Reason: "no array", Checks: []string{"list-limit-default", "default-limit-kept"}},
			{ID: "CREATE-12", Verdict: verdict.Inconclusive, Reason: "too many animals", Checks: []string{"left"}}},
		Checks: []verdict.Check{{ID: "list-limit-default", Verdict: verdict.Inconclusive}, {ID: "left", Verdict: verdict.Inconclusive}, {ID: "default-limit-kept", Verdict: verdict.Passed}},
		Reasons: verdict.Reasons{"LIST-2 (Pets): An array.", "the run was aborted: interrupted",
			"LIST-5 is inconclusive: no array", "CREATE-12 is inconclusive: too many animals"},
	}
	for _, row := range []struct {
		hidden []string
		want   verdict.Reasons
	}{
		{[]string{"list-limit-default"}, verdict.Reasons{r.Reasons[1], r.Reasons[3]}},
		{nil, r.Reasons[1:]},
	} {
		if got := r.OpenReasons(row.hidden); !slices.Equal(got, row.want) {
			t.Errorf("with %v hidden: %q; %q is wanted", row.hidden, got, row.want)
		}
	}
}
