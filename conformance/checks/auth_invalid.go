package checks

import (
	"slices"

	"petconform/conformance/check"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/invalid"
)

// wrongKeys lists the invalid keys that an operation is sent. Most services compare keys in one place, so a standard run sends
// each kind to one operation, and additional ones that depend on the seed.
func wrongKeys(s *check.Sender, o spec.Operation) []exchange.Auth {
	kinds := usableKinds(s.Config.Key.Reveal())
	switch {
	case s.Deep():
		return kinds
	case o == spec.ListPets:
		return keepIf(kinds, func(a exchange.Auth) bool { return slices.Contains(usualKinds, a) })
	case o == spec.GetPet:
		return append(check.Some(s, 1, keepIf(kinds, func(a exchange.Auth) bool { return !slices.Contains(notInTurn, a) })), exchange.PrefixedKey)
	case o == spec.CreatePet:
		return check.Some(s, 1, kinds[1:])
	}
	return check.Some(s, 1, fineKinds)
}

var (
	// wrongKinds are the ways in which a key can be wrong: unknown or prefixed, the usual faults of a comparison, and finer ones.
	wrongKinds            = invalid.Credentials("AUTH-3")
	usualKinds, fineKinds = wrongKinds[2:7], wrongKinds[7:]
	// notInTurn are the kinds that getPet does not get by the seed: it gets the first in every run, and /store/orders gets the
	// others.
	notInTurn = []exchange.Auth{exchange.PrefixedKey, exchange.NullKey, exchange.DottedKey}
)

// usableKinds leaves out SwappedCaseKey for a key without letters, which it does not change.
func usableKinds(key string) []exchange.Auth {
	return keepIf(wrongKinds, func(a exchange.Auth) bool { return a != exchange.SwappedCaseKey || exchange.SwapCase(key) != key })
}

// authInvalid: every operation answers 401 to a key that is not valid (Authentication, 4).
func authInvalid() []check.Check {
	var checks []check.Check
	for _, o := range operations {
		requests := map[spec.Operation]int{spec.ListPets: 5, spec.GetPet: 2, spec.CreatePet: 1, spec.StoreOrders: 1}[o.operation]
		varied := stepsOf(wrongKinds, authStep)
		if o.operation == spec.ListPets {
			varied = nil
		}
		checks = append(checks, check.Check{
			ID: "auth-invalid-" + o.word, Title: "401 for a key that is not valid", Operation: o.operation,
			Proves: "AUTH-3", Requests: requests, Deeper: len(wrongKinds) - requests, Varied: varied, After: after(o.operation),
			Send: func(s *check.Sender) {
				for i, k := range wrongKeys(s, o.operation) {
					if o.operation == spec.ListPets && i%2 == 1 { // a router may guard the path without a query alone
						s.List(string(k), check.Query{Limit: "5", Status: string(spec.Available)}, check.As(k))
						continue
					}
					o.call(s, string(k), check.As(k))
				}
			},
			Judge: func(j *check.Judge) {
				for _, x := range j.Steps("") {
					j.Status("AUTH-3", x, 401)
				}
			},
		})
	}
	return checks
}
