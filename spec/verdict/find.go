package verdict

import (
	"slices"

	"petconform/spec"
)

// Order returns the verdicts in the order of every table: what needs attention first.
func Order() []Verdict {
	return []Verdict{Failed, Waived, Inconclusive, NotRun, Passed, Observed, NotApplicable}
}

// Failing reports whether the service fails, excused or not: a waiver changes what a release may do, not what the
// service does.
func (v Verdict) Failing() bool { return v == Failed || v == Waived }

// Decided reports whether the responses show that the requirement holds or that it is broken.
func (v Verdict) Decided() bool { return v == Passed || v.Failing() }

func (r Results) Requirement(id spec.ID) (q Requirement, found bool) {
	if i := slices.IndexFunc(r.Requirements, func(q Requirement) bool { return q.ID == id }); i >= 0 {
		return r.Requirements[i], true
	}
	return q, false
}

func (r Results) Check(id string) (c Check, found bool) {
	if i := slices.IndexFunc(r.Checks, func(c Check) bool { return c.ID == id }); i >= 0 {
		return r.Checks[i], true
	}
	return c, false
}

// Broken returns the requirements that a failed check breaks, each once: those of its findings, or if it has none, all
// that it proves.
func (c Check) Broken() []spec.ID {
	var ids []spec.ID
	for _, f := range c.Findings {
		if !slices.Contains(ids, f.Requirement) {
			ids = append(ids, f.Requirement)
		}
	}
	if len(ids) == 0 {
		return c.Requirements
	}
	return ids
}

// Failed returns the requirements of those levels that failed.
func (r Results) Failed(levels ...spec.Level) []spec.ID {
	var ids []spec.ID
	for _, q := range r.Requirements {
		if q.Verdict == Failed && slices.Contains(levels, q.Level) {
			ids = append(ids, q.ID)
		}
	}
	return ids
}
