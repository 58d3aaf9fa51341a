package checks

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"petconform/conformance/check"
	"petconform/spec"
)

// anyName has what services mishandle: several scripts, capitals within and beyond ASCII, a character beyond the basic plane,
// combining accents, and the special characters of HTML, SQL, URLs and templates. A name is any string (Resources / NewPet), so the
// service accepts it. With the name of the run it has fewer than 60 characters and at most 64 bytes, because limits on field lengths
// are not shown.
const anyName = `Ñ猫ق🐈‍⬛ ` + "e\u0301\u212B" + ` '"\<B>&amp;+%41/$` + "\u2028"

// oddNames may be refused, since limits on field lengths are not shown; the first two have at most 64 bytes. The rule
// created-as-sent checks that an accepted name is returned unchanged. The names have what services replace: typographic marks,
// ligatures, wide letters, marks of direction, characters for private use, and what formats and templates replace. The long name
// is ASCII, so that it shows lengths and nothing else.
var oddNames = []struct{ step, about, prefix, suffix string }{
	{"spaces", "a name with spaces at its ends", "  ", "  a  b\u00a0🐈\ufe0f\ufeffßﬁ“\u202e  "},
	{"controls", "a name with control characters", "", "\x00\a\b\t\n\r\n\x1f\u007f\u0085ı”’Ｗ\u202c\ue000end"},
	{"long", "a name of 1,000 characters", "", ` %s %d $1 ${x} {{7*7}} #{1} <%=1%> \n` + strings.Repeat(" long", 187) + " end.."},
}

var createNames = check.Check{
	ID: "create-names", Title: "createPet with names in other scripts and with marks", Operation: spec.CreatePet,
	Proves: "CREATE-1", Also: []spec.ID{"CREATE-17"}, Requests: 4, Creates: 4, After: []string{createParallel.ID},
	Send: func(s *check.Sender) {
		s.Create("scripts-and-marks", s.Pet(anyName, spec.Pending)) // alone, so that getPet is asked for the same id in every run
		var all []func()
		for _, n := range oddNames {
			all = append(all, func() {
				p := s.Pet("name-"+n.step, spec.Available)
				p.Name = n.prefix + p.Name + n.suffix
				body, _ := json.Marshal(p) // a NewPet always marshals
				s.Post(n.step, inASCII(string(body)))
			})
		}
		s.Concurrently(all...)
	},
	Judge: func(j *check.Judge) {
		created(j, j.Step("scripts-and-marks"))
		for _, n := range oddNames {
			x := j.Step(n.step)
			j.ObserveStatus("CREATE-17", n.about, x)
			if x.N > 0 && x.Status()/100 != 4 { // a server error is no refusal
				created(j, x)
			}
		}
	},
}

// inASCII escapes every character beyond ASCII, as many clients do; those beyond the basic plane with two escapes.
func inASCII(body string) string {
	var out strings.Builder
	for _, r := range body {
		if r < utf8.RuneSelf {
			out.WriteRune(r)
			continue
		}
		for _, unit := range utf16.AppendRune(nil, r) {
			fmt.Fprintf(&out, `\u%04x`, unit)
		}
	}
	return out.String()
}
