// Package cause groups the failures of a run by what has to be fixed. One change of the service fixes all failures of a
// cause: the same wrong status on every operation, a header that every response lacks, or a body that is not validated.
package cause

import (
	"cmp"
	"slices"
	"strings"

	"petconform/spec"
	"petconform/spec/hint"
	"petconform/spec/verdict"
)

// Cause is a fault that one change of the service would fix, with every place where it shows.
type Cause struct {
	// Title says in a few words what is wrong: "403 instead of 401".
	Title string
	// Requirements are the broken ones, in the order of the ledger. Requirements that break as a consequence of others
	// come last.
	Requirements []spec.ID
	Places       []Place
	// Hides lists the checks and rules that are inconclusive because of the cause. They may find more when it is fixed.
	Hides []string
	// several says that the places need different mends.
	several bool
}

// Place is a check or rule that shows a cause, with the cases of its finding that belong to the cause.
type Place struct {
	Check   verdict.Check
	Finding verdict.Finding
	follows bool
}

// Alone is the check with the finding of the place only.
func (p Place) Alone() verdict.Check {
	c := p.Check
	c.Findings = []verdict.Finding{p.Finding}
	return c
}

// Again are the checks to run again when the cause is mended: those that show it and not a consequence of it.
func (c Cause) Again() []verdict.Check {
	all := []verdict.Check{c.Places[0].Alone()}
	for _, p := range c.Places[1:] {
		if !p.follows {
			all = append(all, p.Alone())
		}
	}
	return all
}

// Hints are the hints of the cause's findings. One that follows from another has none of its own; accepted bodies have
// one for each requirement, since each needs a test of its own.
func (c Cause) Hints() []string {
	var all []string
	for i, p := range c.Places {
		own := i == 0 || c.several && !p.follows
		if h := p.Finding.Hint; own && h != "" && len(all) < mostHints && !slices.Contains(all, h) {
			all = append(all, h)
		}
	}
	return all
}

// mostHints is how many hints a cause has at most.
const mostHints = 3

// Operations are the operations that the place shows the cause on.
func (p Place) Operations() []spec.Operation {
	var all []spec.Operation
	for _, c := range p.Finding.Cases {
		if c.Operation != "" && !slices.Contains(all, c.Operation) {
			all = append(all, c.Operation)
		}
	}
	return all
}

// Checks are the ids of the checks and rules that show the cause.
func (c Cause) Checks() []string {
	var ids []string
	known := map[string]bool{}
	for _, p := range c.Places {
		if id := p.Check.ID; !known[id] {
			known[id] = true
			ids = append(ids, id)
		}
	}
	return ids
}

// Shows reports whether a check or rule shows the cause.
func (c Cause) Shows(check string) bool {
	return slices.ContainsFunc(c.Places, func(p Place) bool { return p.Check.ID == check })
}

// Of returns the causes of the failures that make a run deviate. Those that leave the most checks inconclusive come
// first, then those that the most checks show.
func Of(res verdict.Results) []Cause {
	var all []sight
	for _, c := range res.Checks {
		if c.Verdict != verdict.Failed || !res.Breaks(c) {
			continue
		}
		for _, f := range findings(c) {
			if res.Counts(f.Requirement) {
				all = append(all, sights(c, f)...)
			}
		}
	}
	var out []Cause
	for _, group := range grouped(all) {
		out = append(out, causeOf(res, group))
	}
	slices.SortStableFunc(out, func(a, b Cause) int {
		return cmp.Or(cmp.Compare(len(b.Hides), len(a.Hides)), cmp.Compare(len(b.Places), len(a.Places)),
			cmp.Compare(spec.TheLedger().Place(a.Requirements[0]), spec.TheLedger().Place(b.Requirements[0])))
	})
	return out
}

// OfCheck returns what a check has found, whatever its cause.
func OfCheck(c verdict.Check) Cause {
	one := Cause{Title: c.Title}
	for _, f := range findings(c) {
		one.add(sight{check: c, finding: f, cases: f.Cases}, nil)
	}
	return one
}

// findings are those of a check, one at least. A failed check without any breaks every requirement that it proves.
func findings(c verdict.Check) []verdict.Finding {
	if len(c.Findings) > 0 {
		return c.Findings
	}
	var all []verdict.Finding
	for _, id := range c.Requirements {
		all = append(all, verdict.Finding{Requirement: id, Message: c.Reason})
	}
	if len(all) == 0 {
		all = []verdict.Finding{{Message: c.Reason}}
	}
	return all
}

// causeOf makes a cause of the sights that share a kind.
func causeOf(res verdict.Results, group []sight) Cause {
	var c Cause
	slices.SortStableFunc(group, func(a, b sight) int {
		if a.follows != b.follows {
			return map[bool]int{false: -1, true: 1}[a.follows]
		}
		return cmp.Compare(spec.TheLedger().Place(a.requirement()), spec.TheLedger().Place(b.requirement()))
	})
	for _, s := range group {
		c.add(s, res.Target.Stack)
	}
	// A key that is not checked at all is one mend, which AUTH-2 names first; one that is compared wrongly is one for
	// each way.
	c.Title, c.several = title(group), group[0].kind == taken || group[0].kind == letIn && group[0].requirement() != "AUTH-2"
	operations := operationsOf(group)
	for _, other := range res.Checks {
		because := slices.ContainsFunc(other.Because, func(id spec.ID) bool { return slices.Contains(c.Requirements, id) })
		if other.Verdict == verdict.Inconclusive && because &&
			(other.Operation == "" || len(operations) == 0 || slices.Contains(operations, other.Operation)) {
			c.Hides = append(c.Hides, other.ID)
		}
	}
	return c
}

// add puts a sight, of a service with the stack, beside those of the same finding.
func (c *Cause) add(s sight, stack *hint.Sign) {
	if !slices.Contains(c.Requirements, s.requirement()) {
		c.Requirements = append(c.Requirements, s.requirement())
	}
	for i, p := range c.Places {
		if p.Check.ID == s.check.ID && p.Finding.Requirement == s.requirement() {
			c.Places[i].Finding.Cases = append(slices.Clip(p.Finding.Cases), s.cases...)
			return
		}
	}
	f := s.finding
	f.Cases = s.cases
	if len(s.cases) > 0 && len(s.cases[0].Exchanges) > 0 && !shows(s.cases, f.Exchange) {
		f.Exchange, f.Actual = s.cases[0].Exchanges[0], s.cases[0].Actual // the finding tells a case of another cause
		f.Hint = hint.Of(f.Requirement, f.Message, f.Expected, f.Actual, stack)
		f.Message = strings.TrimSuffix("a response to "+string(s.cases[0].Operation), " to ")
	}
	c.Places = append(c.Places, Place{s.check, f, s.follows})
}

func shows(cases []verdict.Case, exchange int) bool {
	return slices.ContainsFunc(cases, func(c verdict.Case) bool { return slices.Contains(c.Exchanges, exchange) })
}
