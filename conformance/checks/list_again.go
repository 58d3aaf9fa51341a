package checks

import (
	"slices"

	"petconform/conformance/check"
	"petconform/spec"
)

// perReplica is how often a full run repeats the listing: often enough to reach each of three replicas in all
// likelihood.
const perReplica = 6

// listAgain repeats the listing that list-limit-default has sent: a cache may answer now. Rules judge it like every
// response.
var listAgain = check.Check{
	ID: "list-again", Title: "The same listing once more", Operation: spec.ListPets, Proves: "LIST-1", Requests: 1, Spare: true, Deeper: perReplica,
	Needs: []string{limitDefault.ID},
	Send:  func(s *check.Sender) { s.List("again", check.Query{}) },
	Deep: func(*check.Sender) []check.Request {
		return slices.Repeat([]check.Request{check.List("again", check.Query{})}, perReplica)
	},
	Judge: func(j *check.Judge) { j.Status("LIST-1", j.Step("again"), 200) },
}
