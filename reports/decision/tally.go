package decision

import (
	"fmt"
	"slices"
	"strings"

	"petconform/spec"
	"petconform/spec/verdict"
)

// counts has the tally of all musts of a run (with --strict, also of the shoulds) and of those that only a load run proves, and lists
// musts by what a report says of them.
type counts struct {
	all, load verdict.Tally
	// broken and inconclusive list those with the verdict failed or inconclusive that a check or a rule proves.
	broken, inconclusive []string
	// notRun lists those whose checks should have run and did not, and unread those whose rule had no exchange to judge.
	notRun, unread []string
	// untestable are those that nothing from outside can tell.
	untestable []string
	// loadOpen lists those that only a load run can prove and that none has proved.
	loadOpen []string
}

func tally(res verdict.Results) counts {
	n := counts{all: res.Tally(), load: res.Tally(spec.ByLoad)}
	for _, r := range res.Requirements {
		if verdict.Counts(r.Level, res.Strict) && !slices.Contains([]verdict.Verdict{verdict.Passed, verdict.Waived, verdict.NotApplicable}, r.Verdict) {
			n.add(string(r.ID), r.Verdict, r.Proof())
		}
	}
	return n
}

func (n *counts) add(id string, v verdict.Verdict, proof spec.Proof) {
	list := &n.notRun
	switch {
	case proof == spec.ByLoad && v == verdict.Failed:
		return
	case proof == spec.ByLoad:
		list = &n.loadOpen
	case proof.Beyond() && v == verdict.NotRun:
		list = &n.untestable
	case v == verdict.Failed:
		list = &n.broken
	case v == verdict.Inconclusive:
		list = &n.inconclusive
	case proof == spec.ByRule || proof == spec.ByNet:
		list = &n.unread
	}
	*list = append(*list, id)
}

// list names a few, and counts the others.
func list(ids []string) string {
	const few = 8
	if len(ids) <= few {
		return strings.Join(ids, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(ids[:few], ", "), len(ids)-few)
}
