package conformance

import (
	"petconform/spec"
	"petconform/spec/exchange"
)

// wrongKeys are the credentials under Bearer that are no valid key. One comparison of keys serves all operations as a rule,
// so the finer variants (a prefix that is accepted, a case that is ignored) go to listPets alone.
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
