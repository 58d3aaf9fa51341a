package verdict

import (
	"slices"

	"petconform/spec"
)

// Counts reports whether a requirement of the level decides the verdict of a run. A must does; a should does if strict
// is set.
func Counts(level spec.Level, strict bool) bool {
	return level == spec.Must || strict && level == spec.Should
}

// Counts reports whether a requirement decides the verdict of r.
func (r Results) Counts(id spec.ID) bool {
	q, found := r.Requirement(id)
	return found && Counts(q.Level, r.Strict)
}

// Binding names the requirements that decide the verdict of a run: "musts" or, if strict is set, "musts and shoulds".
func Binding(strict bool) string {
	if strict {
		return "musts and shoulds"
	}
	return "musts"
}

// Breaks reports whether the findings of c make the run deviate, because one is about a requirement that counts. A
// failed check without a finding breaks every requirement that it proves.
func (r Results) Breaks(c Check) bool {
	return slices.ContainsFunc(c.Broken(), r.Counts)
}

// Proof says how a requirement is proved; one that the ledger does not have, by a check.
func (q Requirement) Proof() spec.Proof {
	if entry, ok := spec.TheLedger().Find(q.ID); ok {
		return entry.Proof
	}
	return spec.ByCheck
}

// Tally counts, by their verdicts, the requirements that decide the verdict of r: the musts and, in a strict run, the
// shoulds. With ways it counts those that are proved in one of them. The terminal and every report use it, so that they
// print the same numbers.
func (r Results) Tally(ways ...spec.Proof) (by map[Verdict]int, all int) {
	by = map[Verdict]int{}
	for _, q := range r.Requirements {
		if Counts(q.Level, r.Strict) && (len(ways) == 0 || slices.Contains(ways, q.Proof())) {
			by[q.Verdict]++
			all++
		}
	}
	return by, all
}
