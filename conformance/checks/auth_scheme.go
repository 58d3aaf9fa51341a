package checks

import (
	"fmt"
	"slices"

	"petconform/conformance/check"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/history"
	"petconform/spec/invalid"
)

// otherSchemes lists the schemes that a quick run sends to an operation. Most services compare schemes in one place, so each
// operation gets a few of them. The first one of listPets differs from seed to seed.
func otherSchemes(s *check.Sender, o spec.Operation) []exchange.Auth {
	switch o {
	case spec.ListPets: // a service that cuts off seven characters accepts any scheme of six letters
		return append(check.Some(s, 1, schemes[usualSchemes:]), exchange.APIKeyScheme, exchange.NoScheme, exchange.KeyHeader)
	case spec.GetPet:
		return []exchange.Auth{exchange.NoScheme, exchange.BasicScheme, exchange.BasicPassword}
	}
	return []exchange.Auth{exchange.NoScheme}
}

// schemes are the ways to send the right key otherwise than as a bearer token; the first ones are sent by every run.
var schemes = invalid.Credentials("AUTH-4")

const usualSchemes = 5

func authStep(a exchange.Auth) string { return string(a) }

// authScheme: the right key counts under Bearer only (Authentication, 1 and 2).
func authScheme() []check.Check {
	var checks []check.Check
	for _, o := range operations {
		requests := map[spec.Operation]int{spec.ListPets: 4, spec.GetPet: 3, spec.CreatePet: 1, spec.StoreOrders: 1}[o.operation]
		checks = append(checks, check.Check{
			ID: "auth-scheme-" + o.word, Title: "401 for the right key under another scheme, under none, or in another header", Operation: o.operation,
			Proves: "AUTH-4", Requests: requests, Deeper: len(schemes) - requests, Varied: stepsOf(schemes[usualSchemes:], authStep),
			After: after(o.operation),
			Send: func(s *check.Sender) {
				var all []func()
				for _, a := range otherSchemes(s, o.operation) {
					all = append(all, func() { o.call(s, string(a), check.As(a)) })
				}
				s.Concurrently(all...)
			},
			Deep: func(s *check.Sender) []check.Request {
				sent := otherSchemes(s, o.operation)
				return withCredentials(s, o.operation, o.call, keepIf(schemes, func(a exchange.Auth) bool { return !slices.Contains(sent, a) }))
			},
			Judge: func(j *check.Judge) {
				for _, x := range j.Beside("") {
					if x.Auth != exchange.KeyHeader || !keyless(j.History, o.word, x.Status()) {
						j.Status("AUTH-4", x, 401)
					}
				}
			},
		})
	}
	return checks
}

// keyless reports whether a request without any key gets the same status, other than 401. The check auth-missing finds that.
func keyless(h *history.History, word string, status int) bool {
	x := last(h, "auth-missing-"+word)
	return x.Answered() && x.Status() == status && status != 401
}

// authLowerCaseScheme observes whether "bearer" is accepted. Schemes are case-insensitive in HTTP (RFC 9110, section 11.1), and
// the interface shows "Bearer" only.
var authLowerCaseScheme = check.Check{
	ID: "auth-lower-case-scheme", Title: "The scheme written bearer", Operation: spec.ListPets,
	Proves: "AUTH-8", Requests: 1, Spare: true,
	Send: func(s *check.Sender) { s.List("bearer", check.Limit(1), check.As(exchange.LowerCaseScheme)) },
	Judge: func(j *check.Judge) {
		x := j.Step("bearer")
		if !j.Usable(x) {
			return
		}
		word := map[int]string{200: "accepted", 401: "refused"}[x.Status()]
		if word == "" {
			word = fmt.Sprintf("answered %d", x.Status())
		}
		j.Observe("AUTH-8", "bearer in lower case", word)
	},
}
