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
	if p.Check.Kind == verdict.Passive {
		return []string{responses(res, p)}
	}
	var places []string
	for _, o := range p.Operations() {
		var names []string
		for _, c := range p.Finding.Cases {
			if c.Operation == o {
				names = append(names, c.Name)
			}
		}
		places = append(places, fmt.Sprintf("%s: %s", o, strings.Join(names, ", ")))
	}
	return places
}

// responses counts the responses in which a rule is broken, or the requests of a client.
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
	for _, o := range p.Operations() {
		words = append(words, string(o))
	}
	of := ""
	if p.Check.Held+len(numbers) <= p.Check.Of && len(numbers) > 1 {
		of = fmt.Sprintf(" of %d", p.Check.Of)
	}
	if of == "" {
		return fmt.Sprintf("%s to %s", spec.Count(len(numbers), thing), safe.List(words))
	}
	return fmt.Sprintf("%d%s %ss, to %s", len(numbers), of, thing, safe.List(words))
}

// FixFirst lists the causes in the order in which to fix them, one line each.
func FixFirst(w io.Writer, causes []cause.Cause, style CardStyle) error {
	k := &card{style: style}
	k.line(k.paint("1", "Fix first"))
	for i, c := range causes {
		k.b.WriteString(safe.Hang(fmt.Sprintf("%3d  ", i+1), safe.Wrap(fmt.Sprintf("%s (%s)", c.Title, requirementsOf(c)), Columns-5)))
	}
	_, err := io.WriteString(w, k.b.String())
	return err
}

// namedRequirements is how many requirements a line names.
const namedRequirements = 4

func requirementsOf(c cause.Cause) string {
	var ids []string
	for _, id := range c.Requirements {
		ids = append(ids, string(id))
	}
	if more := len(ids) - namedRequirements; more > 0 {
		ids = append(ids[:namedRequirements], fmt.Sprintf("%d more", more))
	}
	return strings.Join(ids, ", ")
}
