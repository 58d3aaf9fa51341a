package cause

import (
	"fmt"
	"net/http"
	"slices"

	"petconform/spec"
	"petconform/spec/verdict"
)

// toSometimes handles one of several replicas that lacks an operation. Where a rule finds some of the error responses
// of one operation broken, all else that only these responses break has the same cause.
func toSometimes(all []sight) {
	for i, some := range all {
		if some.finding.Often == "" || some.check.Kind != verdict.Passive || len(operationsOf([]sight{some})) != 1 || oneStatus([]sight{some}) < 300 {
			continue
		}
		broken := exchangesOf(some)
		for j, s := range all {
			if own := exchangesOf(s); i != j && len(own) > 0 && within(own, broken) {
				all[j].kind = all[i].kind
			}
		}
	}
}

// toBehind makes one cause of listings and getPets that lack animals now and then: one of several replicas stays behind.
func toBehind(all []sight) {
	lacks := func(s sight, id spec.ID) bool {
		_, came := s.status()
		return s.requirement() == id && s.finding.Often != "" && s.finding.Title == "" && came < 500
	}
	first := slices.IndexFunc(all, func(s sight) bool { return lacks(s, "LIST-11") })
	for i, s := range all {
		if first >= 0 && i != first && (lacks(s, "GET-1") || lacks(s, "LIST-8") || lacks(s, "LIST-11")) {
			all[i].kind, all[i].follows = all[first].kind, true
		}
	}
}

// toOutage makes one cause of the server errors with one status that at least severalOperations operations give, if one
// gives them now and then: no value that was sent is the reason. It is none of a status that refuses an address either,
// and of a 501 that two operations give: what a connection still holds may have become part of the method.
func toOutage(all []sight) {
	for first, s := range all {
		_, came := s.status()
		same := func(s sight) bool { _, status := s.status(); return status == came && s.kind != letIn }
		valueless := came >= 500 && s.finding.Often != "" || slices.Contains(ofAddress, came)
		if !valueless || s.follows || !same(s) {
			continue
		}
		operations := operationsOf(slices.DeleteFunc(slices.Clone(all), func(s sight) bool { return !same(s) }))
		switch n := len(operations); {
		case n >= severalOperations:
			all[first].finding.Title = fmt.Sprintf("%d, whatever is asked for", came)
		case n == 2 && came == http.StatusNotImplemented:
			all[first].finding.Title = fmt.Sprintf("%d from %s and %s", came, operations[0], operations[1])
		default:
			continue
		}
		for i, like := range all {
			if same(like) {
				all[i].kind, all[i].follows = kind(fmt.Sprint(came)), i != first
			}
		}
	}
}

// toCrashes makes one cause of the server errors that an operation gives now and then, since these do not depend on
// what is asked for.
func toCrashes(all []sight) {
	for _, s := range all {
		if _, came := s.status(); came < 500 || s.finding.Often == "" || s.kind == letIn {
			continue
		}
		one := kind(fmt.Sprintf("%d from %s", s.cases[0].Status, s.cases[0].Operation))
		for i, like := range all {
			if like.kind == s.kind {
				all[i].kind = one
			}
		}
	}
}
