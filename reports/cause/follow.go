package cause

import (
	"slices"

	"petconform/spec"
	"petconform/spec/verdict"
)

// consequence says which requirements break as a consequence of another one.
type consequence struct {
	of  spec.ID
	are []spec.ID
	// alike reports whether two sights have enough in common: the status, an exchange, or nothing in particular.
	alike func(a, b sight) bool
}

var consequences = []consequence{
	// If a store loses an animal, listings lack it and getPet does not find it.
	{"CREATE-13", []spec.ID{"LIST-11", "LIST-8", "LIST-10", "GET-1", "LIST-5"}, always},
	// A listing that leaves an animal out leaves it out under a filter too.
	{"LIST-11", []spec.ID{"LIST-8", "LIST-5"}, always},
	{"LIST-7", []spec.ID{"LIST-8"}, always},
	// A service that does not answer a plain listing with 200 does not answer one with a limit or a filter either.
	{"LIST-1", []spec.ID{"LIST-3", "LIST-6"}, sameStatus},
	{"LIST-3", []spec.ID{"LIST-6"}, sameStatus},
	{"CREATE-1", []spec.ID{"CREATE-14"}, sameStatus},
	// A service that ignores the limit has no default limit either.
	{"LIST-4", []spec.ID{"LIST-5", "LIST-12"}, always},
	// A listing also shows two animals that have the same id, and the second animal of a creation.
	{"CREATE-5", []spec.ID{"LIST-9"}, always},
	{"CREATE-22", []spec.ID{"CREATE-12"}, always},
	// A value of the wrong type is not the value that was sent, and a body of the wrong media type is often another body.
	{"PET-2", []spec.ID{"CREATE-3"}, sameExchange},
	{"PET-3", []spec.ID{"CREATE-3"}, sameExchange},
	{"PET-4", []spec.ID{"CREATE-3"}, sameExchange},
	{"ERROR-1", []spec.ID{"ERROR-2"}, sameExchange},
	// A success where there is no animal has no Pet either.
	{"GET-3", []spec.ID{"GET-2"}, sameExchange},
}

func always(sight, sight) bool { return true }

func sameStatus(a, b sight) bool {
	_, one := a.status()
	_, other := b.status()
	return one == other && one != 0
}

func sameExchange(a, b sight) bool {
	return slices.ContainsFunc(a.cases, func(c verdict.Case) bool {
		return slices.ContainsFunc(c.Exchanges, func(n int) bool { return shows(b.cases, n) })
	})
}

// followed returns the sights, each with the kind of the cause that it is a consequence of, if it is.
func followed(all []sight) []sight {
	all = slices.Clone(all)
	toLetIn(all)
	toUnanswered(all)
	all = toAccepted(all)
	toCrashed(all)
	for _, c := range consequences {
		for _, of := range all {
			if of.requirement() != c.of {
				continue
			}
			for i, s := range all {
				if slices.Contains(c.are, s.requirement()) && s.kind != taken && c.alike(of, s) {
					all[i].kind, all[i].follows = of.kind, true
				}
			}
		}
	}
	return all
}

// toLetIn handles services that do not check the key. A request without a key then gets the response of a valid one, such as a
// 404 for an unknown animal. A 403 is a refusal. If only requests with another scheme are served, the key itself is checked.
func toLetIn(all []sight) {
	served := map[spec.ID]bool{}
	for _, s := range all {
		served[s.requirement()] = served[s.requirement()] || s.kind == letIn
	}
	for i, s := range all {
		follows := served["AUTH-2"] || served["AUTH-3"] || served[s.requirement()]
		if wanted, came := s.status(); follows && len(wanted) > 0 && wanted[0] == 401 && came != 403 {
			all[i].kind = letIn
		}
	}
}

// severalOperations is the number of operations from which on a fault counts as one of the whole service.
const severalOperations = 3

// toUnanswered makes one cause of incomplete responses if at least severalOperations operations have them, and else one for each
// operation.
func toUnanswered(all []sight) {
	kinds := map[kind]bool{}
	for _, s := range all {
		if s.requirement() == "SERVICE-3" {
			kinds[s.kind] = true
		}
	}
	for i, s := range all {
		if s.requirement() == "SERVICE-3" && len(kinds) >= severalOperations {
			all[i].kind = "SERVICE-3"
		}
	}
}

// toCrashed handles error pages. A page that only server errors have does not come from the service's own error handler: it is a
// consequence of the crash. A page that other errors have too is a cause of its own.
func toCrashed(all []sight) {
	crashed := map[int]kind{}
	for _, s := range all {
		if _, came := s.status(); came < 500 {
			continue
		}
		for _, c := range s.cases {
			for _, n := range c.Exchanges {
				crashed[n] = s.kind
			}
		}
	}
	for i, s := range all {
		if s.requirement() != "ERROR-1" && s.requirement() != "ERROR-2" {
			continue
		}
		kinds := map[kind]bool{}
		for _, c := range s.cases {
			for _, n := range c.Exchanges {
				kinds[crashed[n]] = true
			}
		}
		if len(kinds) == 1 && !kinds[""] {
			all[i].kind, all[i].follows = crashed[s.cases[0].Exchanges[0]], true
		}
	}
}

// toAccepted handles requests that are served although they have to be refused. Their responses, and later listings of their
// animals, break rules for successful responses. A break that other requests of the operation show too is not a consequence.
func toAccepted(all []sight) []sight {
	by := map[int]kind{}
	for _, s := range all {
		if wanted, came := s.status(); len(wanted) == 0 || wanted[0] < 400 || came/100 != 2 || s.kind == letIn {
			continue
		}
		for _, c := range s.cases {
			for _, n := range c.Exchanges {
				by[n] = s.kind
			}
		}
	}
	var out []sight
	for _, s := range all {
		if s.check.Kind == verdict.Passive {
			out = append(out, divided(s, by)...)
		} else {
			out = append(out, s)
		}
	}
	return out
}

// divided splits off the cases of a sight that are consequences of requests which should have been refused. by has the kinds of
// these requests.
func divided(s sight, by map[int]kind) []sight {
	of := kind("")
	operations, own, others := map[spec.Operation]bool{}, map[string]bool{}, map[string]bool{}
	follows := func(c verdict.Case) bool {
		return len(c.Exchanges) > 0 && !slices.ContainsFunc(c.Exchanges, func(n int) bool { return by[n] == "" })
	}
	for _, c := range s.cases {
		if follows(c) {
			of, operations[c.Operation], others[c.Actual] = by[c.Exchanges[0]], true, true
		}
	}
	if of == "" {
		return []sight{s}
	}
	for _, c := range s.cases {
		if operations[c.Operation] && !follows(c) {
			own[c.Actual] = true
		}
	}
	if len(own) > 0 && !slices.Contains(membersSent, s.requirement()) {
		return []sight{s}
	}
	one, two := s, s
	one.cases, two.cases, two.kind, two.follows = nil, nil, of, true
	for _, c := range s.cases {
		if own[c.Actual] || len(own) > 0 && !others[c.Actual] {
			one.cases = append(one.cases, c)
		} else {
			two.cases = append(two.cases, c)
		}
	}
	return slices.DeleteFunc([]sight{one, two}, func(s sight) bool { return len(s.cases) == 0 })
}

// membersSent are the requirements on the members that a client sends and a response returns.
var membersSent = []spec.ID{"PET-2", "PET-3", "PET-4"}
