package explore

import (
	"slices"
	"sync"

	"petconform/spec"
	"petconform/spec/history"
	"petconform/spec/rules"
	"petconform/spec/verdict"
)

// eachRules and wholeRules are the rules by which a few exchanges can be judged: those that read each by itself, and those
// that compare reads with creations. Whether Remaining goes down has been read when the exploration begins.
var (
	eachRules = sync.OnceValue(func() []rules.Rule {
		return slices.DeleteFunc(rules.All(), func(r rules.Rule) bool { return r.Each == nil })
	})
	wholeRules = sync.OnceValue(func() []rules.Rule {
		return slices.DeleteFunc(rules.All(), func(r rules.Rule) bool { return r.ID != "created-unique-ids" && r.ID != "created-is-kept" })
	})
)

// findingsOf gives what the exchanges of one execution break, by the exploration's own judge and by the rules: of each
// requirement that counts, the first.
func findingsOf(h *history.History, r *reader, own []history.Exchange) []verdict.Finding {
	if len(own) == 0 {
		return nil
	}
	var all []verdict.Finding
	for _, x := range own {
		all = append(all, r.findings(x)...)
	}
	each, _ := rules.Judge(eachRules(), history.From(h.Meta, nil, own))
	for _, c := range each {
		all = append(all, c.Findings...)
	}
	// All that such a rule finds is looked through: the first of a requirement may be an earlier execution's.
	compared := history.From(h.Meta, nil, withCreations(h, own))
	for _, r := range wholeRules() {
		for _, f := range r.Whole(compared).Broken {
			if slices.ContainsFunc(own, func(x history.Exchange) bool { return x.N == f.Exchange }) {
				all = append(all, f)
			}
		}
	}
	return firstOfEach(slices.DeleteFunc(all, func(f verdict.Finding) bool { return !counts(h, f.Requirement) }))
}

// counts says whether a broken requirement makes the run deviate.
func counts(h *history.History, id spec.ID) bool {
	q, _ := spec.TheLedger().Find(id)
	return (q.Level == spec.Must || h.Meta.Strict && q.Level == spec.Should) && q.Applies(h.Meta.AsOf)
}

// withCreations adds the creations of before, so that a read of an older animal is compared with what it was created as.
func withCreations(h *history.History, own []history.Exchange) []history.Exchange {
	var out []history.Exchange
	for _, c := range h.Created() {
		if c.Exchange.N < own[0].N {
			out = append(out, c.Exchange)
		}
	}
	return append(inOrder(out), own...)
}
