package compare

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"petconform/conformance/drive"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/history"
	"petconform/spec/verdict"
)

// CheckID is the check that a comparison adds to a run. It proves SERVICE-5.
const CheckID = "deployments-alike"

// proves is the requirement that a comparison decides.
const proves spec.ID = "SERVICE-5"

// Targets adds the comparison with a second target to the results of a run: which requirements hold at one and are
// broken at the other, and which open questions the two answer differently. here is the recording that the results were
// judged from, and there that of the second target, which received the same requests. The animals of the targets, their
// ids and clocks are ignored.
func Targets(r verdict.Results, here, there *exchange.Recording) verdict.Results {
	other := drive.JudgeRecording(there)
	a := between(r, other, history.Of(here), history.Of(there))
	r.Against = &a
	r.Add(judgeTargets(a, r, other))
	return r
}

// between compares two judged recordings.
func between(here, there verdict.Results, h, t *history.History) verdict.Against {
	a := verdict.Against{Target: there.Target, Run: there.Run, Verdict: there.Verdict, Word: there.Word, Requests: there.Requests,
		Created: there.Created, Requirements: []verdict.Unlike{}}
	a.Here, a.There = names(here.Target, there.Target)
	for i, q := range here.Requirements {
		p := there.Requirements[i] // both are in the order of the ledger
		switch {
		case q.Level == spec.Open:
		case q.Verdict.Decided() && p.Verdict.Decided():
			a.Compared++
			if q.Verdict != p.Verdict {
				a.Requirements = append(a.Requirements, unlike(q, p, here, there))
			}
		case q.Verdict.Decided() != p.Verdict.Decided():
			a.Inconclusive = append(a.Inconclusive, q.ID)
		}
	}
	a.Answers = answers(here, there, h, t, a.Requirements)
	return a
}

// names returns names of the two targets: their environments if these differ, else their addresses.
func names(here, there verdict.Target) (a, b string) {
	if here.Environment != there.Environment && here.Environment != "" && there.Environment != "" {
		return here.Environment, there.Environment
	}
	return here.URL, there.URL
}

// unlike compares the two verdicts of a requirement, with the first finding of the target that breaks it.
func unlike(q, other verdict.Requirement, here, there verdict.Results) verdict.Unlike {
	u := verdict.Unlike{ID: q.ID, Level: q.Level, Statement: q.Statement, Here: q.Verdict, There: other.Verdict}
	breaking := here
	if other.Verdict == verdict.Failed {
		breaking = there
	}
	for _, c := range breaking.Checks {
		for _, f := range c.Findings {
			if f.Requirement == q.ID && u.Broken == "" {
				u.Broken, u.Exchange = f.Message, f.Exchange
				if f.Actual != "" {
					u.Broken += ": " + f.Actual
				}
			}
		}
	}
	return u
}

// judgeTargets returns the check of the comparison. It fails only for a must that the target breaks and the other one
// keeps: the release that mends what the other one breaks has to pass.
func judgeTargets(a verdict.Against, here, there verdict.Results) verdict.Check {
	c := verdict.Check{ID: CheckID, Kind: verdict.Passive, Title: "Two deployments behave alike", Verdict: verdict.Passed,
		Requirements: []spec.ID{proves}, Decides: proves, Exchanges: []int{}, Of: a.Compared, Held: a.Compared - len(a.Requirements),
		Evidence: fmt.Sprintf("%d requirements were decided at both targets alike", a.Compared-len(a.Requirements))}
	for _, side := range []struct {
		name string
		r    verdict.Results
	}{{a.Here, here}, {a.There, there}} {
		if unsound(side.r) {
			c.Verdict, c.Reason, c.Evidence = verdict.Inconclusive,
				fmt.Sprintf("the run against %s has no verdict: %s", side.name, side.r.Reasons.String()), ""
			return c
		}
	}
	var broken, kept []string
	for _, u := range a.Requirements {
		switch {
		case !verdict.Counts(u.Level, here.Strict):
		case u.Here.Failing():
			broken = append(broken, string(u.ID))
		default:
			kept = append(kept, string(u.ID))
		}
	}
	if len(kept) > 0 {
		c.Evidence += fmt.Sprintf("; broken at %s only, which fails nothing here: %s", a.There, strings.Join(kept, ", "))
	}
	var once []string
	for _, id := range a.Inconclusive {
		s, ok := spec.TheLedger().Find(id)
		if ok && verdict.Counts(s.Level, here.Strict) && s.Proof == spec.ByCheck && !hiddenThere(id, here, there) {
			once = append(once, string(id))
		}
	}
	switch {
	case len(broken) > 0:
		c.Verdict, c.Evidence = verdict.Failed, ""
		c.Findings = []verdict.Finding{{Requirement: proves,
			Message:  fmt.Sprintf("%s at %s and at %s", spec.Count(a.Compared, "requirement"), a.Here, a.There),
			Expected: "what " + a.There + " keeps", Actual: fmt.Sprintf("broken at %s only: %s", a.Here, strings.Join(broken, ", "))}}
	case len(once) > 0:
		c.Verdict, c.Evidence = verdict.Inconclusive, ""
		c.Reason = "only one of the two runs decided " + strings.Join(once, ", ")
	}
	return c
}

// hiddenThere reports whether a requirement holds at the target, and the other one was asked everything and deviates:
// what it breaks may keep the requirement from being told there.
func hiddenThere(id spec.ID, here, there verdict.Results) bool {
	q, _ := here.Requirement(id)
	return q.Verdict == verdict.Passed && there.Verdict == verdict.Deviates && there.Complete()
}

// unsound reports whether a run cannot be compared. A run that lacks only the results of some requirements can.
func unsound(r verdict.Results) bool {
	return r.Verdict == verdict.NoVerdict && len(r.Inconclusive) == 0 && (r.Part == nil || !r.Part.Holds)
}

// answers compares the answers to open questions: what checks and rules observed at both, and the forms of the
// responses. A question that only one of the targets was asked, or could answer, is left out.
func answers(here, there verdict.Results, h, t *history.History, broken []verdict.Unlike) []verdict.Answers {
	out := []verdict.Answers{}
	for _, o := range observations(here.Observations, there.Observations) {
		if o.Was != "" && o.Is != "" && o.Requirement != errorCodes {
			out = append(out, verdict.Answers{Requirement: o.Requirement, Question: o.Key, Here: o.Was, There: o.Is})
		}
	}
	out = append(out, formsOf(h).unlike(formsOf(t))...)
	out = append(out, pairs(h, t, reportedBy(here, there, broken, out))...)
	place := spec.TheLedger().Place
	slices.SortStableFunc(out, func(a, b verdict.Answers) int {
		return cmp.Or(cmp.Compare(place(a.Requirement), place(b.Requirement)), cmp.Compare(a.Question, b.Question))
	})
	return out
}
