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
	return strings.TrimSuffix(s+": "+r.With, ": ")
}

// notTested returns what the run did not test, of the requirements that decide its verdict, by the reason. No other
// place says why something was not tested.
func notTested(f Facts) (all []Reason) {
	if f.Results.NothingJudged() {
		return []Reason{{What: "everything: nothing was judged"}}
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
	return all
}

// untested says why a requirement was not tested, and what would test it.
func untested(f Facts, q verdict.Requirement) Reason {
	entry, _ := spec.TheLedger().Find(q.ID)
	switch proof := q.Proof(); {
	case q.Verdict == verdict.NotApplicable:
		return Reason{What: q.Reason}
	case proof == spec.ByTwo:
		return Reason{What: "whether production and staging behave alike", With: "petconform diff STAGING PRODUCTION"}
	case proof == spec.ByNothing:
		return Reason{What: "what cannot be tested from outside: " + strings.TrimSuffix(entry.Why, ".")}
	case proof == spec.ByLoad && !loaded(f) && f.Policy.Load: // asked for: the check of a sign-off that ended there
		return Reason{What: "the rate limits", With: "petconform signoff --load-anyway"}
	case proof == spec.ByLoad && !loaded(f):
		return Reason{What: "the rate limits", With: "petconform load, or petconform signoff"}
	case entry.Flag != "" && loaded(f):
		return Reason{What: entry.Topic, With: "petconform load " + entry.Flag}
	case f.Results.Kind == "load":
		return Reason{What: "all that a load does not send", With: "petconform check"}
	case f.Results.OfClient():
		return Reason{What: q.Reason}
	case proof == spec.ByRule || proof == spec.ByNet:
		return Reason{What: "no response came that shows it"}
	case f.Results.Part != nil:
		return Reason{What: leftOut, With: "the whole run"}
	}
	what, _, _ := strings.Cut(q.Reason, "; ") // what follows are the cases of the requirement
	return Reason{What: what}
}
