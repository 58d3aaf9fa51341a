package verdict

import (
	"fmt"
	"slices"

	"petconform/spec"
)

// weights order the verdicts of one check in several runs, and of one requirement in several checks or runs: the whole has
// the one with the largest weight.
var weights = map[Verdict]int{NotApplicable: 0, NotRun: 1, Inconclusive: 2, Observed: 3, Passed: 4, Failed: 6}

// weight is the weight of a verdict. An inconclusive one that decides outweighs a pass.
func weight(v Verdict, decides bool) int {
	if v == Inconclusive && decides {
		return weights[Passed] + 1
	}
	return weights[v]
}

// MergeCheck adds a check to those of other runs or parts of a run, or merges it into the same check of another: rules
// are in every run.
func MergeCheck(all []Check, c Check) []Check {
	i := slices.IndexFunc(all, func(k Check) bool { return k.ID == c.ID })
	if i < 0 {
		return append(all, c)
	}
	k := &all[i]
	if weight(c.Verdict, false) > weight(k.Verdict, false) {
		k.Verdict, k.Reason, k.Evidence = c.Verdict, c.Reason, c.Evidence
	}
	k.Exchanges, k.Findings = append(k.Exchanges, c.Exchanges...), append(k.Findings, c.Findings...)
	k.Held, k.Of, k.MS = k.Held+c.Held, k.Of+c.Of, k.MS+c.MS
	if k.Of > 0 {
		k.Evidence = k.Measured()
	}
	return all
}

// Measured returns the evidence of a rule: on how many exchanges it held, and at which it was broken first.
func (c Check) Measured() string {
	held := fmt.Sprintf("held on %s of %s", spec.Number(c.Held), spec.Number(c.Of))
	if c.Verdict == Failed && len(c.Exchanges) > 0 {
		return fmt.Sprintf("first broken at exchange %d; %s", c.Exchanges[0], held)
	}
	return held
}

// MergeRequirement adds a requirement to those of other runs, or merges its verdict with theirs. It fails if it fails
// in one run, and passes if it passes in one. A requirement that load runs prove has to pass for each plan, so it is
// inconclusive if it is in one run.
func MergeRequirement(all []Requirement, q Requirement) []Requirement {
	q.Checks = slices.Clone(q.Checks)
	i := slices.IndexFunc(all, func(have Requirement) bool { return have.ID == q.ID })
	if i < 0 {
		return append(all, q)
	}
	have := &all[i]
	decides := q.Proof() == spec.ByLoad
	more := weight(q.Verdict, decides) - weight(have.Verdict, decides)
	if more > 0 || more == 0 && len(have.Checks) == 0 { // a run without a check of it does not know why
		have.Verdict, have.Reason = q.Verdict, q.Reason
	}
	have.Checks = spec.With(have.Checks, q.Checks...)
	return all
}
