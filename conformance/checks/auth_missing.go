package checks

import (
	"petconform/conformance/check"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/history"
)

// call is a request that is valid but for its credential.
type call func(s *check.Sender, step string, opts ...check.Option) history.Exchange

// operations lists the operations with the word for each in the ids of checks, and a valid request.
var operations = []struct {
	word      string
	operation spec.Operation
	call      call
}{
	{"list", spec.ListPets, func(s *check.Sender, step string, opts ...check.Option) history.Exchange {
		return s.List(step, check.Query{}, opts...)
	}},
	{"create", spec.CreatePet, func(s *check.Sender, step string, opts ...check.Option) history.Exchange {
		return s.Create(step, s.Pet("unauthorized-"+step, spec.Available), opts...)
	}},
	{"get", spec.GetPet, func(s *check.Sender, step string, opts ...check.Option) history.Exchange {
		return s.Get(step, anyID(s), opts...)
	}},
	{"orders", spec.StoreOrders, func(s *check.Sender, step string, opts ...check.Option) history.Exchange {
		return s.Orders(step, opts...)
	}},
}

// anyID returns the id of an animal that exists, if the run knows one. A service that does not check the key then returns the
// animal.
func anyID(s *check.Sender) string {
	for _, x := range s.Sent("create-statuses") { // the same in every run
		if p, ok := x.Pet(); ok && p.ID != "" {
			return p.ID
		}
	}
	for _, c := range s.Created() {
		if c.Answered.ID != "" {
			return c.Answered.ID
		}
	}
	for _, p := range petsIn(s.Sent("list-all")) {
		if p.ID != "" {
			return p.ID
		}
	}
	return "1"
}

// after lists the checks that create the animal for getPet and fetch it with the key, so that a cache which ignores the key then
// serves it.
func after(operation spec.Operation) []string {
	if operation == spec.GetPet {
		return []string{"create-statuses", getExisting.ID}
	}
	return nil
}

// authMissing: every operation answers 401 to a request without a key (Authentication, 3 and 4).
func authMissing() []check.Check {
	var checks []check.Check
	for _, o := range operations {
		checks = append(checks, check.Check{
			ID: "auth-missing-" + o.word, Title: "401 without a key", Operation: o.operation,
			Proves: "AUTH-2", Requests: 1, After: after(o.operation),
			Send:  func(s *check.Sender) { o.call(s, "no-key", check.As(exchange.NoKey)) },
			Judge: func(j *check.Judge) { j.Status("AUTH-2", j.Step("no-key"), 401) },
		})
	}
	return checks
}
