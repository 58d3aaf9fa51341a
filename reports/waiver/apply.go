package waiver

import (
	"cmp"
	"slices"
	"time"

	"petconform/spec"
	"petconform/spec/verdict"
)

// Use is a waiver with its state in a run.
type Use struct {
	Waiver
	State State
}

// Apply returns res with the requirements that f excuses marked as waived, and the state of each waiver. The verdict of
// the run does not change: waivers excuse a release, not a service. A check is waived if all that it breaks is. A waiver
// also excuses that its requirement is inconclusive, as in a store that is too large to look through. f may be nil.
func Apply(res verdict.Results, f *File) (verdict.Results, []Use) {
	if f == nil {
		return res, nil
	}
	res.Checks, res.Requirements = slices.Clone(res.Checks), slices.Clone(res.Requirements)
	uses, inForce := statesOf(f, cmp.Or(res.Ended, res.Started).UTC()), map[spec.ID]*Use{}
	for i, u := range slices.Backward(uses) { // the first of a requirement excuses it
		if u.State == Unused {
			inForce[u.Requirement] = &uses[i]
		}
	}
	for i := range res.Requirements {
		r := &res.Requirements[i]
		untold := r.Verdict == verdict.Inconclusive && slices.Contains(res.Inconclusive, r.ID)
		if u := inForce[r.ID]; u != nil && (r.Verdict == verdict.Failed || untold) {
			r.Verdict, r.Waiver, u.State = verdict.Waived, u.ID, Used
		}
	}
	for i := range res.Checks {
		c := &res.Checks[i]
		open := func(id spec.ID) bool { return inForce[id] == nil }
		if broken := c.Broken(); c.Verdict == verdict.Failed && len(broken) > 0 && !slices.ContainsFunc(broken, open) {
			c.Verdict = verdict.Waived
		}
	}
	return res, uses
}

// statesOf returns the waivers with their states on the day on which the run ended; Unused stands for "in force". The day
// of --as-of would be the user's choice, and with today's date a report would differ tomorrow.
func statesOf(f *File, day time.Time) (uses []Use) {
	for _, w := range f.Waivers {
		state := Unused
		switch _, known := spec.TheLedger().Find(w.Requirement); {
		case !known:
			state = Unknown
		case !day.Before(w.Ends.Time):
			state = Expired
		case day.Before(w.From.Time):
			state = Early
		}
		uses = append(uses, Use{w, state})
	}
	return uses
}
