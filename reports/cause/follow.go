package cause

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"petconform/conformance/explore"
	"petconform/spec"
	"petconform/spec/verdict"
)

// followed returns the sights, each with the kind of the cause that it is a consequence of, if it is.
func followed(all []sight) []sight {
	all = slices.Clone(all)
	toLetIn(all)
	toUnanswered(all)
	all = toAccepted(all)
	toHandedOn(all)
	toOutage(all)
	toWrongStatus(all)
	toSometimes(all)
	toBehind(all)
	toCrashes(all)
	toEncoder(all)
	toLeftBehind(all)
	toMissing(all)
	toNumbers(all)
	toOwnTitle(all)
	toOneSet(all)
	for i, s := range all {
		if of, found := origin(all, s); found && s.kind != taken {
			all[i].kind, all[i].follows = of.kind, true
		}
	}
	toStored(all)
	return all
}

// origin returns the sight that another one is a consequence of, by the ledger: the last one of the first requirement.
func origin(all []sight, s sight) (sight, bool) {
	r := broken(s)
	for _, id := range slices.Concat(r.Follows, r.Repeats) {
		alike := sameStatus
		if slices.Contains(r.Repeats, id) {
			alike = sameExchange
		}
		for _, of := range slices.Backward(all) {
			if of.requirement() == id && alike(of, s) {
				return of, true
			}
		}
	}
	return sight{}, false
}

// sameStatus reports whether a cause is not about a status, or about the same one.
func sameStatus(of, s sight) bool {
	_, cause := of.status()
	_, came := s.status()
	return cause == 0 || cause == came
}

func sameExchange(a, b sight) bool {
	return slices.ContainsFunc(a.cases, func(c verdict.Case) bool {
		return slices.ContainsFunc(c.Exchanges, func(n int) bool { return shows(b.cases, n) })
	})
}

// toLetIn handles services that do not check the key. A request without a key then gets the response of a valid one,
// such as a 404 for an unknown animal. A 403 is a refusal, and so is what an operation answers without a key where
// others check it. If only requests with another scheme are served, the key itself is checked. AUTH-5 is found where
// the same credential gets a 401 otherwise: it follows only from a key that is checked now and then, or nowhere.
func toLetIn(all []sight) {
	served, refusal := map[spec.ID]bool{}, map[string]bool{}
	sometimes := false
	for _, s := range all {
		served[s.requirement()] = served[s.requirement()] || s.kind == letIn
		sometimes = sometimes || s.kind == letIn && s.finding.Often != ""
		if _, came := s.status(); s.requirement() == "AUTH-2" && came > 0 {
			refusal[answer(s.cases[0])] = true
		}
	}
	for i, s := range all {
		follows := served["AUTH-2"] || !(len(s.cases) > 0 && refusal[answer(s.cases[0])]) &&
			(served[s.requirement()] || served["AUTH-3"] && (sometimes || s.requirement() != "AUTH-5"))
		if wanted, came := s.status(); follows && len(wanted) > 0 && wanted[0] == 401 && came != 403 {
			all[i].kind, all[i].follows = letIn, s.kind != letIn
		}
	}
}

// severalOperations is the number of operations from which on a fault counts as one of the whole service.
const severalOperations = 3

// toUnanswered makes one cause of incomplete responses if at least severalOperations operations have them, and else one
// for each operation.
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

// byWrongStatus are the requirements on every error response which a redirect or the page of a crash may break too,
// since it does not come from the service's own error handler.
var byWrongStatus = []spec.ID{"ERROR-1", "ERROR-2", "RATE-1"}

