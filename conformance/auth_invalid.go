package conformance

import (
	"petconform/spec"
	"petconform/spec/exchange"
)

// wrongKeys lists the invalid keys that an operation is sent. Most services compare keys in one place, so a standard run sends the
// finer variants to one operation each: a truncated key, a key with one more character before or after it, a key in another case.
func wrongKeys(o spec.Operation, deep bool) []exchange.Auth {
	all := []exchange.Auth{exchange.UnknownKey, exchange.EmptyKey, exchange.DamagedKey, exchange.TruncatedKey, exchange.ExtendedKey,
		exchange.PrefixedKey, exchange.SwappedCaseKey}
	switch {
	case deep && o != spec.CreatePet: // a service that accepts one creates an animal
		return all
	case o == spec.ListPets:
		return keepIf(all, func(a exchange.Auth) bool { return a != exchange.PrefixedKey })
	case o == spec.GetPet:
		return []exchange.Auth{exchange.UnknownKey, exchange.PrefixedKey}
	}
	return []exchange.Auth{exchange.UnknownKey}
}

// authInvalid: every operation answers 401 to a key that is not valid (Authentication, 4).
func authInvalid() []Check {
	var checks []Check
	for _, o := range operations {
		checks = append(checks, Check{
			ID: "auth-invalid-" + o.word, Title: "401 for a key that is not valid", Operation: o.operation,
			Proves: "AUTH-3", Requests: len(wrongKeys(o.operation, false)), Deeper: len(wrongKeys(o.operation, true)) - len(wrongKeys(o.operation, false)), After: after(o.operation),
			Send: func(s *Sender) {
				for i, k := range wrongKeys(o.operation, s.Deep()) {
					if key := s.run.cfg.Key.Reveal(); k == exchange.SwappedCaseKey && exchange.SwapCase(key) == key {
						continue // swapping changes nothing
					}
					if o.operation == spec.ListPets && i%2 == 1 { // a router may guard the path without a query alone
						s.List(string(k), Query{Limit: "5", Status: string(spec.Available)}, As(k))
						continue
					}
					o.call(s, string(k), As(k))
				}
			},
			Judge: func(j *Judge) {
				for _, x := range j.Steps("") {
					j.Status("AUTH-3", x, 401)
				}
			},
		})
	}
	return checks
}
