package verdict

import (
	"slices"

	"petconform/spec"
)

// Counts says whether a requirement of the level decides the verdict of a run: a must does, and with strict a should too.
func Counts(level spec.Level, strict bool) bool {
	return level == spec.Must || strict && level == spec.Should
}

// Breaks says whether the findings of c make the run deviate: one of them is about a requirement that counts. A failed check
// without a finding breaks all that it proves.
func (r Results) Breaks(c Check) bool {
	return slices.ContainsFunc(r.Requirements, func(q Requirement) bool {
		broken := Names(c.Findings, q.ID) || len(c.Findings) == 0 && slices.Contains(c.Requirements, q.ID)
		return broken && Counts(q.Level, r.Strict)
	})
}

// Tally counts the requirements that decide a run's verdict: the musts and, in a strict run, the shoulds. Every report and the
// terminal count with it, so that they give the same numbers.
type Tally struct {
	// Musts are all of them: those that hold and those in the fields below.
	Musts int
	// Hold were judged and hold, Broken were judged and are broken, Waived are broken and excused.
	Hold, Broken, Waived int
	// Untold were judged without a result.
	Untold int
	// NotJudged had nothing to judge: nothing was sent for them, no response concerned them, or they can't be tested.
	NotJudged int
	// NotApplicable do not bind on the day of the run.
	NotApplicable int
}

// Tally counts the requirements of r that decide its verdict.
func (r Results) Tally() Tally {
	var t Tally
	for _, q := range r.Requirements {
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
			t.Untold++
		case NotApplicable:
			t.NotApplicable++
		default:
			t.NotJudged++
		}
	}
	return t
}
