package waiver

import (
	"slices"
	"time"

	"petconform/spec"
	"petconform/spec/verdict"
)

// Use is a waiver with its state in a run.
type Use struct {
	Waiver
	State State `json:"state"`
	// DaysLeft counts from the day of the run.
	DaysLeft int `json:"daysLeft"`
	// Excused lists the checks whose failure it excuses.
	Excused []string `json:"excused,omitempty"`
}

// Apply returns res with the failures that f excuses marked as waived, and the state of each waiver. The verdict of the
// run does not change: waivers excuse a release, not a service. A check is waived if all of its findings are, and a
// requirement if all checks that failed for it are. A waiver of a requirement also excuses that it is inconclusive, as
// in a store that is too large to look through. Apply first undoes the waivers that res was written with. f may be nil.
func Apply(res verdict.Results, f *File) (verdict.Results, []Use) {
	res = withdrawn(res)
	if f == nil {
		return res, nil
	}
	day := day(res)
	uses := make([]Use, len(f.Waivers))
	for i, w := range f.Waivers {
		uses[i] = Use{Waiver: w, State: w.on(day), DaysLeft: w.DaysLeft(day)}
		if !isKnown(w, res) {
			uses[i].State = Unknown
		}
	}
	by := map[finding]string{}
	for i := range res.Checks {
		waiveCheck(&res.Checks[i], uses, by)
	}
	for i := range res.Requirements {
		waiveRequirement(&res.Requirements[i], res.Checks, by)
	}
	for i := range res.Requirements {
		waiveInconclusive(&res.Requirements[i], res.Inconclusive, uses)
	}
	for i := range uses {
		if uses[i].State == Used && len(uses[i].Excused) == 0 {
			uses[i].State = Unused
		}
	}
	return res, uses
}

func withdrawn(res verdict.Results) verdict.Results {
	res.Checks, res.Requirements = slices.Clone(res.Checks), slices.Clone(res.Requirements)
	for i := range res.Checks {
		if res.Checks[i].Verdict == verdict.Waived {
			res.Checks[i].Verdict = verdict.Failed
		}
	}
	for i := range res.Requirements {
		if r := &res.Requirements[i]; r.Verdict == verdict.Waived {
			r.Verdict, r.Waiver = verdict.Failed, ""
			if slices.Contains(res.Inconclusive, r.ID) {
				r.Verdict = verdict.Inconclusive
			}
		}
	}
	return res
}

// day returns the time at which waivers have to be in force: the end of the run. The day of --as-of would be the user's
// choice, and with today's date a report would differ tomorrow.
func day(res verdict.Results) time.Time {
	if res.Ended.IsZero() {
		return res.Started.UTC()
	}
	return res.Ended.UTC()
}

// finding names a failure of a requirement in a check.
type finding struct {
	check       string
	requirement spec.ID
}

func waiveCheck(c *verdict.Check, uses []Use, by map[finding]string) {
	if c.Verdict != verdict.Failed {
		return
	}
	all := true
	for _, id := range c.Broken() {
		i := slices.IndexFunc(uses, func(u Use) bool {
			return u.State == Used && (u.Check == c.ID || u.Requirement != "" && u.Requirement == id)
		})
		if i < 0 {
			all = false
			continue
		}
		by[finding{c.ID, id}] = uses[i].ID
		if !slices.Contains(uses[i].Excused, c.ID) {
			uses[i].Excused = append(uses[i].Excused, c.ID)
		}
	}
	if all {
		c.Verdict = verdict.Waived
	}
}

func waiveRequirement(r *verdict.Requirement, checks []verdict.Check, by map[finding]string) {
	if r.Verdict != verdict.Failed {
		return
	}
	id := ""
	for _, c := range checks {
		if !c.Verdict.Failing() || !slices.Contains(c.Broken(), r.ID) {
			continue
		}
		if id = by[finding{c.ID, r.ID}]; id == "" {
			return
		}
	}
	if id != "" {
		r.Verdict, r.Waiver = verdict.Waived, id
	}
}

// waiveInconclusive excuses an inconclusive requirement, by a waiver that names it.
func waiveInconclusive(r *verdict.Requirement, excusable []spec.ID, uses []Use) {
	if r.Verdict != verdict.Inconclusive || !slices.Contains(excusable, r.ID) {
		return
	}
	for i := range uses {
		if uses[i].State == Used && uses[i].Requirement == r.ID {
			r.Verdict, r.Waiver = verdict.Waived, uses[i].ID
			uses[i].Excused = append(uses[i].Excused, r.Checks...)
			return
		}
	}
}

func isKnown(w Waiver, res verdict.Results) bool {
	if w.Requirement != "" {
		_, ok := spec.TheLedger().Find(w.Requirement)
		return ok
	}
	_, ok := res.Check(w.Check)
	return ok
}
