package verdict

import (
	"fmt"
	"slices"
	"strings"
)

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
