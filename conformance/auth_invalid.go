package conformance

import (
	"petconform/spec"
	"petconform/spec/exchange"
)

// wrongKeys lists the invalid keys that an operation is sent. Most services compare keys in one place, so only listPets gets the
// finer variants: a truncated key, a key with one more character, a key in another case.
func wrongKeys(o spec.Operation) []exchange.Auth {
	few := []exchange.Auth{exchange.UnknownKey, exchange.EmptyKey}
	if o == spec.ListPets {
		return append(few, exchange.DamagedKey, exchange.TruncatedKey, exchange.ExtendedKey, exchange.SwappedCaseKey)
	}
	return few
}

// authInvalid: every operation answers 401 to a key that is not valid (Authentication, 4).
func authInvalid() []Check {
	var checks []Check
	for _, o := range operations {
		keys := wrongKeys(o.operation)
		checks = append(checks, Check{
			ID: "auth-invalid-" + o.word, Title: "401 to a key that is not valid", Operation: o.operation,
			Proves: "AUTH-3", Requests: len(keys), After: after(o.operation),
			Send: func(s *Sender) {
				for _, k := range keys {
					if key := s.run.cfg.Key.Reveal(); k == exchange.SwappedCaseKey && exchange.SwapCase(key) == key {
						continue // swapping changes nothing
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
