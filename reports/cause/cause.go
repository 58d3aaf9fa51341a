// Package cause groups the failures of a run by what has to be fixed. Failures have one cause if they break the same
// requirement or show the same wrong status, if by the ledger one follows from the other or repeats it, or if one shows
// in the responses with one wrong status alone.
package cause

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

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
	wrong          []verdict.Case // the cases that are about a wrong status
	cause, follows int            // the number of its cause, and 1 if the place shows a consequence of it
}

// Of returns the causes of the failures that are selected, by check and requirement. Those that leave the most checks
// inconclusive come first, then those that show in the most places.
func Of(res verdict.Results, selected func(verdict.Check, spec.ID) bool) (all []Cause) {
	var places []Place
	for _, c := range res.Checks {
		if c.Verdict.Failing() {
			places = append(places, placesOf(c)...)
		}
	}
	places = slices.DeleteFunc(places, func(p Place) bool { return !selected(p.Check, p.Finding.Requirement) })
	for _, group := range grouped(places) {
		c := Cause{Title: title(group), Places: group}
		for _, p := range group {
			c.Requirements = spec.With(c.Requirements, p.Finding.Requirement)
		}
		on := Operations(group...)
		for _, other := range res.Checks { // on an operation of the cause, because of a requirement that it breaks
			because := slices.ContainsFunc(other.Because, func(id spec.ID) bool { return slices.Contains(c.Requirements, id) })
			if because && other.Verdict == verdict.Inconclusive &&
				(other.Operation == "" || len(on) == 0 || slices.Contains(on, string(other.Operation))) {
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

// placesOf are the findings of a check, one at least. A failed check without any breaks every requirement that it
// proves.
func placesOf(c verdict.Check) (all []Place) {
	findings := c.Findings
	if len(findings) == 0 {
		for _, id := range c.Requirements {
			findings = append(findings, verdict.Finding{Requirement: id, Message: c.Reason})
		}
	}
	if len(findings) == 0 {
		findings = []verdict.Finding{{Message: c.Reason}}
	}
	for _, f := range findings {
		broken, _ := spec.TheLedger().Find(f.Requirement)
		wrong := slices.DeleteFunc(slices.Clone(f.Cases), func(k verdict.Case) bool { return len(k.Wanted) == 0 })
		all = append(all, Place{Check: c, Finding: f, broken: broken, wrong: wrong})
	}
	return all
}

// Again are the checks to run again when the cause is mended: those that show it and not a consequence of it.
func (c Cause) Again() (all []verdict.Check) {
	for _, p := range Own(c.Places) {
		p.Check.Findings = []verdict.Finding{p.Finding}
		all = append(all, p.Check)
	}
	return all
}

// Operations are the operations that places show a cause on.
func Operations(places ...Place) (all []string) {
	for _, p := range places {
		for _, k := range p.Finding.Cases {
			if k.Operation != "" {
				all = spec.With(all, string(k.Operation))
			}
		}
	}
	return all
}

// Own are the places that show a cause itself, and not a consequence of it: one at least.
func Own(all []Place) []Place {
	return slices.DeleteFunc(slices.Clone(all), func(p Place) bool { return p.follows > 0 })
}

func (p Place) number() int { return spec.TheLedger().Place(p.Finding.Requirement) }

// grouped puts the places of one cause together: first those that show it, then those that follow from it, each in the
// order of the ledger.
func grouped(all []Place) (groups [][]Place) {
	for i := range all {
		all[i].cause = i
	}
	for kind, related := range []func(all []Place, p, q Place) bool{alike, follows} {
		for i := range all {
			of := slices.IndexFunc(all, func(q Place) bool { return q.cause != all[i].cause && related(all, all[i], q) })
			for j, old := 0, all[i].cause; j < len(all) && of >= 0; j++ {
				if all[j].cause == old {
					all[j].cause, all[j].follows = all[of].cause, kind
				}
			}
		}
	}
	slices.SortStableFunc(all, func(a, b Place) int {
		return cmp.Or(a.cause-b.cause, a.follows-b.follows, a.number()-b.number())
	})
	for i, p := range all {
		if i == 0 || p.cause != all[i-1].cause {
			groups = append(groups, nil)
		}
		groups[len(groups)-1] = append(groups[len(groups)-1], p)
	}
	return groups
}

// alike reports whether two places break the same requirement, or show the same wrong status. A request that succeeds
// and must not is one fault, whether it lists (200) or creates (201), and so is a redirect, whatever was asked for.
func alike(_ []Place, p, q Place) bool {
	return p.Finding.Requirement == q.Finding.Requirement || pair(p.wrong, q.wrong, func(a, b verdict.Case) bool {
		return (sameStatus(a, b) || served(a) && served(b)) && (a.Status/100 == 3 || pair(a.Wanted, b.Wanted, same))
	})
}

// follows reports whether a place is a consequence of another one, q: by the ledger, if q has the same wrong status, or
// none; by the ledger, if it repeats q in the same response; or if it shows in responses with one wrong status alone.
func follows(all []Place, p, q Place) bool {
	broken, id := p.broken, q.Finding.Requirement
	sameResponse := func(a, b verdict.Case) bool { return pair(a.Exchanges, b.Exchanges, same) }
	return slices.Contains(broken.Follows, id) && (len(q.wrong) == 0 || pair(q.wrong, p.wrong, sameStatus)) ||
		slices.Contains(broken.Repeats, id) && pair(q.Finding.Cases, p.Finding.Cases, sameResponse) ||
		len(p.Finding.Cases) > 0 && len(p.wrong) == 0 && only(all, q.cause, p)
}

// only reports whether a place shows in responses with the wrong status of a cause alone, or in others like them if
// these are redirects or server errors, which are never right.
func only(all []Place, cause int, p Place) bool {
	known := map[any]bool{}
	response := func(k verdict.Case) string { return fmt.Sprint(k.Operation, k.Status) }
	for _, q := range all {
		for _, k := range q.wrong {
			if q.cause == cause {
				known[response(k)] = k.Status/100 == 3 || k.Status/100 == 5
				for _, n := range k.Exchanges {
					known[n] = true
				}
			}
		}
	}
	return !slices.ContainsFunc(p.Finding.Cases, func(k verdict.Case) bool {
		return !known[response(k)] && slices.ContainsFunc(k.Exchanges, func(n int) bool { return !known[n] })
	})
}

// title is what the places that show a cause have in common: a wrong status with the requests that get it, or what the
// ledger says of the first requirement.
func title(all []Place) string {
	text, own, always := cmp.Or(all[0].broken.Title, all[0].Check.Title), Own(all), true
	var came, wanted, occasions []string
	for _, p := range own {
		for _, k := range p.wrong {
			came, wanted = spec.With(came, fmt.Sprint(k.Status)), spec.With(wanted, fmt.Sprint(k.Wanted[0]))
		}
		occasions, always = spec.With(occasions, p.broken.Occasion), always && p.Finding.Often == ""
	}
	if !slices.ContainsFunc(own, func(p Place) bool { return len(p.wrong) == 0 }) {
		text = fmt.Sprintf("%s instead of %s", strings.Join(came, " or "), strings.Join(wanted, " or "))
		if on := Operations(own...); len(on) == 1 {
			text += " from " + on[0]
		}
		if len(occasions) == 1 {
			text = strings.TrimSpace(text + " " + occasions[0])
		}
	}
	if !always {
		text += ", sometimes"
	}
	return text
}

func served(k verdict.Case) bool        { return k.Status/100 == 2 }
func sameStatus(a, b verdict.Case) bool { return a.Status == b.Status }
func same(a, b int) bool                { return a == b }

// pair reports whether one of some and one of others are related.
func pair[T any](some, others []T, are func(a, b T) bool) bool {
	return slices.ContainsFunc(some, func(a T) bool {
		return slices.ContainsFunc(others, func(b T) bool { return are(a, b) })
	})
}
