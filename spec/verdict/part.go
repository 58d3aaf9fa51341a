package verdict

import (
	"fmt"
	"strings"
)

// Part has the counts of a partial run, which left out checks by choice (--only, --skip, --read-only), or whose client did not do
// everything that a must is about. It never conforms, since what it left out may be broken.
type Part struct {
	// Musts counts the requirements that decide the verdict of a whole run (see Tally). Each is counted once more: in Hold, Broken or
	// Untold if this part judged it, else in NotJudged.
	Musts int `json:"musts"`
	// Strict says that Musts counts the shoulds too.
	Strict    bool `json:"strict,omitempty"`
	Hold      int  `json:"hold"`
	Broken    int  `json:"broken"`
	Untold    int  `json:"untold"`
	NotJudged int  `json:"notJudged"`
	// Holds says that everything selected was judged and nothing is broken.
	Holds bool `json:"holds"`
	// Accepted says that the part holds and that the run was asked to exit with 0 in that case (--accept-part).
	Accepted bool `json:"accepted,omitempty"`
}

// part returns the counts of r. A waived failure counts as broken.
func (r Results) part(holds bool) *Part {
	t := r.Tally()
	return &Part{Musts: t.Musts, Strict: r.Strict, Hold: t.Hold, Broken: t.Broken + t.Waived, Untold: t.Untold,
		NotJudged: t.NotJudged + t.NotApplicable, Holds: holds}
}

// unmet returns the requirements of a client's run that would decide its verdict and met nothing to judge. A client that sends one
// GET has not shown that it waits after a 429.
func (r Results) unmet() []Requirement {
	var unmet []Requirement
	for _, q := range r.Requirements {
		if r.OfClient() && q.Verdict == NotRun && Counts(q.Level, r.Strict) {
			unmet = append(unmet, q)
		}
	}
	return unmet
}

// leftOut says why a part that holds has no verdict. unmet are the requirements that met nothing, which the reasons name.
func (r Results) leftOut(unmet []Requirement) Reasons {
	const accept = "or add --accept-part to exit with 0 for a part that holds"
	if len(unmet) == 0 {
		return Because("what was left out may be broken: run the whole, " + accept)
	}
	ids, why := make([]string, len(unmet)), make([]string, len(unmet))
	for i, q := range unmet {
		ids[i], why[i] = string(q.ID), fmt.Sprintf("%s: %s", q.ID, q.Reason)
	}
	first := fmt.Sprintf("the client met nothing that shows %s: lead it there, %s", strings.Join(ids, ", "), accept)
	return Because(append([]string{first}, why...)...)
}

// String returns the counts in one line: "PART: 7 of 64 musts hold, 0 broken".
func (p Part) String() string {
	s := fmt.Sprintf("PART: %d of %d %s hold, %d broken", p.Hold, p.Musts, Binding(p.Strict), p.Broken)
	if p.Untold > 0 {
		s += fmt.Sprintf(", %d inconclusive", p.Untold)
	}
	return s
}

// InWords returns the verdict as every output of a run writes it. For a part that holds it is the counts alone, since the run as a
// whole neither conforms nor deviates.
func (r Results) InWords() string {
	word := strings.ToUpper(string(r.Verdict))
	if r.Verdict != Conforms && r.Verdict != Deviates {
		word = strings.ToUpper(string(NoVerdict))
	}
	switch {
	case r.Part == nil:
		return word
	case r.Part.Holds:
		return r.Part.String()
	}
	return word + ", " + r.Part.String()
}
