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

// Part is there for a partial run, which left out checks by choice (--only, --skip, --read-only) or was judged as of
// another time. It never conforms, since what it left out may be broken.
type Part struct {
	// Holds says that everything selected was judged and nothing is broken.
	Holds bool `json:"holds"`
	// Accepted says that the part holds and that the run was asked to exit with 0 in that case (--accept-part).
	Accepted bool `json:"accepted,omitempty"`
}

// Counted returns the counts of r in one line: "7 of 64 musts passed, 0 failed". A waived failure counts as one.
func (r Results) Counted() string {
	by, all := r.Tally()
	s := fmt.Sprintf("%d of %d %s passed, %d failed", by[Passed], all, Binding(r.Strict), by[Failed]+by[Waived])
	if n := by[Inconclusive]; n > 0 {
		s += fmt.Sprintf(", %d inconclusive", n)
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
