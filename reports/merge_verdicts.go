package reports

import (
	"fmt"
	"slices"

	"petconform/spec"
	"petconform/spec/verdict"
)

// weight orders the verdicts of one check in several runs: the whole has the one with the largest weight.
var weight = map[verdict.Verdict]int{verdict.NotApplicable: 0, verdict.NotRun: 1, verdict.Observed: 2, verdict.Passed: 3, verdict.Inconclusive: 4, verdict.Waived: 5, verdict.Failed: 6}

// addCheck adds a check, or merges it into the same check of another run: rules are in every run.
func (m *merging) addCheck(c verdict.Check) {
	w := &m.whole.Results
	i := slices.IndexFunc(w.Checks, func(k verdict.Check) bool { return k.ID == c.ID })
	if i < 0 {
		w.Checks = append(w.Checks, c)
		return
	}
	k := &w.Checks[i]
	if weight[c.Verdict] > weight[k.Verdict] {
		k.Verdict, k.Reason, k.Evidence = c.Verdict, c.Reason, c.Evidence
	}
	k.Exchanges, k.Findings = append(k.Exchanges, c.Exchanges...), append(k.Findings, c.Findings...)
	k.Held, k.Of, k.MS = k.Held+c.Held, k.Of+c.Of, k.MS+c.MS
	if k.Of > 0 {
		k.Evidence = fmt.Sprintf("held on %s of %s", spec.Number(k.Held), spec.Number(k.Of))
	}
}

// addRequirement adds a requirement, or merges its verdict with that of other runs. It fails if it fails in one run, and passes
// if it passes in one. A requirement that load runs prove has to pass for each plan, so it is inconclusive if it is in one run.
func (m *merging) addRequirement(q verdict.Requirement) {
	q.Checks = slices.Clone(q.Checks)
	if q.Verdict == verdict.Waived {
		q.Verdict, q.Waiver = verdict.Failed, ""
	}
	i := slices.IndexFunc(m.requirements, func(have verdict.Requirement) bool { return have.ID == q.ID })
	if i < 0 {
		m.requirements = append(m.requirements, q)
		return
	}
	have := &m.requirements[i]
	if says(q) > says(*have) {
		have.Verdict, have.Reason = q.Verdict, q.Reason
	}
	for _, c := range q.Checks {
		if !slices.Contains(have.Checks, c) {
			have.Checks = append(have.Checks, c)
		}
	}
}

// says orders the verdicts of one requirement in several runs: the whole has the one with the largest value.
func says(q verdict.Requirement) int {
	entry, _ := spec.TheLedger().Find(q.ID)
	switch q.Verdict {
	case verdict.Failed:
		return 6
	case verdict.Inconclusive:
		if entry.Proof == spec.ByLoad {
			return 5
		}
		return 2
	case verdict.Passed:
		return 4
	case verdict.Observed:
		return 3
	case verdict.NotRun:
		return 1
	}
	return 0
}
