package conformance

import (
	"fmt"
	"slices"
	"strings"

	"petconform/spec"
	"petconform/spec/exchange"
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

// Doubt is a reason why a check is inconclusive. Exchange is the number of the exchange that is the reason, or 0.
type Doubt struct {
	Why      string `json:"why"`
	Exchange int    `json:"exchange,omitempty"`
}

// JudgeCheck judges one check from a history.
func JudgeCheck(c Check, h *history.History) Judgement {
	j := &Judge{History: h, own: h.Of(c.ID)}
	v := verdict.Check{ID: c.ID, Kind: verdict.Active, Title: c.Title, Operation: c.Operation, Requirements: c.Requirements(), Decides: c.Proves, Exchanges: []int{}}
	for _, x := range j.own {
		v.Exchanges = append(v.Exchanges, x.N)
	}
	if n := len(j.own); n > 0 {
		v.MS = j.own[n-1].Ended().Sub(j.own[0].Sent).Milliseconds()
	}
	if why := unsent(h.End, c.ID); why != "" && len(j.own) == 0 {
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
		j.Evidence("%s judged; %s", spec.Count(len(j.own), "response"), unsent(h.End, c.ID))
	}
	v.Findings = verdict.FirstOfEach(j.findings)
	v.Evidence = strings.Join(j.evidence, "; ")
	switch {
	case len(v.Findings) > 0:
		v.Verdict = verdict.Failed
	case len(j.lost) > 0:
		v.Verdict, v.Reason = verdict.Inconclusive, strings.Join(j.lost, "; ")
	case len(j.doubts) > 0:
		v.Verdict, v.Reason = verdict.Inconclusive, joinDoubts(j.doubts, nil)
	case j.instead != "":
		v.Verdict, v.Reason = j.instead, j.insteadWhy
	case !c.Reads && len(j.own) == 0:
		v.Verdict, v.Reason = verdict.NotRun, "no request was sent for it"
	case c.Judge != nil && onlyOpen(c.Requirements()):
		v.Verdict = verdict.Observed
	default:
		v.Verdict = verdict.Passed
	}
	if v.Evidence == "" && v.Verdict == verdict.Passed {
		v.Evidence = fmt.Sprintf("%d of %d responses as expected", j.held, j.held)
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

// ruled makes a judgement of what one rule says. A rule's Exchanges are those that broke it.
func ruled(checks []verdict.Check, seen []verdict.Observation) Judgement {
	c := checks[0]
	j := Judgement{Check: c, Seen: seen, Broke: map[int][]spec.ID{}}
	for _, n := range c.Exchanges {
		for _, f := range c.Findings {
			if f.Exchange == n || len(c.Findings) == 1 {
				j.Broke[n] = append(j.Broke[n], f.Requirement)
			}
		}
	}
	return j
}

// joinDoubts joins the reasons of doubts. found returns the requirement that an exchange was found to break, if it was.
func joinDoubts(doubts []Doubt, found func(exchange int) (spec.ID, bool)) string {
	words := make([]string, len(doubts))
	for i, d := range doubts {
		words[i] = d.Why
		if found == nil || d.Exchange == 0 {
			continue
		}
		if id, ok := found(d.Exchange); ok {
			words[i] += fmt.Sprintf(" (see %s)", id)
		}
	}
	return strings.Join(words, "; ")
}

func onlyOpen(ids []spec.ID) bool {
	return !slices.ContainsFunc(ids, func(id spec.ID) bool {
		r, _ := spec.TheLedger().Find(id)
		return r.Level != spec.Open
	})
}

// JudgeRecording computes the whole verdict from a recording. It sends nothing, and the same recording always gets the same
// results: those of the suite that sent it. Ginkgo runs one suite in a process, and a command may judge several recordings, so
// that a suite judges what it has sent and this function what was recorded; both judge the same subjects and sum alike.
func JudgeRecording(rec *exchange.Recording) verdict.Results {
	return judge(planned(rec), rec, history.Of(rec))
}

// judge judges the subjects of a run and sums what they find.
func judge(all []subject, rec *exchange.Recording, h *history.History) verdict.Results {
	judged := make([]Judgement, len(all))
	for i, one := range all {
		judged[i] = one.judge(h)
	}
	return sum(rec, h, judged, nil)
}
