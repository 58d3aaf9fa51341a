package cause

import (
	"slices"

	"petconform/conformance/explore"
	"petconform/spec"
	"petconform/spec/invalid"
	"petconform/spec/verdict"
)

// toAccepted handles requests that are served although they have to be refused. Their responses, and later listings of
// their animals, break rules for successful responses. A break that other requests of the operation show too is not a
// consequence.
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

// divided splits off the cases of a sight that are consequences of requests which should have been refused. by has the
// kinds of these requests.
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
	if stored, _ := spec.TheLedger().Find("CREATE-3"); len(own) > 0 && !slices.Contains(stored.Repeats, s.requirement()) {
		return []sight{s} // not a rule for a member that the request sends and the response returns
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

// toLeftBehind handles animals that refused requests left behind. What only their responses break is a consequence.
func toLeftBehind(all []sight) {
	by := map[int]kind{}
	stays := func(s sight) bool { return slices.Contains([]spec.ID{"CREATE-12", "AUTH-6"}, s.requirement()) }
	for _, s := range all {
		for _, c := range s.cases {
			for _, n := range c.After {
				if stays(s) {
					by[n] = s.kind
				}
			}
		}
	}
	for i, s := range all {
		rests := len(s.cases) > 0 && !slices.ContainsFunc(s.cases, func(c verdict.Case) bool {
			return len(c.After) == 0 || slices.ContainsFunc(c.After, func(n int) bool { return by[n] == "" })
		})
		if rests && !stays(s) {
			all[i].kind, all[i].follows = by[s.cases[0].After[0]], true
		}
	}
}

// toHandedOn handles parsers that accept NaN and Infinity. What is behind such a parser fails on some of these values,
// and a strict parser refuses them all. Generated sequences, whose cases have no names, meet the same failures.
func toHandedOn(all []sight) {
	number := func(c verdict.Case) bool { return invalid.NotANumber(c.Name) }
	other := func(c verdict.Case) bool { return !number(c) }
	if !slices.ContainsFunc(all, func(s sight) bool { return s.kind == taken && slices.ContainsFunc(s.cases, number) }) {
		return
	}
	fails := func(s sight) bool { _, came := s.status(); return s.requirement() == "CREATE-11" && came >= 500 }
	i := slices.IndexFunc(all, func(s sight) bool { return fails(s) && s.check.ID != explore.CheckID })
	if i < 0 || slices.ContainsFunc(all[i].cases, other) {
		return
	}
	for i, s := range all {
		if fails(s) {
			all[i].kind, all[i].follows = taken, true
		}
	}
}
