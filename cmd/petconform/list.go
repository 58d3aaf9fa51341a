package main

import (
	"fmt"
	"slices"
	"strings"

	"petconform/conformance/clients"
	"petconform/conformance/judge"
	"petconform/conformance/plan"
	"petconform/spec"
	"petconform/spec/hint"
	"petconform/spec/reference/deviations"
	"petconform/spec/reference/freedoms"
)

type listCommand struct {
	What string `arg:"" optional:"" help:"What to list: requirements, checks (the default), rules; stacks, which have hints; deviations and freedoms of serve; or print the interface or openapi." enum:"checks,rules,requirements,deviations,freedoms,stacks,interface,openapi" default:"checks"`
}

func (c *listCommand) Run(a *app) error {
	switch c.What {
	case "interface":
		return spec.WriteMarkdown(a.out)
	case "openapi":
		_, err := a.out.Write(spec.OpenAPI)
		return err
	}
	var rows [][2]string
	for _, e := range entries() {
		if e.list == c.What {
			rows = append(rows, [2]string{e.id, e.row})
		}
	}
	a.out.Table(rows)
	return nil
}

type explainCommand struct {
	ID  string `arg:"" help:"Id of a requirement (LIST-5), check, rule, deviation or freedom."`
	For string `help:"Say what usually breaks the requirement in services with this framework or limiter, and what mends it; petconform list stacks names them." placeholder:"STACK"`
}

func (c *explainCommand) Run(a *app) error {
	if c.For != "" {
		return c.explainFor(a)
	}
	var known []string
	for _, e := range entries() {
		if len(e.about) > 0 && strings.EqualFold(e.id, c.ID) {
			for _, text := range e.about {
				a.out.Paragraph("", text)
			}
			for _, id := range e.proves {
				r, _ := spec.TheLedger().Find(id)
				a.out.Paragraph("", headOf(r))
				a.out.Paragraph("  ", r.Statement)
			}
			for _, id := range e.only {
				a.out.Paragraph("  ", "petconform check --only "+id)
			}
			return nil
		}
		known = append(known, e.id)
	}
	return usage("no requirement, check, rule, deviation or freedom is called %q; %s", c.ID,
		meant(c.ID, known, "petconform list names the checks; petconform list --help names the other lists"))
}

// meant suggests the known name that a misspelt one may have meant; without one it says something else.
func meant(name string, known []string, otherwise string) string {
	if near := spec.Nearest(name, known); len(near) > 0 {
		return "did you mean " + near[0] + "?"
	}
	return otherwise
}

// explainFor prints what usually breaks a requirement in services with a framework or limiter, or else its general
// hint.
func (c *explainCommand) explainFor(a *app) error {
	r, found := spec.TheLedger().Find(spec.ID(strings.ToUpper(c.ID)))
	if !found {
		return usage("--for is for a requirement, and %q is none; petconform list requirements names them", c.ID)
	}
	all := hint.Stacks()
	i := slices.IndexFunc(all, func(s hint.Stack) bool { return strings.EqualFold(s.For, c.For) || strings.EqualFold(s.Name, c.For) })
	if i < 0 {
		var known []string
		for _, s := range all {
			known = append(known, s.For)
		}
		return usage("no framework or limiter that is known is called %q; %s", c.For,
			meant(c.For, known, "known are "+spec.List(known)))
	}
	a.out.Paragraph("", headOf(r)+"\n"+r.Statement)
	rows := all[i].Breaking(r.ID)
	for _, row := range rows {
		a.out.Paragraph(all[i].Name+": ", fmt.Sprintf("usually %s. %s", row.Wrong, row.Mend))
	}
	if len(rows) == 0 {
		a.out.Paragraph("", fmt.Sprintf("Nothing of its own is known of %s here. %s", all[i].Name, r.Hint))
	}
	return nil
}

// entry is what list prints as a row and explain explains.
type entry struct {
	list, id, row string
	// about is what explain says of it, a paragraph each; of an entry without one it says nothing.
	about []string
	// proves are the requirements that it is about, and only the ids of the checks and rules that run for it.
	proves []spec.ID
	only   []string
}

