package waiver

import (
	"cmp"
	"slices"

	"petconform/spec"
	"petconform/spec/verdict"
)

// Use is a waiver with its state in a run.
type Use struct {
	Waiver
	State State
	// Excused lists the checks whose failure it excuses.
	Excused []string
}

// Apply returns res with the failures that f excuses marked as waived, and the state of each waiver. The verdict of the
// run does not change: waivers excuse a release, not a service. A check is waived if all of its findings are, and a
// requirement if all checks that failed for it are. A waiver of a requirement also excuses that it is inconclusive, as
// in a store that is too large to look through. f may be nil.
func Apply(res verdict.Results, f *File) (verdict.Results, []Use) {
	if f == nil {
		return res, nil
	}
	res.Checks, res.Requirements = slices.Clone(res.Checks), slices.Clone(res.Requirements)
	uses := inForce(res, f)
	excuse := func(check string, id spec.ID) *Use {
		for i, u := range uses {
			if u.State == Used && (u.Check != "" && u.Check == check || u.Requirement != "" && u.Requirement == id) {
				return &uses[i]
			}
		}
		return nil
	}
	by, open := map[spec.ID]string{}, map[spec.ID]bool{}
	for i := range res.Checks {
		c := &res.Checks[i]
		if c.Verdict != verdict.Failed {
			continue
		}
		c.Verdict = verdict.Waived
		for _, id := range c.Broken() {
			u := excuse(c.ID, id)
			if u == nil {
				c.Verdict, open[id] = verdict.Failed, true
			} else if by[id] = u.ID; !slices.Contains(u.Excused, c.ID) {
				u.Excused = append(u.Excused, c.ID)
			}
		}
	}
	for i := range res.Requirements {
		r := &res.Requirements[i]
		if r.Verdict == verdict.Failed && by[r.ID] != "" && !open[r.ID] {
			r.Verdict, r.Waiver = verdict.Waived, by[r.ID]
		} else if u := excuse("", r.ID); u != nil && r.Verdict == verdict.Inconclusive && slices.Contains(res.Inconclusive, r.ID) {
			r.Verdict, r.Waiver = verdict.Waived, u.ID
			u.Excused = append(u.Excused, r.Checks...)
		}
	}
	for i := range uses {
		if uses[i].State == Used && len(uses[i].Excused) == 0 {
			uses[i].State = Unused
		}
	}
	return res, uses
}

// inForce returns the waivers with their states on the day on which the run ended; Used stands for "in force". The day of
// --as-of would be the user's choice, and with today's date a report would differ tomorrow.
func inForce(res verdict.Results, f *File) []Use {
	day := cmp.Or(res.Ended, res.Started).UTC()
	uses := make([]Use, len(f.Waivers))
	for i, w := range f.Waivers {
		_, isRequirement := spec.TheLedger().Find(w.Requirement)
		_, isCheck := res.Check(w.Check)
		uses[i] = Use{Waiver: w, State: Used}
		switch {
		case !isRequirement && !isCheck:
			uses[i].State = Unknown
		case !day.Before(w.Ends.Time):
			uses[i].State = Expired
		case day.Before(w.From.Time):
			uses[i].State = Early
		}
	}
	return uses
}
