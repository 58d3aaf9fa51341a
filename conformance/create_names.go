package conformance

import (
	"strings"

	"petconform/spec"
)

// anyName has what services mishandle: several scripts, a character beyond the basic plane, combining accents, and the special
// characters of HTML, SQL, URLs and templates. A name is any string (Resources / NewPet), so the service accepts it. With the name
// of the run it has fewer than 60 characters, because limits on field lengths are not shown.
const anyName = `Ñ猫ق🐈‍⬛ ` + "e\u0301\u212B" + ` '"\<b>&amp;+%41/$` + "\u2028"

// oddNames may be refused, since limits on field lengths are not shown. A name that is accepted comes back unchanged, which the
// rule created-as-sent holds.
var oddNames = []struct{ step, prefix, suffix string }{
	{"spaces", "  ", "  two  spaces  "},
	{"long", "", " " + strings.Repeat("long ", 60) + "end"},
}

var createNames = Check{
	ID: "create-names", Title: "createPet with names in other scripts and with marks", Operation: spec.CreatePet,
	Proves: "CREATE-1", Also: []spec.ID{"CREATE-17"}, Requests: 3, Creates: 3, After: []string{"create-statuses"},
	Send: func(s *Sender) {
		p := s.Pet(anyName, spec.Available)
		s.Create("scripts-and-marks", p)
		for _, n := range oddNames {
			p := s.Pet("name-"+n.step, spec.Available)
			p.Name = n.prefix + p.Name + n.suffix
			s.Create(n.step, p)
		}
	},
	Judge: func(j *Judge) {
		created(j, j.Step("scripts-and-marks"))
		j.ObserveStatus("CREATE-17", "a name with spaces at its ends", j.Step("spaces"))
		j.ObserveStatus("CREATE-17", "a name of 300 characters", j.Step("long"))
	},
}