// entries returns everything that list and explain know, list by list.
func entries() (all []entry) {
	proved := provedBy()
	for _, r := range slices.Concat(spec.TheLedger().Requirements, spec.TheLedger().Clients) {
		e := entry{list: "requirements", id: string(r.ID), row: fmt.Sprintf("%-6s  %s%s", r.Level, r.Statement, proving(proved[r.ID])),
			about: aboutRequirement(r)}
		if r.Proof != spec.ByClient { // no check selects one
			e.only = proved[r.ID]
		}
		all = append(all, e)
	}
	add := func(list, id, row, what string, proves ...spec.ID) {
		all = append(all, entry{list: list, id: id, row: row, about: []string{id + ": " + row, what}, proves: proves})
	}
	for _, c := range plan.All() {
		what := fmt.Sprintf("A check of %s.", c.Operation)
		if len(c.Needs) > 0 {
			what += " It also reads the exchanges of " + strings.Join(c.Needs, ", ") + "."
		}
		add("checks", c.ID, c.Title+proving(c.Requirements()), what, c.Requirements()...)
		all[len(all)-1].only = []string{c.ID}
	}
	for _, r := range judge.Rules() {
		add("rules", r.ID, r.Title+proving(r.Proves), "A rule. It reads every exchange of a run and sends nothing.", r.Proves...)
	}
	for _, d := range deviations.All() {
		broken, _ := spec.TheLedger().Find(d.Breaks[0])
		row := broken.Title + proving(d.Breaks)
		if d.Needs != deviations.Standard {
			row += ", needs " + string(d.Needs)
		}
		add("deviations", d.Name, row, "A deviation (fault) of the reference service. Effect on clients: "+d.Effect(), d.Breaks...)
	}
	for _, f := range slices.Concat(freedoms.All(), freedoms.AtRest()) {
		add("freedoms", f.Name, f.Says, "A freedom (lawful variant) of the reference service.")
	}
	for _, s := range hint.Stacks() {
		all = append(all, entry{list: "stacks", id: s.For, row: s.Name})
	}
	return all
}

// proving returns in brackets the requirements that a check or rule proves, or what proves a requirement, if any.
func proving[T ~string](ids []T) string {
	if len(ids) == 0 {
		return ""
	}
	return " (" + spec.Join(ids, " ") + ")"
}

// provedBy returns the ids of the checks and rules that prove each requirement.
func provedBy() map[spec.ID][]string {
	proved := map[spec.ID][]string{}
	for _, c := range plan.All() {
		for _, id := range c.Requirements() {
			proved[id] = append(proved[id], c.ID)
		}
	}
	for _, r := range append(judge.Rules(), clients.Rules()...) {
		for _, id := range r.Proves {
			proved[id] = append(proved[id], r.ID)
		}
	}
	return proved
}

var levels = map[spec.Level]string{spec.Must: "a must", spec.Should: "a should", spec.Open: "an open question"}

var proofs = map[spec.Proof]string{
	spec.ByCheck:   "A check sends requests for it:",
	spec.ByRule:    "A rule reads every exchange for it:",
	spec.ByNet:     "A rule compares every response with the OpenAPI document:",
	spec.ByLoad:    "A load run proves it: petconform load",
	spec.ByTwo:     "A comparison of two targets proves it: petconform diff STAGING PRODUCTION",
	spec.ByClient:  "The reference service judges a client for it: petconform client",
	spec.ByNothing: "It cannot be tested from outside.",
}

func headOf(r spec.Requirement) string {
	return fmt.Sprintf("%s, %s (%s)", r.ID, levels[r.Level], r.Clause)
}

func aboutRequirement(r spec.Requirement) []string {
	about := []string{headOf(r), r.Statement}
	add := func(label, text, end string) {
		if text != "" {
			about = append(about, label+text+end)
		}
	}
	add("Why: ", r.Why, "")
	add("Effect: ", r.Effect, "")
	add("Hint: ", r.Hint, "")
	var stacks []string
	for _, s := range hint.Stacks() {
		if len(s.Breaking(r.ID)) > 0 {
			stacks = append(stacks, s.For)
		}
	}
	add("There is more for: ", strings.Join(stacks, ", "), " (--for).")
	const day = "2 January 2006"
	if !r.Until.IsZero() {
		add("It applies before ", r.Until.Format(day), ".")
	}
	if !r.From.IsZero() {
		add("It applies from ", r.From.Format(day), " on.")
	}
	return append(about, strings.TrimSpace(proofs[r.Proof]+" "+r.Flag))
}