// toWrongStatus handles the pages of crashes and redirects. What only responses with one such status break is a
// consequence of it. What others break too is a cause of its own. A check need not name each of them, so the crashes of
// an operation with one cause have all that.
func toWrongStatus(all []sight) {
	wrong, redirected, crashes := map[int]kind{}, map[kind]bool{}, map[string]kind{}
	for _, s := range all {
		_, came := s.status()
		if came/100 != 3 && came < 500 {
			continue
		}
		redirected[s.kind] = came/100 == 3
		if of, known := crashes[answer(s.cases[0])]; !known || of == s.kind {
			crashes[answer(s.cases[0])] = s.kind
		} else {
			crashes[answer(s.cases[0])] = ""
		}
		for n := range exchangesOf(s) {
			wrong[n] = s.kind
		}
	}
	for i, s := range all {
		if !slices.Contains(byWrongStatus, s.requirement()) {
			continue
		}
		kinds := map[kind]bool{}
		for _, c := range s.cases {
			for _, n := range c.Exchanges {
				of := cmp.Or(wrong[n], crashes[answer(c)])
				if redirected[redirect(c.Status)] { // its right status may be open
					of = redirect(c.Status)
				}
				if of != "" || c.Status < 500 { // else a crash that no check judges, with the same page
					kinds[of] = true
				}
			}
		}
		if of := slices.Collect(maps.Keys(kinds)); len(of) == 1 && of[0] != "" {
			all[i].kind, all[i].follows = of[0], true
		}
	}
}

// answer is what the responses of one place in a service have in common.
func answer(c verdict.Case) string { return fmt.Sprint(c.Operation, c.Status) }

// ofStore are the requirements that a store breaks which loses animals, mixes them up or keeps other values, or one
// that shows fewer.
var ofStore = []spec.ID{"CREATE-5", "CREATE-13", "GET-1", "GET-2", "GET-3", "LIST-5", "LIST-8", "LIST-10", "LIST-11"}

// toStored makes one cause of all that generated sequences read of such a store, and of the first fault of it that
// checks have found: of the same requirement, if there is one.
func toStored(all []sight) {
	var checked, explored []int
	for i, s := range all {
		switch _, came := s.status(); {
		case !slices.Contains(ofStore, s.requirement()) || came >= 500 || len(s.cases) == 0:
		case s.check.ID != explore.CheckID:
			checked = append(checked, i)
		case !s.follows:
			explored = append(explored, i)
		}
	}
	for _, i := range explored {
		first := slices.Concat(checked, explored)[0]
		if j := slices.IndexFunc(checked, func(j int) bool { return all[j].requirement() == all[i].requirement() }); j >= 0 {
			first = checked[j]
		}
		if of := all[i].kind; of != all[first].kind {
			all[i].kind, all[i].follows = all[first].kind, true
			for j, s := range all { // what follows from it follows from its cause
				if s.kind == of && s.follows {
					all[j].kind = all[first].kind
				}
			}
		}
	}
}

// toOwnTitle makes one cause of the findings that were given the same title.
func toOwnTitle(all []sight) {
	of := map[string]kind{}
	for i, s := range all {
		switch own := s.finding.Title; {
		case own == "":
		case of[own] == "":
			of[own] = s.kind
		default:
			all[i].kind = of[own]
		}
	}
}

// toOneSet handles rate-limit headers in each other's place. Where two requirements on them break in exactly the same
// responses, and hold in others, one place in the service writes them.
func toOneSet(all []sight) {
	for i, first := range all {
		for j, s := range all[i+1:] {
			one, two := exchangesOf(first), exchangesOf(s)
			if ofHeaders(first) && ofHeaders(s) && within(one, two) && within(two, one) {
				all[i+1+j].kind, all[i+1+j].follows = all[i].kind, true
			}
		}
	}
}

// ofHeaders reports whether a rule finds the rate-limit headers of some responses broken, and those of others not.
func ofHeaders(s sight) bool {
	return s.check.Kind == verdict.Passive && s.check.Held > 0 && slices.Contains([]spec.ID{"RATE-1", "RATE-2", "RATE-3"}, s.requirement())
}

func exchangesOf(s sight) map[int]bool {
	all := map[int]bool{}
	for _, c := range s.cases {
		for _, n := range c.Exchanges {
			all[n] = true
		}
	}
	return all
}

func within(some, all map[int]bool) bool {
	for n := range some {
		if !all[n] {
			return false
		}
	}
	return true
}
