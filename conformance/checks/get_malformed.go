package checks

import (
	"fmt"
	"net/http"

	"petconform/conformance/check"
	"petconform/spec"
	"petconform/spec/client"
	"petconform/spec/invalid"
)

// getMalformed: a petId that is not an int64 names no animal, so it is answered 400 or 404. Which of the two is open.
var getMalformed = check.Check{
	ID: "get-malformed", Title: "getPet with a petId that is not an int64", Operation: spec.GetPet,
	Proves: "GET-6", Also: []spec.ID{"GET-8"}, Requests: 3, Deeper: len(invalid.NoInt64) - 2, After: []string{"create-statuses"},
	Spare: true,
	Send: func(s *check.Sender) {
		if !s.Getting() {
			s.Skip("getPet is removed by the day of the run")
			return
		}
		s.Concurrently(func() { getRaw(s, "a word", invalid.NoInt64[0]) }, func() { getRaw(s, "300 digits", invalid.NoInt64[1]) },
			func() { getRaw(s, "an id and a letter", anyID(s)+"x") })
	},
	Deep: func(s *check.Sender) (all []check.Request) {
		for _, id := range invalid.NoInt64[2:] {
			if s.Getting() {
				all = append(all, check.Reading(func() { getRaw(s, id, id) }))
			}
		}
		return all
	},
	Judge: func(j *check.Judge) {
		for _, x := range j.Beside("") {
			if j.Status("GET-6", x, 400, 404) {
				j.Observe("GET-8", x.Step, fmt.Sprint(x.Status()))
			}
		}
	},
}

// getRaw calls getPet with an id that is escaped already, or that no escaping makes.
func getRaw(s *check.Sender, step, id string) {
	s.Call(client.Call{Step: step, Method: http.MethodGet, Path: "/pets/" + id})
}

// getRemoved: getPet serves no animal after its removal (Versioning). How soon it is removed is not shown, so this is a should.
var getRemoved = check.Check{
	ID: "get-removed", Title: "getPet after its removal", Operation: spec.GetPet,
	Proves: "GET-5", Requests: 1, After: []string{"create-statuses"},
	Send: func(s *check.Sender) {
		if s.Getting() {
			s.Skip("getPet is not yet removed on the day of the run")
			return
		}
		s.Get("existing", anyID(s))
	},
	Judge: func(j *check.Judge) {
		x := j.Step("existing")
		if x.N > 0 && j.Usable(x) {
			j.Expect("GET-5", x, check.That(x.Status()/100 != 2, "no animal: the operation is removed", fmt.Sprintf("status %d", x.Status())),
				"getPet after 5 December 2030")
		}
	},
}
