package checks

import (
	"fmt"

	"petconform/conformance/check"
	"petconform/spec"
	"petconform/spec/invalid"
)

// getMalformed: a petId that is not an int64 names no animal, so it is answered 400 or 404. Which of the two is open.
var getMalformed = check.Check{
	ID: "get-malformed", Title: "getPet with a petId that is not an int64", Operation: spec.GetPet,
	Proves: "GET-6", Also: []spec.ID{"GET-8"}, Requests: 2, After: []string{"create-statuses"}, Spare: true,
	Send: func(s *check.Sender) {
		if !s.Getting() {
			s.Skip("getPet is removed by the day of the run")
			return
		}
		s.Concurrently(func() { s.Get("a word", invalid.NoInt64[0]) }, func() { s.Get("an id and a letter", anyID(s)+"x") })
	},
	Judge: func(j *check.Judge) {
		for _, step := range []string{"a word", "an id and a letter"} {
			if x := j.Step(step); x.N > 0 && j.Status("GET-6", x, 400, 404) {
				j.Observe("GET-8", x.Step, fmt.Sprint(x.Status()))
			}
		}
	},
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
