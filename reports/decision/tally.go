package decision

import (
	"fmt"
	"strings"

	"petconform/spec"
	"petconform/spec/verdict"
)

// counts has the musts of a run (with --strict, also the shoulds) by how they are proved and by their verdict.
type counts struct {
	bound, failed, waived int
	// broken and untold list those with the verdict failed or inconclusive that a check or a rule proves.
	broken, untold []string
	// notRun lists those whose checks should have run and did not, and unread those whose rule had no exchange to judge.
	notRun, unread []string
	// untestable are those that nothing from outside can tell.
	untestable []string
	// loadOpen lists those that only a load run can prove and that none has proved.
	loadOpen                                      []string
	loadBound, loadPassed, loadFailed, loadWaived int
}

func tally(res verdict.Results) counts {
	var n counts
	for _, r := range res.Requirements {
		if !verdict.Counts(r.Level, res.Strict) || r.Verdict == verdict.NotApplicable {
			continue
		}
		proof := spec.ByCheck
		if entry, ok := spec.TheLedger().Find(r.ID); ok {
			proof = entry.Proof
		}
		switch {
		case proof == spec.ByLoad:
			n.addLoad(r)
		case proof.Beyond() && r.Verdict == verdict.NotRun:
			n.untestable = append(n.untestable, string(r.ID))
		default:
			n.add(r, proof)
		}
	}
	return n
}

func (n *counts) add(r verdict.Requirement, proof spec.Proof) {
	n.bound++
	id := string(r.ID)
	switch {
	case r.Verdict == verdict.Passed:
	case r.Verdict == verdict.Failed:
		n.failed++
		n.broken = append(n.broken, id)
	case r.Verdict == verdict.Waived:
		n.waived++
	case r.Verdict == verdict.Inconclusive:
		n.untold = append(n.untold, id)
	case proof == spec.ByRule || proof == spec.ByNet:
		n.unread = append(n.unread, id)
	default:
		n.notRun = append(n.notRun, id)
	}
}

func (n *counts) addLoad(r verdict.Requirement) {
	n.bound++
	n.loadBound++
	switch r.Verdict {
	case verdict.Passed:
		n.loadPassed++
	case verdict.Failed:
		n.failed++
		n.loadFailed++
	case verdict.Waived:
		n.waived++
		n.loadWaived++
	default:
		n.loadOpen = append(n.loadOpen, string(r.ID))
	}
}

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}

// list names a few, and counts the others.
func list(ids []string) string {
	const few = 8
	if len(ids) <= few {
		return strings.Join(ids, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(ids[:few], ", "), len(ids)-few)
}
