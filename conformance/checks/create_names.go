package checks

import (
	"fmt"
	"net/http"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"petconform/conformance/check"
	"petconform/spec"
	"petconform/spec/history"
)

// anyName has what services mishandle: several scripts, capitals within and beyond ASCII, a character beyond the basic
// plane, combining accents, and the special characters of HTML, SQL, URLs and templates. A name is any string
// (Resources / NewPet), so the service accepts it. No white space is at its end, where services refuse or cut it. With
// the name of the run it has fewer than 60 characters and at most 64 bytes, because limits on field lengths are not
// shown.
const anyName = `Ñ猫ق🐈‍⬛ ` + "e\u0301\u212B" + ` '"\<B>&amp;+%41/` + "\u2028$"

// oddNames may be refused, since limits on field lengths are not shown; the first two have at most 64 bytes. The rule
// created-as-sent checks that an accepted name is returned unchanged. The names have what services replace: typographic
// marks, ligatures, wide letters, marks of direction, characters for private use, and what formats and templates
// replace. The long name is ASCII, so that it shows lengths and nothing else.
var oddNames = []struct{ step, about, prefix, suffix string }{
	{"spaces", "a name with spaces at its ends", "  ", "  a  b\u00a0🐈\ufe0f\ufeffßﬁ“\u202e  "},
	{"controls", "a name with control characters", "", "\x00\a\b\t\n\r\n\x1f\u007f\u0085ı”’Ｗ\u202c\ue000end"},
	{"long", "a name of 1,000 characters", "", ` %s %d $1 ${x} {{7*7}} #{1} <%=1%> \n` + strings.Repeat(" long", 187) + " end.."},
}

var createNames = check.Check{
	ID: "create-names", Title: "createPet with names in other scripts and with marks", Operation: spec.CreatePet,
	Proves: "CREATE-1", Also: []spec.ID{"CREATE-17"}, Requests: 4, Creates: 4, After: []string{createParallel.ID},
	Send: func(s *check.Sender) {
		s.Create(marksStep, s.Pet(anyName, spec.Pending)) // alone, so that getPet is asked for the same id in every run
		var all []check.Request
		for _, n := range oddNames {
			all = append(all, named(s, n.step, "name-"+n.step, n.prefix, n.suffix))
		}
		s.Together(all...)
		narrow(s, marksStep, anyName)
		for _, n := range oddNames {
			narrow(s, n.step, n.prefix+n.suffix)
		}
	},
	Judge: func(j *check.Judge) {
		created(j, narrowest(j, marksStep))
		for _, n := range oddNames {
			j.ObserveStatus("CREATE-17", n.about, j.Step(n.step))
			if x := narrowest(j, n.step); x.N > 0 && !refuses(x) {
				created(j, x)
			}
		}
	},
}

const marksStep = "scripts-and-marks"

// named creates an animal with a name of the run between a prefix and a suffix. It escapes every character beyond
// ASCII, as many clients do.
func named(s *check.Sender, step, name, prefix, suffix string) check.Request {
	p := s.Pet(name, spec.Available)
	p.Name = prefix + p.Name + suffix
	r := check.Create(step, p)
	r.Body = inASCII(string(r.Body))
	return r
}

// narrow sends the halves of a name that the service fails on, then those of the half that it fails on too, and so on,
// so that the finding shows the part that does it. Their names are longer than the shortest that was accepted, so that
// their length is no reason.
func narrow(s *check.Sender, step, text string) {
	fails := func(x history.Exchange) bool {
		return x.Answered() && x.Status() != http.StatusCreated && !x.Limited() && (step == marksStep || !refuses(x))
	}
	whole, sent := firstOf(s.Sent("create-names"), func(x history.Exchange) bool { return x.Step == step })
	if !sent || !fails(whole) || len(s.History().Created()) == 0 {
		return
	}
	for n, found := 0, true; found; {
		runes := []rune(text)
		found = false
		for _, half := range []string{string(runes[:len(runes)/2]), string(runes[len(runes)/2:])} {
			if n++; !found && half != "" && half != text {
				if found = fails(s.Do(named(s, fmt.Sprint(step, partStep, n), string(spec.Available), "", half))); found {
					text = half
				}
			}
		}
	}
}

// refuses reports whether a name was refused, as one beyond the limits may be; a server error is no refusal.
func refuses(x history.Exchange) bool { return x.Status()/100 == 4 }

// inASCII escapes every character beyond ASCII; those beyond the basic plane with two escapes.
func inASCII(body string) (out []byte) {
	for _, r := range body {
		if r < utf8.RuneSelf {
			out = append(out, byte(r))
			continue
		}
		for _, unit := range utf16.AppendRune(nil, r) {
			out = fmt.Appendf(out, `\u%04x`, unit)
		}
	}
	return out
}
