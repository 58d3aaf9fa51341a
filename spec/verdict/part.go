package verdict

import (
	"fmt"
	"slices"
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
	Holds bool `json:"holds"` // everything selected was judged and nothing is broken
	// Accepted says that the part holds and that the run was asked to exit with 0 in that case (--accept-part).
	Accepted bool `json:"accepted,omitempty"`
}

// Counted returns the counts of r in one line: "7 of 64 musts passed, 0 failed". A waived failure counts as one.
func (r Results) Counted() string {
	by, all := r.Tally()
	s := fmt.Sprintf("%d of %d %s passed, %d failed", len(by[Passed]), all, Binding(r.Strict), len(by[Failed])+len(by[Waived]))
	if n := len(by[Inconclusive]); n > 0 {
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

// Reasons are the reasons for the verdict of a run, a sentence each, most important first: a requirement that is broken
// or was not decided, or something about the run itself.
type Reasons []string

// String returns the sentences in one line.
func (all Reasons) String() string { return strings.Join(all, "; ") }

// reason is the reason that a requirement gives a run by a verdict. A waiver may have changed the verdict since.
func (q Requirement) reason(v Verdict) string {
	switch v {
	case Failed:
		return fmt.Sprintf("%s (%s): %s", q.ID, q.Clause, q.Statement)
	case Inconclusive:
		return fmt.Sprintf("%s is inconclusive: %s", q.ID, q.Reason)
	}
	return fmt.Sprintf("%s was not tested: %s", q.ID, q.Reason)
}

// NothingJudged reports whether nothing was judged: there was no service, or the run ended before it sent anything. The
// reasons of r say why, and nothing else is known.
func (r Results) NothingJudged() bool { return len(r.Checks) == 0 }

// OwnReasons returns the reasons of r that are about the run itself.
func (r Results) OwnReasons() Reasons {
	return r.reasonsBut(func(Requirement, Verdict) bool { return true })
}

// OpenReasons returns the reasons of r that neither its failures nor the list of what was not tested give: what made the
// run incomplete, and each inconclusive requirement. It leaves out a requirement if each of its inconclusive checks is in
// hidden, the checks that are inconclusive because of a failure.
func (r Results) OpenReasons(hidden []string) Reasons {
	return r.reasonsBut(func(q Requirement, v Verdict) bool {
		return v != Inconclusive || len(q.Checks) > 0 && !slices.ContainsFunc(r.Checks, func(c Check) bool {
			return c.Verdict == Inconclusive && slices.Contains(q.Checks, c.ID) && !slices.Contains(hidden, c.ID)
		})
	})
}

// reasonsBut returns the reasons of r without those that some requirements give by some verdict.
func (r Results) reasonsBut(leftOut func(Requirement, Verdict) bool) Reasons {
	gone := map[string]bool{}
	for _, q := range r.Requirements {
		for _, v := range []Verdict{Failed, Inconclusive, NotRun} {
			gone[q.reason(v)] = leftOut(q, v)
		}
	}
	return slices.DeleteFunc(slices.Clone(r.Reasons), func(why string) bool { return gone[why] })
}
