package conformance

import (
	"petconform/spec"
	"petconform/spec/rules"
)

// remainingLater asks once more where X-RateLimit-Remaining stood still below X-RateLimit-Limit: a counter that is published
// once a second moves by then, and one that never moves is RATE-4's. The rule remaining-falls compares. On other targets the
// check sends nothing.
var remainingLater = Check{
	ID: "remaining-later", Title: "X-RateLimit-Remaining, asked again later", Operation: spec.ListPets,
	Last: true, After: []string{"list-created", leftBehind.ID},
	Send: func(s *Sender) {
		if !rules.StoodStill(s.run.history()) {
			s.Skip("X-RateLimit-Remaining did not stand still below X-RateLimit-Limit")
			return
		}
		if s.Wait(rules.StandsStill) {
			s.List("later", Limit(1))
		}
	},
}
