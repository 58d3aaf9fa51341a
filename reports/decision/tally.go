package decision

import (
	"fmt"
	"strings"

	"petconform/spec"
	"petconform/spec/verdict"
)

// counts sums up the musts of a run (with --strict, the shoulds too), by how they are proved.
type counts struct {
	bound, passed, failed, waived, inconclusive int
	// broken names the failed ones.
	broken []string
	// notRun lists those whose checks should have run and did not; unread those whose rule met no answer that it speaks of.
	notRun, unread []string
	// loadOpen are those that only a load run proves, and that none has.
	loadOpen                                      []string
	loadBound, loadPassed, loadFailed, loadWaived int
}

func tally(res verdict.Results) counts {
	var n counts
	for _, r := range res.Requirements {
		if r.Level != spec.Must && (!res.Strict || r.Level != spec.Should) || r.Verdict == verdict.NotApplicable {
			continue
		}
		proof := spec.ByCheck
		if entry, ok := spec.TheLedger().Find(r.ID); ok {
			proof = entry.Proof
		}
		if proof != spec.ByNothing {
			n.add(r, proof)
		}
	}
	return n
}

func (n *counts) add(r verdict.Requirement, proof spec.Proof) {
	load := proof == spec.ByLoad
	n.bound++
	if load {
		n.loadBound++
	}
	switch r.Verdict {
	case verdict.Passed:
		n.passed++
		n.loadPassed += one(load)
	case verdict.Failed:
		n.failed++
		if !load {
			n.broken = append(n.broken, string(r.ID))
		}
		n.loadFailed += one(load)
	case verdict.Waived:
		n.waived++
		n.loadWaived += one(load)
	case verdict.Inconclusive:
		n.inconclusive++
		if load {
			n.loadOpen = append(n.loadOpen, string(r.ID))
		}
	default:
		switch {
		case load:
			n.loadOpen = append(n.loadOpen, string(r.ID))
		case proof == spec.ByRule:
			n.unread = append(n.unread, string(r.ID))
		default:
			n.notRun = append(n.notRun, string(r.ID))
		}
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
