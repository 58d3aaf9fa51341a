package checks

import (
	"petconform/conformance/check"
	"petconform/spec"
)

// listAgain repeats the listing that list-limit-default has sent: a cache may answer now. Rules judge it like every response.
var listAgain = check.Check{
	ID: "list-again", Title: "The same listing once more", Operation: spec.ListPets, Proves: "LIST-1", Requests: 1, Spare: true,
	Needs: []string{limitDefault.ID},
	Send:  func(s *check.Sender) { s.List("again", check.Query{}) },
	Judge: func(j *check.Judge) { j.Status("LIST-1", j.Step("again"), 200) },
}
