package explore

import (
	"slices"

	"petconform/spec"
	"petconform/spec/history"
	"petconform/spec/rules"
	"petconform/spec/verdict"
)

// findingsOf returns the findings on the exchanges of one execution, the first of each requirement that counts: those
// of the exploration's judge, of the rules that read one exchange, and of three that compare exchanges.
func findingsOf(h *history.History, r *reader, own []history.Exchange) []verdict.Finding {
	if len(own) == 0 {
		return nil
	}
	var all []verdict.Finding
	each := slices.DeleteFunc(rules.All(), func(rule rules.Rule) bool { return rule.Each == nil })
	checks, _ := rules.Judge(append(each, r.rule()), history.From(h.Meta, nil, own))
	for _, c := range checks {
		all = append(all, c.Findings...)
	}
	created := history.From(h.Meta, nil, withCreations(h, own))
	// A limit that is refused with a filter may have been refused without it by another execution.
	compared := map[string]*history.History{"listing-served": h, "created-unique-ids": created, "created-is-kept": created}
	for _, rule := range rules.All() {
		if compared[rule.ID] == nil {
			continue
		}
		// The first finding of a requirement may belong to an earlier execution, so all are searched.
		for _, f := range rule.Whole(compared[rule.ID]).Broken {
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
