package judge

import (
	"testing"

	"petconform/spec/verdict"
)

// A finding counts the cases in all parts of a run, not only those in the first part with one.
func TestCasesOfAllParts(t *testing.T) {
	var all []verdict.Check
	part := func(status, n int) {
		all = verdict.MergeCheck(all, verdict.Check{ID: "error-body", Verdict: verdict.Failed, Findings: []verdict.Finding{
			{Requirement: "ERROR-1", Exchange: n, Cases: []verdict.Case{{Status: status, Exchanges: []int{n}}}}}})
	}
	part(400, 1)
	part(503, 3000)
	part(400, 5000)
	settleRules(nil, all, false)
	if len(all) != 1 || len(all[0].Findings) != 1 {
		t.Fatalf("want one check with one finding: %+v", all)
	}
	f := all[0].Findings[0]
	if len(f.Cases) != 2 || f.Exchange != 1 || len(f.Cases[0].Exchanges) != 2 || f.Cases[1].Status != 503 {
		t.Errorf("want the cases 400 (exchanges 1 and 5000) and 503: %+v", f)
	}
}
