package decision

import (
	"fmt"
	"slices"
	"strings"

	"petconform/spec"
	"petconform/spec/verdict"
)

// Reason is something that a run did not test.
type Reason struct {
	// What was not tested, or why, in a few words.
	What         string    `json:"what"`
	Requirements []spec.ID `json:"requirements,omitempty"`
	// With is the command or the flag that tests it; "" if nothing does.
	With string `json:"with,omitempty"`
}

// String is the reason in a sentence.
func (r Reason) String() string {
	s := r.What
	if n := len(r.Requirements); n > 4 {
		s += fmt.Sprintf(" (%s)", spec.Count(n, "requirement"))
	} else if n > 0 {
		s += " (" + spec.Join(r.Requirements, ", ") + ")"
	}
	if r.With != "" {
		s += "; " + r.With + " tests this"
	}
	return s
}

// notTested returns what the run did not test, of the requirements that decide its verdict, by the reason: first the one
// that concerns most of them. No other place says why something was not tested.
func notTested(f Facts) (all []Reason) {
	if f.Results.NothingJudged() {
		return []Reason{{What: "everything"}}
	}
	for _, q := range f.Results.Requirements {
		if q.Verdict != verdict.NotRun && q.Verdict != verdict.NotApplicable || !verdict.Counts(q.Level, f.Results.Strict) {
			continue
		}
		why := untested(f, q)
		i := slices.IndexFunc(all, func(r Reason) bool { return r.What == why.What && r.With == why.With })
		if i < 0 {
			i, all = len(all), append(all, why)
		}
		all[i].Requirements = append(all[i].Requirements, q.ID)
	}
	slices.SortStableFunc(all, func(a, b Reason) int { return len(b.Requirements) - len(a.Requirements) })
	return all
}

// untested says why a requirement was not tested, and what would test it: by the first row that is so.
func untested(f Facts, q verdict.Requirement) Reason {
	entry, _ := spec.TheLedger().Find(q.ID)
	proof, load := q.Proof(), loaded(f)
	// rule 3 is about a 429, which a check does not provoke
	limits := proof == spec.ByLoad || proof == spec.ByRule && strings.HasSuffix(entry.Clause, "Rate limits by plan, rule 3")
	why, _, _ := strings.Cut(q.Reason, "; ") // what follows are the cases of the requirement
	for _, row := range []struct {
		is         bool
		what, with string
	}{
		{q.Verdict == verdict.NotApplicable, q.Reason, ""},
		{proof == spec.ByTwo, "whether production and staging behave alike", "petconform diff STAGING PRODUCTION"},
		{proof == spec.ByNothing, "what cannot be tested from outside: " + strings.TrimSuffix(entry.Why, "."), ""},
		// asked for: the check of a sign-off that ended there
		{limits && !load && f.Policy.Load, "the rate limits", "petconform signoff --load-anyway"},
		{limits && !load, "the rate limits", "petconform load"},
		{entry.Flag != "" && load, entry.Topic, "petconform load " + entry.Flag},
		{f.Results.Kind == "load" && proof != spec.ByLoad, "all that a load does not send", "petconform check"},
		{f.Results.OfClient(), q.Reason, ""},
		{proof == spec.ByRule || proof == spec.ByNet, "rules about responses that did not come", ""},
		{f.Results.Part != nil, leftOut, "a whole run"},
	} {
		if row.is {
			return Reason{What: row.what, With: row.with}
		}
	}
	return Reason{What: why}
}
