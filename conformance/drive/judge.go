package drive

import (
	"slices"

	"petconform/conformance/check"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/history"
	"petconform/spec/verdict"
)

// ruled makes a judgement of what one rule says. A rule's Exchanges are those that broke it.
func ruled(checks []verdict.Check, seen []verdict.Observation) check.Judgement {
	c := checks[0]
	j := check.Judgement{Check: c, Seen: seen, Broke: map[int][]spec.ID{}}
	for _, n := range c.Exchanges {
		for _, f := range c.Findings {
			if f.Exchange == n || len(c.Findings) == 1 {
				j.Broke[n] = append(j.Broke[n], f.Requirement)
			}
		}
	}
	return j
}

// JudgeRecording computes the whole verdict from a recording. It sends nothing, and the same recording always gets the
// same results: those of the suite that sent it. Ginkgo runs one suite in a process, and a command may judge several
// recordings, so that a suite judges what it has sent and this function what was recorded; both judge the same subjects
// and sum alike.
func JudgeRecording(rec *exchange.Recording) verdict.Results {
	return Judge(Planned(rec), rec, history.Of(rec))
}

// Judge judges the subjects of a run and sums what they find.
func Judge(all []Subject, rec *exchange.Recording, h *history.History) verdict.Results {
	h = h.Judgeable()
	judged := make([]check.Judgement, len(all))
	for i, one := range all {
		judged[i] = one.Judge(h)
	}
	return Sum(rec, h, judged, nil)
}

// Breaks reports whether one of the findings is about a must, or about a should where a should counts.
func Breaks(v verdict.Check, strict bool) bool {
	return slices.ContainsFunc(v.Findings, func(f verdict.Finding) bool {
		r, _ := spec.TheLedger().Find(f.Requirement)
		return verdict.Counts(r.Level, strict)
	})
}
