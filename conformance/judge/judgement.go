// Package judge judges a run: a pure function of its recorded exchanges, so that the whole verdict can be computed again
// from a recording. A response is judged by its row, by the rules on every response, and by the model of the store.
package judge

import (
	"fmt"
	"strings"

	"petconform/conformance/plan"
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
	// Doubtful are the numbers of the exchanges that leave the check inconclusive.
	Doubtful []int `json:"doubtful,omitempty"`
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

// ofCheck sums what was found for a check.
func (r *Run) ofCheck(c plan.Check) Judgement {
	own, found := r.h.Of(c.ID), r.checks[c.ID]
	v := verdict.Check{ID: c.ID, Kind: verdict.Active, Title: c.Title, Operation: c.Operation,
		Requirements: c.Requirements(), Decides: c.Proves, Exchanges: []int{}}
	for _, x := range own {
		v.Exchanges = append(v.Exchanges, x.N)
	}
	if n := len(own); n > 0 {
		v.MS = own[n-1].Ended().Sub(own[0].Sent).Milliseconds()
	}
	gaveUp := r.h.End != nil && len(r.h.End.GaveUp[c.ID]) > 0
	v.Findings = verdict.FirstOfEach(found.findings)
	q, _ := spec.TheLedger().Find(c.Proves)
	switch why := unsent(r.h.End, c.ID); {
	case len(v.Findings) > 0:
		v.Verdict = verdict.Failed
	case !q.Applies(r.h.Meta.AsOf) && c.Proves != "":
		v.Verdict, v.Reason = verdict.NotApplicable, "it does not apply on "+r.h.Meta.AsOf.Format("2006-01-02")
	case len(found.Lost) > 0:
		v.Verdict, v.Reason = verdict.Inconclusive, strings.Join(found.Lost, "; ")
	case len(found.doubts) > 0:
		v.Verdict, v.Reason = verdict.Inconclusive, strings.Join(found.doubts, "; ")
	case found.notRun != "":
		v.Verdict, v.Reason = verdict.NotRun, found.notRun
	case len(own)+len(found.evidence) == 0 && why != "":
		v.Verdict, v.Reason = verdict.NotRun, why
	case len(own)+len(found.evidence) == 0:
		v.Verdict, v.Reason = verdict.NotRun, "no request was sent for it"
	case q.Level == spec.Open:
		v.Verdict = verdict.Observed
	default:
		v.Verdict = verdict.Passed
	}
	if gaveUp {
		found.evidence = append(found.evidence, unsent(r.h.End, c.ID))
	}
	v.Evidence = strings.Join(found.evidence, "; ")
	if v.Evidence == "" && v.Verdict == verdict.Passed {
		v.Evidence = fmt.Sprintf("%d of %s as expected", found.held, spec.Count(found.held, "response"))
		if c.Proves == "" {
			v.Evidence = fmt.Sprintf("sent %s, which rules judge", spec.Count(len(own), "request"))
		}
	}
	return Judgement{v, found.Seen, found.Lost, found.Doubtful}
}

// unsent says why a check did not send all that it has to send; "" if it did.
func unsent(end *exchange.End, check string) string {
	switch {
	case end == nil:
		return ""
	case len(end.GaveUp[check]) > 0:
		return "--max-creates was used up; not sent: " + strings.Join(end.GaveUp[check], ", ")
	}
	return end.Skipped[check]
}

// exchangeOf finds the last exchange of a row, written check/step.
func (r *Run) exchangeOf(row string) history.Exchange {
	check, step, _ := strings.Cut(row, "/")
	if all := r.h.OfRow(check, step); len(all) > 0 {
		return all[len(all)-1]
	}
	return history.Exchange{}
}
