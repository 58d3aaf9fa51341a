package judge

import (
	"fmt"
	"slices"

	"petconform/conformance/model"
	"petconform/conformance/plan"
	"petconform/spec"
	"petconform/spec/history"
	"petconform/spec/rules"
	"petconform/spec/verdict"
)

// ExploreID is the id of the exploration among the subjects.
const ExploreID = "explore"

var exploration = Subject{ID: ExploreID, Title: plan.Explored.Title, Labels: []string{ExploreID}, Judge: explored}

// explored sums what generated sequences found. What could not be told is left to the checks: a sequence repeats their
// rows.
func explored(r *Run) Judgement {
	own := r.checks[ExploreID]
	own.doubts, own.Seen, own.Doubtful = nil, nil, nil
	j := r.ofCheck(plan.Explored)
	j.Check.Requirements = []spec.ID{}
	for _, q := range spec.TheLedger().Requirements {
		if own.proved[q.ID] || slices.Contains(j.Check.Broken(), q.ID) {
			j.Check.Requirements = append(j.Check.Requirements, q.ID)
		}
	}
	if j.Check.Verdict == verdict.Passed {
		j.Check.Evidence = fmt.Sprintf("%s, %s as expected", spec.Count(len(j.Check.Exchanges), "request"), spec.Count(own.held, "response"))
	}
	return j
}

// Sequence is what the exchanges of one generated sequence show.
type Sequence struct {
	// Broken has the first finding of each requirement that makes the run deviate.
	Broken []verdict.Finding
	// Lacks says that a read lacks an animal, however young.
	Lacks bool
}

// Sequences judges a history by the rows, the model and the rules, and returns what some of its exchanges show.
func Sequences(h *history.History) func(own []history.Exchange) Sequence {
	r, all := filed(h), []verdict.Finding{}
	for _, c := range sent() {
		all = append(all, r.checks[c.ID].findings...)
	}
	for _, rule := range rules.All() {
		if rule.Observe == nil {
			all = append(all, rule.Read(h).Broken...)
		}
	}
	trusting := model.Trusting(h)
	return func(own []history.Exchange) (s Sequence) {
		sent := map[int]bool{}
		for _, x := range own {
			sent[x.N] = true
			s.Lacks = s.Lacks || len(trusting.Lacks(x)) > 0
		}
		s.Broken = verdict.FirstOfEach(slices.DeleteFunc(slices.Clone(all), func(f verdict.Finding) bool {
			q, _ := spec.TheLedger().Find(f.Requirement)
			return !sent[f.Exchange] || !verdict.Counts(q.Level, h.Meta.Strict) || !q.Applies(h.Meta.AsOf)
		}))
		return s
	}
}
