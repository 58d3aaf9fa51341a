package reports

import (
	"fmt"
	"slices"

	"petconform/spec"
	"petconform/spec/verdict"
)

// weight says which of two verdicts on one check the whole has: the worse one, and any over none.
var weight = map[verdict.Verdict]int{verdict.NotApplicable: 0, verdict.NotRun: 1, verdict.Observed: 2, verdict.Passed: 3, verdict.Inconclusive: 4, verdict.Waived: 5, verdict.Failed: 6}

// addCheck adds a check, or what another run says of one that is there: a rule reads every run.
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

// addRequirement adds what another run says of a statement. What is broken in one run is broken; what is shown in one is shown,
// unless it is a matter of load: there each plan has to show it, so a doubt of one run stays.
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

// says orders what runs say of a statement; the highest holds for all of them together.
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
