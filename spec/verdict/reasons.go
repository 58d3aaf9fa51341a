package verdict

import (
	"fmt"
	"slices"
)

func (q Requirement) brokenWhy() string {
	return fmt.Sprintf("%s (%s): %s", q.ID, q.Clause, q.Statement)
}

// UntoldWhy is the reason that an inconclusive requirement gives a run.
func (q Requirement) UntoldWhy() string {
	return fmt.Sprintf("%s could not be told: %s", q.ID, q.Reason)
}

// NoTarget reports whether there was no service to judge. The first reason then says everything.
func (r Results) NoTarget() bool { return r.validity.NoTarget }

// OpenReasons returns the reasons of r that its failures do not already give: what made the run incomplete, and each inconclusive
// requirement. It leaves out a requirement if each of its inconclusive checks is in hidden, the checks that are inconclusive
// because of a failure.
func (r Results) OpenReasons(hidden []string) []string {
	told := map[string]bool{}
	for _, q := range r.Requirements {
		told[q.brokenWhy()] = true
		if len(q.Checks) == 0 {
			continue
		}
		told[q.UntoldWhy()] = !slices.ContainsFunc(r.Checks, func(c Check) bool {
			return c.Verdict == Inconclusive && slices.Contains(q.Checks, c.ID) && !slices.Contains(hidden, c.ID)
		})
	}
	return slices.DeleteFunc(slices.Clone(r.Reasons), func(why string) bool { return told[why] })
}
