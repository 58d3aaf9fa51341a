package explore

import (
	"slices"
	"sync"

	"petconform/spec"
	"petconform/spec/history"
	"petconform/spec/rules"
	"petconform/spec/verdict"
)

// eachRules and wholeRules are the rules that can judge a few exchanges: those that read one exchange, those that
// compare reads with creations, and listing-served, which compares listings.
var (
	eachRules = sync.OnceValue(func() []rules.Rule {
		return slices.DeleteFunc(rules.All(), func(r rules.Rule) bool { return r.Each == nil })
	})
	wholeRules = sync.OnceValue(func() []rules.Rule {
		whole := []string{"listing-served", "created-unique-ids", "created-is-kept"}
		return slices.DeleteFunc(rules.All(), func(r rules.Rule) bool { return !slices.Contains(whole, r.ID) })
	})
)

// findingsOf returns the findings of the exploration's judge and of the rules on the exchanges of one execution, the
// first of each requirement that counts.
func findingsOf(h *history.History, r *reader, own []history.Exchange) []verdict.Finding {
	if len(own) == 0 {
		return nil
	}
	var all []verdict.Finding
	each, _ := rules.Judge(append([]rules.Rule{r.rule()}, eachRules()...), history.From(h.Meta, nil, own))
	for _, c := range each {
		all = append(all, c.Findings...)
	}
	// The first finding of a requirement may belong to an earlier execution, so all are searched. A limit that is refused
	// may have been refused without a filter by another one.
	compared := history.From(h.Meta, nil, withCreations(h, own))
	for _, rule := range wholeRules() {
		of := compared
		if rule.ID == "listing-served" {
			of = h
		}
		for _, f := range rule.Whole(of).Broken {
			if slices.ContainsFunc(own, func(x history.Exchange) bool { return x.N == f.Exchange }) {
				all = append(all, f)
			}
		}
	}
	return verdict.FirstOfEach(slices.DeleteFunc(all, func(f verdict.Finding) bool { return !counts(h, f.Requirement) }))
}

// counts reports whether a broken requirement makes the run deviate.
func counts(h *history.History, id spec.ID) bool {
	q, _ := spec.TheLedger().Find(id)
	return verdict.Counts(q.Level, h.Meta.Strict) && q.Applies(h.Meta.AsOf)
}

// withCreations adds the earlier creations, so that reads of older animals are compared with them.
func withCreations(h *history.History, own []history.Exchange) []history.Exchange {
	var out []history.Exchange
	for _, c := range h.Created() {
		if c.Exchange.N < own[0].N {
			out = append(out, c.Exchange)
		}
	}
	return append(inOrder(out), own...)
}
