package checks

import (
	"fmt"
	"strings"

	"petconform/conformance/check"
	"petconform/spec"
	"petconform/spec/invalid"
)

// getMalformed: a petId that is not an int64 names no animal, so it is answered 400 or 404. Which of the two is open.
var getMalformed = noInt64.sentBy(check.Check{
	ID: "get-malformed", Title: "getPet with a petId that is not an int64", Operation: spec.GetPet, Gets: true,
	Proves: "GET-6", Also: []spec.ID{"GET-8"}, After: []string{"create-statuses"}, Spare: true,
	Judge: func(j *check.Judge) {
		for _, x := range j.Beside("") {
			if j.Status("GET-6", x, 400, 404) {
				j.Observe("GET-8", x.Step, fmt.Sprint(x.Status()))
			}
		}
	},
}, func(id malformedID) string { return id.step }, func(s *check.Sender, id malformedID) check.Request {
	return check.Raw(id.step, "/pets/"+strings.ReplaceAll(id.path, "%i", anyID(s)))
})

// malformedID is a petId as it is written in a path. %i stands for an animal's.
type malformedID struct{ step, path string }

var noInt64 = func() (v values[malformedID]) {
	v.always = []malformedID{{"a word", invalid.NoInt64[0]}, {"300 digits", invalid.NoInt64[1]}, {"an id and a letter", "%ix"}}
	for _, id := range invalid.NoInt64[2:] {
		v.deep = append(v.deep, malformedID{id, id})
	}
	return v
}()

// getRemoved: getPet serves no animal after its removal (Versioning). How soon it is removed is not shown, so this is a
// should.
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
