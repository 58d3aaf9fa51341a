package verdict_test

import (
	"cmp"
	"strings"
	"testing"

	"petconform/spec"
	"petconform/spec/verdict"
)

// results are of a must for each verdict, under ids of the ledger: LIST-3 and LIST-5 have a check, RATE-5 has a rule, RATE-6 needs
// a load, SERVICE-5 can't be tested; AUTH-7 is a should.
func results(of map[spec.ID]verdict.Verdict) verdict.Results {
	r := verdict.Results{Kind: "check"}
	for _, id := range []spec.ID{"LIST-3", "LIST-5", "RATE-5", "RATE-6", "SERVICE-5", "AUTH-7"} {
		q, _ := spec.TheLedger().Find(id)
		r.Requirements = append(r.Requirements, verdict.Requirement{ID: id, Level: q.Level, Verdict: cmp.Or(of[id], verdict.NotRun), Reason: "why"})
	}
	return r
}

// TestResultsConclude: every must that the run should have told counts, and a part is never more than a part.
func TestResultsConclude(t *testing.T) {
	both := map[spec.ID]verdict.Verdict{"LIST-3": verdict.Passed, "LIST-5": verdict.Passed}
	with := func(id spec.ID, v verdict.Verdict) map[spec.ID]verdict.Verdict {
		return map[spec.ID]verdict.Verdict{"LIST-3": verdict.Passed, "LIST-5": verdict.Passed, id: v}
	}
	part := verdict.Validity{Part: true}
	for _, row := range []struct {
		name     string
		of       map[spec.ID]verdict.Verdict
		validity verdict.Validity
		want     verdict.Run
		word     string
		untold   int
	}{
		{"what a check run can tell holds", both, verdict.Validity{}, verdict.Conforms, "CONFORMS", 0},
		{"a must could not be told", with("LIST-5", verdict.Inconclusive), verdict.Validity{}, verdict.NoVerdict, "NO VERDICT", 1},
		{"and one was broken", map[spec.ID]verdict.Verdict{"LIST-3": verdict.Failed, "LIST-5": verdict.Inconclusive}, verdict.Validity{}, verdict.Deviates, "DEVIATES", 0},
		{"a must was not judged", with("LIST-5", verdict.NotRun), verdict.Validity{}, verdict.NoVerdict, "NO VERDICT", 0},
		{"a rule could not tell", with("RATE-5", verdict.Inconclusive), verdict.Validity{}, verdict.NoVerdict, "NO VERDICT", 1},
		{"a load would tell", with("RATE-6", verdict.Inconclusive), verdict.Validity{}, verdict.Conforms, "CONFORMS", 0},
		{"it does not apply", with("LIST-5", verdict.NotApplicable), verdict.Validity{}, verdict.Conforms, "CONFORMS", 0},
		{"stopped, and a must could not be told", with("LIST-5", verdict.Inconclusive), verdict.Validity{Incomplete: []string{"stopped"}}, verdict.NoVerdict, "NO VERDICT", 0},
		{"nothing was judged", nil, verdict.Validity{}, verdict.NoVerdict, "NO VERDICT", 0},
		{"a part", with("LIST-5", verdict.NotRun), part, verdict.NoVerdict, "PART HOLDS", 0},
		{"a part, broken", map[spec.ID]verdict.Verdict{"LIST-3": verdict.Failed}, part, verdict.Deviates, "PART DEVIATES", 0},
		{"a part that could not tell", with("LIST-5", verdict.Inconclusive), part, verdict.NoVerdict, "NO VERDICT, PART", 1},
		{"a part of nothing", nil, part, verdict.NoVerdict, "NO VERDICT, PART", 0},
		{"a part without a key", both, verdict.Validity{Part: true, Invalid: []string{"the key is refused"}}, verdict.NoVerdict, "NO VERDICT, PART", 0},
		{"a should is broken", with("AUTH-7", verdict.Failed), verdict.Validity{}, verdict.Conforms, "CONFORMS", 0},
		{"a should counts, strictly", with("AUTH-7", verdict.Failed), verdict.Validity{}, verdict.Deviates, "DEVIATES", 0},
		{"incomplete", both, verdict.Validity{Incomplete: []string{"stopped"}}, verdict.NoVerdict, "NO VERDICT", 0},
		{"incomplete and broken", with("LIST-3", verdict.Failed), verdict.Validity{Incomplete: []string{"stopped"}}, verdict.Deviates, "DEVIATES", 0},
		{"invalid and broken", with("LIST-3", verdict.Failed), verdict.Validity{Invalid: []string{"revoked"}}, verdict.NoVerdict, "NO VERDICT", 0},
	} {
		t.Run(row.name, func(t *testing.T) {
			r := results(row.of)
			r.Strict = strings.HasSuffix(row.name, ", strictly")
			r.Conclude(row.validity)
			if r.Verdict != row.want || r.Word != row.word || len(r.Inconclusive) != row.untold {
				t.Errorf("%s, %q, untold %v (%v)\n%s, %q, %d untold are wanted", r.Verdict, r.Word, r.Inconclusive, r.Reasons, row.want, row.word, row.untold)
			}
			if r.Verdict != verdict.Conforms && len(r.Reasons) == 0 {
				t.Errorf("%q without a reason", r.Verdict)
			}
		})
	}
}

// TestTally: what is counted adds up to all musts, with the shoulds where they count.
func TestTally(t *testing.T) {
	var r verdict.Results
	for i, v := range []verdict.Verdict{verdict.Passed, verdict.Failed, verdict.Waived, verdict.Inconclusive, verdict.NotRun, verdict.NotApplicable} {
		for _, level := range []spec.Level{spec.Must, spec.Should, spec.Open} {
			r.Requirements = append(r.Requirements, verdict.Requirement{ID: spec.ID(rune('A' + i)), Level: level, Verdict: v})
		}
	}
	for strict, n := range map[bool]int{false: 1, true: 2} {
		r.Strict = strict
		if by, all := r.Tally(); all != 6*n || len(by) != 6 || len(by[verdict.Passed]) != n || len(by[verdict.NotApplicable]) != n {
			t.Errorf("strict %v: %+v of %d, want %d of each", strict, by, all, n)
		}
	}
	r.Strict = true
	r.Conclude(verdict.Validity{Part: true})
	if want := "2 of 12 musts and shoulds passed, 4 failed, 2 inconclusive"; r.Counted() != want {
		t.Errorf("a strict part is %q; %q is wanted", r.Counted(), want)
	}
}
