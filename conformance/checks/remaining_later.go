package checks

import (
	"petconform/conformance/check"
	"petconform/spec"
	"petconform/spec/rules"
)

// remainingLater sends one more request, after 1.2 s, if X-RateLimit-Remaining stood still below X-RateLimit-Limit. A
// counter that is published once a second has moved by then. The rule remaining-falls compares. The check sends nothing
// to other targets.
var remainingLater = check.Check{
	ID: "remaining-later", Title: "X-RateLimit-Remaining, asked again later", Operation: spec.ListPets,
	Last: true, After: []string{"list-created", leftBehind.ID},
	Send: func(s *check.Sender) {
		if !rules.StoodStill(s.History()) {
			s.Skip("X-RateLimit-Remaining did not stand still below X-RateLimit-Limit")
			return
		}
		if s.Wait(rules.StandsStill) {
			s.List("later", check.Limit(1))
		}
	},
}
