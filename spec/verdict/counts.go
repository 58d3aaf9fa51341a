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

// Unmet returns the requirements that decide the verdict of a client's run and of which the client met nothing, each
// with what would lead it there as the reason. A client that sends one GET has not shown that it waits after a 429.
func (r Results) Unmet() (unmet []Requirement) {
	for _, q := range r.Requirements {
		if r.OfClient() && q.Verdict == NotRun && Counts(q.Level, r.Strict) {
			unmet = append(unmet, q)
		}
	}
	return unmet
}

// Tally counts the requirements that decide a run's verdict: the musts and, in a strict run, the shoulds. The terminal
// and every report use it, so that they print the same numbers.
type Tally struct {
	// Musts is the sum of the fields below.
	Musts int
	// Hold counts those that hold, Broken those that are broken, Waived those that are broken and excused by a waiver.
	Hold, Broken, Waived int
	// Inconclusive counts those that are inconclusive.
	Inconclusive int
	// NotJudged counts those without a request or a response, and those that cannot be tested.
	NotJudged int
	// NotApplicable counts those that do not apply to the run.
	NotApplicable int
}

// Proof says how a requirement is proved; one that the ledger does not have, by a check.
func (q Requirement) Proof() spec.Proof {
	if entry, ok := spec.TheLedger().Find(q.ID); ok {
		return entry.Proof
	}
	return spec.ByCheck
}

// Tally counts the requirements of r that decide its verdict, of those that are proved in one of the ways; without one,
// all.
func (r Results) Tally(ways ...spec.Proof) Tally {
	var t Tally
	for _, q := range r.Requirements {
		if len(ways) > 0 && !slices.Contains(ways, q.Proof()) {
			continue
		}
		if !Counts(q.Level, r.Strict) {
			continue
		}
		t.Musts++
		switch q.Verdict {
		case Passed:
			t.Hold++
		case Failed:
			t.Broken++
		case Waived:
			t.Waived++
		case Inconclusive:
			t.Inconclusive++
		case NotApplicable:
			t.NotApplicable++
		default:
			t.NotJudged++
		}
	}
	return t
}
