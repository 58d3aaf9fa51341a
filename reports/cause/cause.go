// Package cause groups the failures of a run by what has to be fixed. Failures have one cause if they break the same
// requirement or show the same wrong status, if by the ledger one follows from the other or repeats it, or if one shows
// in the responses with one wrong status alone.
package cause

import (
	"cmp"
	"slices"

	"petconform/spec"
	"petconform/spec/verdict"
)

// Cause is a fault that one change of the service would fix, with every place where it shows.
type Cause struct {
	// Title says in a few words what is wrong: "403 instead of 401".
	Title string
	// Requirements are the broken ones: those that show the cause, then those that follow from it.
	Requirements []spec.ID
	Places       []Place
	// Hides lists the checks and rules that are inconclusive because of the cause. They may find more when it is fixed.
	Hides []string
}

// Place is a finding of a check or rule that shows a cause.
type Place struct {
	Check          verdict.Check
	Finding        verdict.Finding
	broken         spec.Requirement
	cause, follows int // the number of its cause, and 1 if the place shows a consequence of it
}

// Of returns the causes of the failures that make a run deviate. Those that leave the most checks inconclusive come
// first, then those that show in the most places.
func Of(res verdict.Results) (all []Cause) {
	var places []Place
	for _, c := range res.Checks {
		if c.Verdict == verdict.Failed {
			places = append(places, placesOf(c)...)
		}
	}
	for _, group := range grouped(slices.DeleteFunc(places, func(p Place) bool { return !res.Counts(p.Finding.Requirement) })) {
		c := causeOf(title(group), group)
		for _, other := range res.Checks {
			if c.hides(other) {
				c.Hides = append(c.Hides, other.ID)
			}
		}
		all = append(all, c)
	}
	slices.SortStableFunc(all, func(a, b Cause) int {
		return cmp.Or(len(b.Hides)-len(a.Hides), len(b.Places)-len(a.Places), a.Places[0].number()-b.Places[0].number())
	})
	return all
}

// OfCheck returns what a check has found, whatever its cause.
func OfCheck(c verdict.Check) Cause { return causeOf(c.Title, placesOf(c)) }

func causeOf(title string, places []Place) Cause {
	c := Cause{Title: title, Places: places}
	for _, p := range places {
		c.Requirements = with(c.Requirements, p.Finding.Requirement)
	}
	return c
}

// placesOf are the findings of a check, one at least. A failed check without any breaks every requirement that it
// proves.
func placesOf(c verdict.Check) (all []Place) {
	findings := c.Findings
	for _, id := range append(c.Broken(), "") {
		if len(c.Findings) == 0 && (id != "" || len(findings) == 0) {
			findings = append(findings, verdict.Finding{Requirement: id, Message: c.Reason})
		}
	}
	for _, f := range findings {
		broken, _ := spec.TheLedger().Find(f.Requirement)
		all = append(all, Place{Check: c, Finding: f, broken: broken})
	}
	return all
}

// hides reports whether a check is inconclusive because of a requirement that the cause breaks, on the same operation.
func (c Cause) hides(other verdict.Check) bool {
	because := slices.ContainsFunc(other.Because, func(id spec.ID) bool { return slices.Contains(c.Requirements, id) })
	on := Operations(c.Places...)
	return because && other.Verdict == verdict.Inconclusive &&
		(other.Operation == "" || len(on) == 0 || slices.Contains(on, string(other.Operation)))
}

// Again are the checks to run again when the cause is mended: those that show it and not a consequence of it.
func (c Cause) Again() (all []verdict.Check) {
	for _, p := range own(c.Places) {
		p.Check.Findings = []verdict.Finding{p.Finding}
		all = append(all, p.Check)
	}
	return all
}

// Hints are the hints of the cause's findings: of the first, and where requests succeed that have to be refused, of
// three, since each requirement needs a test of its own.
func (c Cause) Hints() (all []string) {
	for i, p := range own(c.Places) {
		if p.Finding.Hint != "" && len(all) < 3 && (i == 0 || slices.ContainsFunc(wrong(p), served)) {
			all = with(all, p.Finding.Hint)
		}
	}
	return all
}

// Checks are the ids of the checks and rules that show the cause.
func (c Cause) Checks() (ids []string) {
	for _, p := range c.Places {
		ids = with(ids, p.Check.ID)
	}
	return ids
}

// Operations are the operations that places show a cause on.
func Operations(places ...Place) (all []string) {
	for _, p := range places {
		for _, c := range p.Finding.Cases {
			if c.Operation != "" {
				all = with(all, string(c.Operation))
			}
		}
	}
	return all
}

// own are the places that show the cause itself, one at least.
func own(all []Place) []Place {
	return slices.DeleteFunc(slices.Clone(all), func(p Place) bool { return p.follows > 0 })
}

// number is the position of the requirement in the ledger.
func (p Place) number() int { return spec.TheLedger().Place(p.Finding.Requirement) }

// with adds an element to a list that does not have it.
func with[T comparable](all []T, one T) []T {
	if slices.Contains(all, one) {
		return all
	}
	return append(all, one)
}
