package conformance

import (
	"net/http"
	"strings"

	"petconform/spec"
)

// A name is any string (Resources / NewPet). The first three must be accepted: they are names that people give. Whether
// the others are is open, since limits on field lengths are not shown; but what is accepted has to come back unchanged, which
// a rule says of every creation.
var (
	names = []struct{ step, suffix string }{
		{"scripts", " Žofka Ñandú Ωμέγα Барсик قطة 猫ねこ고양이 🐈‍⬛"},
		{"markup", ` O'Brien "Rex" \ / <b>&amp; %20 ; -- {{7*7}} ${x} null`},
		{"decomposed", " Ame\u0301lie \u212Bngstro\u0308m 1,5€"},
	}
	oddNames = []struct{ step, prefix, suffix string }{
		{"spaces", "  ", "  two  spaces  "},
		{"long", "", " " + strings.Repeat("long ", 60) + "end"},
	}
)

var createNames = Check{
	ID: "create-names", Title: "createPet with names in other scripts and with marks", Operation: spec.CreatePet,
	Proves: []spec.ID{"CREATE-1", "CREATE-17"}, Requests: 5, Creates: 5, After: []string{"create-statuses"},
	Send: func(s *Sender) {
		for _, n := range names {
			p := s.Pet("name-"+n.step, spec.Available)
			p.Name += n.suffix
			s.Create(n.step, p)
		}
		for _, n := range oddNames {
			p := s.Pet("name-"+n.step, spec.Pending)
			p.Name = n.prefix + p.Name + n.suffix
			s.Create(n.step, p)
		}
	},
	Judge: func(j *Judge) {
		for _, n := range names {
			x := j.Step(n.step)
			if x.Status() != 201 && plainRefused(j) {
				j.Unsure("an ordinary name is refused too, which CREATE-1 tells")
				continue
			}
			created(j, "CREATE-1", x)
		}
		j.ObserveStatus("CREATE-17", "a name with spaces at its ends", j.Step("spaces"))
		j.ObserveStatus("CREATE-17", "a name of 300 characters", j.Step("long"))
	},
}

// plainRefused says whether the check that creates ordinary animals has found the fault already.
func plainRefused(j *Judge) bool {
	for _, x := range j.History.Of("create-statuses") {
		if x.Status() == http.StatusCreated {
			return false
		}
	}
	return true
}
