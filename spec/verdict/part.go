package verdict

import (
	"fmt"
	"strings"
	"time"
)

// asOfTolerance is how far from its start a run may be judged and still be whole: a release is made within days of its
// run.
const asOfTolerance = 7 * 24 * time.Hour

// AnotherTime reports whether a run is judged as of a day more than a week from its start. It is a part then: it tells
// nothing of requirements that apply on the one day and not on the other.
func AnotherTime(asOf, started time.Time) bool { return asOf.Sub(started).Abs() > asOfTolerance }

// AnotherDay returns the day that a run was judged as of, and "" if that is the day of its start.
func (r Results) AnotherDay() string {
	if day := r.AsOf.UTC().Format(time.DateOnly); day != r.Started.UTC().Format(time.DateOnly) {
		return day
	}
	return ""
}

// Part has the counts of a partial run, which left out checks by choice (--only, --skip, --read-only) or was judged as
// of another time. It never conforms, since what it left out may be broken.
type Part struct {
	// Musts counts the requirements that decide the verdict of a whole run (see Tally). Each is counted once more: in
	// Hold, Broken or Inconclusive if this part judged it, else in NotJudged.
	Musts int `json:"musts"`
	// Strict says that Musts counts the shoulds too.
	Strict       bool `json:"strict,omitempty"`
	Hold         int  `json:"hold"`
	Broken       int  `json:"broken"`
	Inconclusive int  `json:"inconclusive"`
	NotJudged    int  `json:"notJudged"`
	// Holds says that everything selected was judged and nothing is broken.
	Holds bool `json:"holds"`
	// Accepted says that the part holds and that the run was asked to exit with 0 in that case (--accept-part).
	Accepted bool `json:"accepted,omitempty"`
}

// part returns the counts of r. A waived failure counts as broken.
func (r Results) part(holds bool) *Part {
	t := r.Tally()
	return &Part{Musts: t.Musts, Strict: r.Strict, Hold: t.Hold, Broken: t.Broken + t.Waived, Inconclusive: t.Inconclusive,
		NotJudged: t.NotJudged + t.NotApplicable, Holds: holds}
}

// String returns the counts in one line: "7 of 64 musts passed, 0 failed".
func (p Part) String() string {
	s := fmt.Sprintf("%d of %d %s passed, %d failed", p.Hold, p.Musts, Binding(p.Strict), p.Broken)
	if p.Inconclusive > 0 {
		s += fmt.Sprintf(", %d inconclusive", p.Inconclusive)
	}
	return s
}

// Holds is the word for a run of this kind that conforms, which says what was tested. A sign-off has a word of its own,
// which a decision gives it.
func (r Results) Holds() string {
	if r.Kind == "load" {
		return "RATE LIMITS HOLD"
	}
	return strings.ToUpper(string(Conforms))
}

// InWords returns the verdict as every output of a run writes it. A part says that it is one: the run as a whole neither
// conforms nor deviates.
func (r Results) InWords() string {
	switch part := r.Part != nil; {
	case part && r.Part.Holds:
		return "PART HOLDS"
	case part && r.Verdict == Deviates:
		return "PART DEVIATES"
	case part:
		return "NO VERDICT, PART"
	case r.Verdict == Conforms:
		return r.Holds()
	case r.Verdict == Deviates:
		return "DEVIATES"
	}
	return "NO VERDICT"
}
