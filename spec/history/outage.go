package history

import (
	"slices"

	"petconform/spec"
	"petconform/spec/exchange"
)

// Outages returns the requests that failed because of an outage of the target. If a request was repeated and failed in
// the same way, its operation fails by itself, so the request is not among them; nor is another one of that operation
// that was not repeated before the run ended.
func (h *History) Outages() []Exchange {
	failed := map[row]bool{} // what came when the row was sent again
	own, last := map[spec.Operation]bool{}, map[int]bool{}
	var out []Exchange
	for _, x := range slices.Backward(h.All) {
		r := row{x.Check, x.Step}
		fails, again := failed[r]
		switch {
		case x.Failure == nil || x.Failure.Kind != exchange.Outage:
			failed[r] = x.Failure != nil || exchange.Unavailable(x.Status())
		case fails:
			own[x.Operation] = true
		default:
			out, last[x.N] = append(out, x), !again
		}
	}
	slices.Reverse(out)
	return slices.DeleteFunc(out, func(x Exchange) bool { return last[x.N] && own[x.Operation] })
}

// Judgeable returns h with the failure exchange.Outage in each exchange of an outage that did not end, since what came
// in it is not judged.
func (h *History) Judgeable() *History {
	unended := exchange.Unended(h.Exchanges())
	if len(unended) == 0 {
		return h
	}
	all := slices.Clone(h.All)
	for i, x := range all {
		if unended[x.N] && (x.Failure == nil || x.Failure.Kind != exchange.Outage) {
			all[i].Failure = &exchange.Failure{Kind: exchange.Outage, Detail: x.Symptom() + "; no later request was answered"}
		}
	}
	return From(h.Meta, h.End, all)
}
