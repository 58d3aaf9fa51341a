package reports

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"petconform/reports/cause"
	"petconform/reports/safe"
	"petconform/spec"
	"petconform/spec/verdict"
)

// placesOf returns the places where a cause breaks a requirement. Checks whose cases have the same names share a place.
func placesOf(res verdict.Results, c cause.Cause, id spec.ID) []string {
	var places []string
	for _, p := range c.Places {
		if p.Finding.Requirement != id {
			continue
		}
		for _, place := range Places(res, p) {
			if !slices.Contains(places, place) {
				places = append(places, place)
			}
		}
	}
	return places
}

// Places says where a cause shows: "listPets: no-key, unknown", or "119 of 119 responses of listPets and createPet".
func Places(res verdict.Results, p cause.Place) []string {
	if p.Check.Kind == verdict.Phase || len(p.Finding.Cases) == 0 {
		return []string{p.Check.ID}
	}
	if p.Finding.Cases[0].Name == "" { // of a rule, or of generated sequences
		return []string{responses(res, p)}
	}
	var places []string
	for _, o := range cause.Operations(p) {
		var names []string
		for _, c := range p.Finding.Cases {
			if c.Operation == o {
				names = append(names, c.Name)
			}
		}
		if more := len(names) - namedCases; more > 1 {
			names = append(names[:namedCases], fmt.Sprintf("%d more", more))
		}
		places = append(places, fmt.Sprintf("%s: %s", o, strings.Join(names, ", ")))
	}
	return places
}

// namedCases is how many cases a place names.
const namedCases = 6

// responses counts the responses that a rule or the generated sequences find broken, or the requests of a client.
func responses(res verdict.Results, p cause.Place) string {
	thing := "response"
	if res.OfClient() {
		thing = "request"
	}
	numbers := map[int]bool{}
	for _, c := range p.Finding.Cases {
		for _, n := range c.Exchanges {
			numbers[n] = true
		}
	}
	var words []string
	for _, o := range cause.Operations(p) {
		words = append(words, string(o))
	}
	broken := len(numbers)
	if len(p.Check.Findings) == 1 { // its cases may be fewer
		broken = max(broken, p.Check.Of-p.Check.Held)
	}
	if p.Check.Held+broken <= p.Check.Of && broken > 1 {
		return fmt.Sprintf("%s of %s %ss, to %s", spec.Number(broken), spec.Number(p.Check.Of), thing, spec.List(words))
	}
	return fmt.Sprintf("%s to %s", spec.Count(broken, thing), spec.List(words))
}

// Order says in which order causes are told.
const Order = "what hides the most checks, then what fails the most"

// FixFirst lists several causes, one line each, in the order in which to fix them.
func FixFirst(w io.Writer, causes []cause.Cause, style CardStyle) error {
	if len(causes) < 2 {
		return nil // its card says everything
	}
	k := &card{style: style}
	k.line("")
	heading := safe.Hang("", safe.Wrap("Fix first: "+Order, style.width()))
	k.b.WriteString(strings.Replace(heading, "Fix first:", k.paint("1", "Fix first:"), 1))
	for i, c := range causes {
		k.b.WriteString(safe.Hang(fmt.Sprintf("%3d  ", i+1), safe.Wrap(inLine(c), style.width()-5)))
	}
	_, err := io.WriteString(w, k.b.String())
	return err
}

// inLine is a cause with its requirements, and how many checks it hides.
func inLine(c cause.Cause) string {
	line := fmt.Sprintf("%s (%s)", c.Title, requirementsOf(c))
	if n := len(c.Hides); n > 0 {
		line += ", hides " + spec.Count(n, "check")
	}
	return line
}

// namedRequirements is how many requirements a line names.
const namedRequirements = 4

func requirementsOf(c cause.Cause) string {
	if more := len(c.Requirements) - namedRequirements; more > 0 {
		return fmt.Sprintf("%s, %d more", spec.Join(c.Requirements[:namedRequirements], ", "), more)
	}
	return spec.Join(c.Requirements, ", ")
}
