package conformance

import (
	"fmt"

	"petconform/spec"
	"petconform/spec/exchange"
)

// otherSchemes lists the schemes that an operation is sent. Most services compare schemes in one place, so each operation gets a
// few of them.
func otherSchemes(o spec.Operation) []exchange.Auth {
	if o == spec.ListPets { // a service that cuts off seven characters accepts any scheme of six letters
		return []exchange.Auth{exchange.APIKeyScheme, exchange.NoScheme, exchange.TokenScheme}
	}
	return []exchange.Auth{exchange.BasicScheme, exchange.NoScheme}
}

// authScheme: the right key counts under Bearer only (Authentication, 1 and 2).
func authScheme() []Check {
	var checks []Check
	for _, o := range operations {
		schemes := otherSchemes(o.operation)
		checks = append(checks, Check{
			ID: "auth-scheme-" + o.word, Title: "401 to the right key under another scheme, or none", Operation: o.operation,
			Proves: "AUTH-4", Requests: len(schemes), After: after(o.operation),
			Send: func(s *Sender) {
				for _, a := range schemes {
					o.call(s, string(a), As(a))
				}
			},
			Judge: func(j *Judge) {
				for _, x := range j.Steps("") {
					j.Status("AUTH-4", x, 401)
				}
			},
		})
	}
	return checks
}

// authLowerCaseScheme observes whether "bearer" is accepted. Schemes are case-insensitive in HTTP (RFC 9110, section 11.1), and
// the interface shows "Bearer" only.
var authLowerCaseScheme = Check{
	ID: "auth-lower-case-scheme", Title: "The scheme written bearer", Operation: spec.ListPets,
	Proves: "AUTH-8", Requests: 1,
	Send: func(s *Sender) { s.List("bearer", Limit(1), As(exchange.LowerCaseScheme)) },
	Judge: func(j *Judge) {
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
