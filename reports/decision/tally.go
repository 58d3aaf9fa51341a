package decision

import (
	"fmt"
	"slices"
	"strings"

	"petconform/spec"
	"petconform/spec/verdict"
)

// counts has the tally of all musts of a run (with --strict, also of the shoulds) and of those that only a load run
// proves, and lists musts by what a report says of them.
type counts struct {
	all, load verdict.Tally
	// broken and inconclusive list those with the verdict failed or inconclusive that a check or a rule proves.
	broken, inconclusive []string
	// notRun lists those whose checks should have run and did not, and unread those whose rule had no exchange to
	// judge: a client met nothing that shows them.
	notRun, unread []string
	// untestable are those that nothing from outside can tell.
	untestable []string
	// loadOpen lists those that only a load run can prove and that none has proved, and that it should have.
	loadOpen []string
	// leftOut are those that a load leaves out without a flag.
	leftOut []spec.Requirement
}

// settled are the verdicts of a requirement that keep nothing open.
var settled = []verdict.Verdict{verdict.Passed, verdict.Waived, verdict.NotApplicable}

func tally(res verdict.Results) counts {
	n := counts{all: res.Tally(), load: res.Tally(spec.ByLoad)}
	for _, r := range res.Requirements {
		if verdict.Counts(r.Level, res.Strict) && !slices.Contains(settled, r.Verdict) {
			if entry, _ := spec.TheLedger().Find(r.ID); entry.Flag != "" && r.Verdict == verdict.NotRun {
				n.leftOut = append(n.leftOut, entry)
				continue
			}
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
	case proof == spec.ByRule || proof == spec.ByNet || proof == spec.ByClient:
		list = &n.unread
	}
	*list = append(*list, id)
}

// notTested says what a load left out, and the flags that test it: "the daily quota was not tested: --day 24h".
func notTested(all []spec.Requirement) string {
	var topics, flags []string
	for _, r := range all {
		topics, flags = append(topics, r.Topic), append(flags, r.Flag)
	}
	verb := map[bool]string{true: "was", false: "were"}[len(all) == 1]
	return fmt.Sprintf("%s %s not tested: %s", spec.List(topics), verb, strings.Join(flags, ", "))
}

// list names a few, and counts the others.
func list(ids []string) string {
	const few = 8
	if len(ids) <= few {
		return strings.Join(ids, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(ids[:few], ", "), len(ids)-few)
}
