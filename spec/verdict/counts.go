package verdict

import (
	"cmp"
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

// Breaks reports whether the findings of c make the run deviate, because one is about a requirement that counts.
func (r Results) Breaks(c Check) bool { return slices.ContainsFunc(c.Broken(), r.Counts) }

// Proof says how a requirement is proved; one that the ledger does not have, by a check.
func (q Requirement) Proof() spec.Proof {
	entry, _ := spec.TheLedger().Find(q.ID)
	return cmp.Or(entry.Proof, spec.ByCheck)
}

// Tally returns, by their verdicts, the requirements that decide the verdict of r, and counts them: the musts and, in a
// strict run, the shoulds. With ways these are those that are proved in one of them. The terminal and every report use
// it, so that they print the same numbers.
func (r Results) Tally(ways ...spec.Proof) (by map[Verdict][]spec.ID, all int) {
	by = map[Verdict][]spec.ID{}
	for _, q := range r.Requirements {
		if Counts(q.Level, r.Strict) && (len(ways) == 0 || slices.Contains(ways, q.Proof())) {
			by[q.Verdict] = append(by[q.Verdict], q.ID)
			all++
		}
	}
	return by, all
}

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
func (c Check) Broken() (ids []spec.ID) {
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
func (r Results) Failed(levels ...spec.Level) (ids []spec.ID) {
	for _, q := range r.Requirements {
		if q.Verdict == Failed && slices.Contains(levels, q.Level) {
			ids = append(ids, q.ID)
		}
	}
	return ids
}
