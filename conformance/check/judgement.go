package check

import (
	"fmt"
	"slices"
	"strings"

	"petconform/spec"
	"petconform/spec/history"
	"petconform/spec/verdict"
)

// Judgement is the result of one check or rule on a run. Its Ginkgo spec adds it as a report entry.
type Judgement struct {
	Check verdict.Check         `json:"check"`
	Seen  []verdict.Observation `json:"observations,omitempty"`
	// Lost lists the requests that got no response; with one of them the run is incomplete.
	Lost []string `json:"lost,omitempty"`
	// Doubts say why the check is inconclusive.
	Doubts []Doubt `json:"doubts,omitempty"`
	// Broke has the requirements that each exchange was found to break, by the exchange's number.
	Broke map[int][]spec.ID `json:"broke,omitempty"`
}

// String tells a judgement in Ginkgo's output.
func (j Judgement) String() string {
	text := string(j.Check.Verdict)
	for _, more := range []string{j.Check.Reason, j.Check.Evidence, Text(j.Check, nil)} {
		if more != "" {
			text += "\n" + strings.TrimSpace(more)
		}
	}
	return text
}

// Doubt is a reason why a check is inconclusive. Exchange is the number of the exchange that is the reason, or 0.
type Doubt struct {
	Why      string `json:"why"`
	Exchange int    `json:"exchange,omitempty"`
}

func (c Check) Judged(h *history.History) Judgement {
	j := &Judge{History: h, own: h.Of(c.ID)}
	v := verdict.Check{ID: c.ID, Kind: verdict.Active, Title: c.Title, Operation: c.Operation,
		Requirements: c.Requirements(), Decides: c.Proves, Exchanges: []int{}}
	for _, x := range j.own {
		v.Exchanges = append(v.Exchanges, x.N)
	}
	if n := len(j.own); n > 0 {
		v.MS = j.own[n-1].Ended().Sub(j.own[0].Sent).Milliseconds()
	}
	if why := Unsent(h.End, c.ID); why != "" && len(j.own) == 0 {
		v.Verdict, v.Reason = verdict.NotRun, why
		if r, _ := spec.TheLedger().Find(c.Proves); !r.Applies(h.Meta.AsOf) {
			v.Verdict = verdict.NotApplicable
		}
		return Judgement{Check: v}
	}
	if c.Judge == nil {
		j.Evidence("sent %s, which rules judge", spec.Count(len(j.own), "request"))
	} else if c.Reads || len(j.own) > 0 {
		c.Judge(j)
	}
	if h.End != nil && len(h.End.GaveUp[c.ID]) > 0 {
		j.Evidence("%s judged; %s", spec.Count(len(j.own), "response"), Unsent(h.End, c.ID))
	}
	v.Findings = verdict.FirstOfEach(j.findings)
	v.Evidence = strings.Join(j.evidence, "; ")
	switch {
	case len(v.Findings) > 0:
		v.Verdict = verdict.Failed
	case len(j.lost) > 0:
		v.Verdict, v.Reason = verdict.Inconclusive, strings.Join(j.lost, "; ")
	case len(j.doubts) > 0:
		v.Verdict = verdict.Inconclusive
		v.Reason, _ = JoinDoubts(j.doubts, nil)
	case j.instead != "":
		v.Verdict, v.Reason = j.instead, j.insteadWhy
	case !c.Reads && len(j.own) == 0:
		v.Verdict, v.Reason = verdict.NotRun, "no request was sent for it"
	case c.Judge != nil && OnlyOpen(c.Requirements()):
		v.Verdict = verdict.Observed
	default:
		v.Verdict = verdict.Passed
	}
	if v.Evidence == "" && v.Verdict == verdict.Passed {
		v.Evidence = fmt.Sprintf("%d of %s as expected", j.held, spec.Count(j.held, "response"))
	}
	return Judgement{Check: v, Seen: j.observed, Lost: j.lost, Doubts: j.doubts, Broke: broke(j.findings)}
}

func broke(findings []verdict.Finding) map[int][]spec.ID {
	by := map[int][]spec.ID{}
	for _, f := range findings {
		by[f.Exchange] = append(by[f.Exchange], f.Requirement)
	}
	return by
}

// JoinDoubts joins the reasons of doubts, with the requirements that their exchanges were found to break, and lists
// these.
func JoinDoubts(doubts []Doubt, broken map[int]spec.ID) (why string, because []spec.ID) {
	var words []string
	for _, d := range doubts {
		word := d.Why
		if id, ok := broken[d.Exchange]; ok && d.Exchange > 0 {
			word += fmt.Sprintf(" (see %s)", id)
			if !slices.Contains(because, id) {
				because = append(because, id)
			}
		}
		if !slices.Contains(words, word) {
			words = append(words, word)
		}
	}
	return strings.Join(words, "; "), because
}

// OnlyOpen reports whether the interface leaves every one of the requirements open.
func OnlyOpen(ids []spec.ID) bool {
	return !slices.ContainsFunc(ids, func(id spec.ID) bool {
		r, _ := spec.TheLedger().Find(id)
		return r.Level != spec.Open
	})
}
