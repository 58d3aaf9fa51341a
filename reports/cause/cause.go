// Package cause groups the failures of a run by what has to be fixed. Failures have one cause if they break the same
// requirement or show the same wrong status, if by the ledger one follows from the other or repeats it, or if one shows
// in the responses with a wrong status alone. A failure that shows something else as well is a cause of its own.
package cause

import (
	"cmp"
	"fmt"
	"maps"
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
	Check       verdict.Check
	Finding     verdict.Finding
	broken      spec.Requirement
	wrong       []verdict.Case // the cases that are about a wrong status
	follows, at int            // 1 if the place shows a consequence of its cause, and its position among all places
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
	for i, p := range all {
		p.at = i
		groups = append(groups, []Place{p})
	}
	for kind, joins := range []func(some, others, all []Place) bool{alike, follow} {
		for i := 0; i < len(groups); i++ {
			joined := func(g []Place) bool { return &g[0] != &groups[i][0] && joins(groups[i], g, all) }
			if of := slices.IndexFunc(groups, joined); of >= 0 {
				for _, p := range groups[i] {
					p.follows = kind
					groups[of] = append(groups[of], p)
				}
				groups, i = slices.Delete(groups, i, i+1), -1 // what is larger now may join another one
			}
		}
	}
	for _, g := range groups {
		slices.SortFunc(g, func(a, b Place) int { return cmp.Or(a.follows-b.follows, a.number()-b.number(), a.at-b.at) })
	}
	return groups
}

// alike reports whether some places break a requirement that others break, or show the same wrong status instead of the
// same one, from the same operation. A redirect is one fault, whatever was asked for.
func alike(some, others, _ []Place) bool {
	return pair(some, others, func(p, q Place) bool {
		return p.Finding.Requirement == q.Finding.Requirement || pair(p.wrong, q.wrong, func(a, b verdict.Case) bool {
			return a.Status == b.Status && (a.Status/100 == 3 || a.Wanted[0] == b.Wanted[0] && a.Operation == b.Operation)
		})
	})
}

// follow reports whether all that some places show is a consequence of a cause. A place is one by the ledger, if the cause
// has the same wrong status, or both have none; by the ledger, if it repeats the cause; or if it shows in the responses
// with a wrong status alone.
func follow(some, cause, all []Place) bool {
	return !slices.ContainsFunc(Own(some), func(p Place) bool {
		return !slices.ContainsFunc(cause, func(q Place) bool {
			broken, id := p.broken, q.Finding.Requirement
			return slices.Contains(broken.Follows, id) && (len(p.wrong)+len(q.wrong) == 0 || pair(p.wrong, q.wrong, sameStatus)) ||
				slices.Contains(broken.Repeats, id) && repeats(p, q, sameResponse) ||
				slices.Contains(broken.Carries, id) && repeats(p, q, sameActual) ||
				len(p.wrong) == 0 && pair(p.Finding.Cases, q.wrong, sameResponse) && only(p, all)
		})
	})
}

// repeats reports whether all that a place shows is something that it shows in a case like one of q.
func repeats(p, q Place, like func(a, b verdict.Case) bool) bool {
	known := map[string]bool{}
	for _, k := range p.Finding.Cases {
		known[k.Actual] = known[k.Actual] || pair([]verdict.Case{k}, q.Finding.Cases, like)
	}
	return len(known) > 0 && !slices.Contains(slices.Collect(maps.Values(known)), false)
}

// only reports whether a place shows in responses with a wrong status alone, or in others like them if these are redirects
// or server errors, which are never right. A success that is another one, 200 instead of 201, owes what that owes.
func only(p Place, all []Place) bool {
	return !slices.ContainsFunc(p.Finding.Cases, func(k verdict.Case) bool {
		return slices.ContainsFunc(k.Exchanges, func(n int) bool {
			return !slices.ContainsFunc(all, func(q Place) bool {
				return slices.ContainsFunc(q.wrong, func(w verdict.Case) bool {
					return slices.Contains(w.Exchanges, n) && (w.Status/100 != 2 || w.Wanted[0]/100 != 2) ||
						slices.Contains([]int{3, 5}, w.Status/100) && w.Status == k.Status && w.Operation == k.Operation
				})
			})
		})
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

func same(a, b int) bool                  { return a == b }
func sameStatus(a, b verdict.Case) bool   { return a.Status == b.Status }
func sameActual(a, b verdict.Case) bool   { return a.Actual == b.Actual }
func sameResponse(a, b verdict.Case) bool { return pair(a.Exchanges, b.Exchanges, same) }

// pair reports whether one of some and one of others are related.
func pair[T any](some, others []T, are func(a, b T) bool) bool {
	return slices.ContainsFunc(some, func(a T) bool {
		return slices.ContainsFunc(others, func(b T) bool { return are(a, b) })
	})
}
