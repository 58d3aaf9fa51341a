package checks

import (
	"encoding/json"
	"slices"

	"petconform/conformance/check"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/invalid"
)

// wrongKeys returns the kinds of invalid keys that a quick run sends to an operation, and those that only a full run does. Most
// services compare keys in one place, so a quick run sends each kind to one operation, and the finer ones by the seed.
func wrongKeys(s *check.Sender, o spec.Operation) (quick, deep []exchange.Auth) {
	fine := wrongKinds[fineKinds:]
	switch o {
	case spec.ListPets:
		quick = wrongKinds[2:fineKinds]
		if key := s.Config.Key.Reveal(); exchange.SwapCase(key) == key { // a key without letters stays what it is
			quick = keepIf(append(slices.Clone(quick), exchange.DamagedKey), isNot(exchange.SwappedCaseKey))
		}
	case spec.GetPet:
		quick = append(check.Some(s, 1, fine), exchange.PrefixedKey)
	case spec.CreatePet: // those that follow, so that the operations do not get the same
		quick = check.Some(s, 1, slices.Concat(fine[1:], fine[:1]))
	default:
		quick = check.Some(s, 1, slices.Concat(fine[2:], fine[:2]))
	}
	return quick, keepIf(usableKinds(s.Config.Key.Reveal()), func(a exchange.Auth) bool { return !slices.Contains(quick, a) })
}

// wrongKinds are the ways in which a key can be wrong: unknown or prefixed, the usual faults of a comparison, and from fineKinds on
// finer ones.
var wrongKinds = invalid.Credentials("AUTH-3")

const fineKinds = 6

func isNot(kind exchange.Auth) func(exchange.Auth) bool {
	return func(a exchange.Auth) bool { return a != kind }
}

// usableKinds leaves out SwappedCaseKey for a key without letters, which it does not change.
func usableKinds(key string) []exchange.Auth {
	if exchange.SwapCase(key) != key {
		return wrongKinds
	}
	return keepIf(wrongKinds, isNot(exchange.SwappedCaseKey))
}

// authInvalid: every operation answers 401 to a key that is not valid (Authentication, 4).
func authInvalid() []check.Check {
	var checks []check.Check
	for _, o := range operations {
		requests := map[spec.Operation]int{spec.ListPets: fineKinds - 2, spec.GetPet: 2, spec.CreatePet: 1, spec.StoreOrders: 1}[o.operation]
		varied := stepsOf(wrongKinds[fineKinds:], authStep)
		if o.operation == spec.ListPets {
			varied = nil
		}
		checks = append(checks, check.Check{
			ID: "auth-invalid-" + o.word, Title: "401 for a key that is not valid", Operation: o.operation,
			Proves: "AUTH-3", Requests: requests, Deeper: len(wrongKinds) - requests, Varied: varied, After: after(o.operation),
			Send: func(s *check.Sender) {
				quick, _ := wrongKeys(s, o.operation)
				var all []func()
				for i, k := range quick {
					all = append(all, func() {
						if o.operation == spec.ListPets && i%2 == 1 { // a router may guard the path without a query alone
							s.List(string(k), check.Query{Limit: "5", Status: string(spec.Available)}, check.As(k))
							return
						}
						o.call(s, string(k), check.As(k))
					})
				}
				s.Concurrently(all...)
			},
			Deep: func(s *check.Sender) []check.Request {
				_, deep := wrongKeys(s, o.operation)
				return withCredentials(s, o.operation, o.call, deep)
			},
			Judge: func(j *check.Judge) {
				for _, x := range j.Beside("") {
					c, _ := invalid.CredentialOf(x.Auth)
					j.Status("AUTH-3", x, c.Gets()...)
				}
			},
		})
	}
	return checks
}

// withCredentials returns a request to an operation with each credential.
func withCredentials(s *check.Sender, o spec.Operation, call call, kinds []exchange.Auth) []check.Request {
	var all []check.Request
	for _, k := range kinds {
		if o == spec.CreatePet {
			body, _ := json.Marshal(s.Pet("unauthorized-"+string(k), spec.Available)) // a NewPet always marshals
			all = append(all, check.Post(string(k), string(body), check.As(k)))
			continue
		}
		all = append(all, check.Reading(func() { call(s, string(k), check.As(k)) }))
	}
	return all
}
