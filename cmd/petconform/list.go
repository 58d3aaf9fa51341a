package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"petconform/cmd/petconform/terminal"
	"petconform/conformance/clients"
	"petconform/conformance/judge"
	"petconform/conformance/plan"
	"petconform/spec"
	"petconform/spec/hint"
	"petconform/spec/reference/deviations"
	"petconform/spec/reference/freedoms"
)

type listCommand struct {
	What string `arg:"" optional:"" help:"What to list: requirements, checks (the default), rules, plans; stacks, which have hints; deviations and freedoms of serve; or print the interface, openapi or ledger." enum:"checks,rules,requirements,plans,deviations,freedoms,stacks,interface,openapi,ledger" default:"checks"`
}

func (c *listCommand) Run(a *app) error {
	switch c.What {
	case "interface":
		return spec.WriteMarkdown(a.out)
	case "openapi":
		_, err := a.out.Write(spec.OpenAPI)
		return err
	case "ledger":
		_, err := a.out.Write(spec.LedgerYAML)
		return err
	}
	var rows [][2]string
	for _, e := range entries() {
		if e.list == c.What {
			rows = append(rows, [2]string{e.id, e.row})
		}
	}
	terminal.Table(a.out, rows)
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
			e.explain(a.out)
			return nil
		}
		known = append(known, e.id)
	}
	hint := "petconform list names the checks; petconform list --help names the other lists"
	if near := spec.Nearest(c.ID, known); len(near) > 0 {
		hint = "did you mean " + near[0] + "?"
	}
	return usage("no requirement, check, rule, deviation or freedom is called %q; %s", c.ID, hint)
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
		return usage("nothing is known of the stack %q; petconform list stacks names those that are known", c.For)
	}
	terminal.Paragraph(a.out, "", headOf(r))
	terminal.Paragraph(a.out, "", r.Statement)
	rows := all[i].Breaking(r.ID)
	for _, row := range rows {
		terminal.Paragraph(a.out, all[i].Name+": ", fmt.Sprintf("usually %s. %s", row.Wrong, row.Mend))
	}
	if len(rows) == 0 {
		terminal.Paragraph(a.out, "", fmt.Sprintf("Nothing of its own is known of %s here. %s", all[i].Name, r.Hint))
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

// explain prints what is known of an entry.
func (e entry) explain(w io.Writer) {
	for _, text := range e.about {
		terminal.Paragraph(w, "", text)
	}
	for _, id := range e.proves {
		r, _ := spec.TheLedger().Find(id)
		terminal.Paragraph(w, "", headOf(r))
		terminal.Paragraph(w, "  ", r.Statement)
	}
	for _, id := range e.only {
		terminal.Command(w, "  ", "petconform check", "--only "+id)
	}
}

// entries returns everything that list and explain know, list by list.
func entries() (all []entry) {
	proved := provedBy()
	for _, r := range slices.Concat(spec.TheLedger().Requirements, spec.TheLedger().Clients) {
		e := entry{list: "requirements", id: string(r.ID), row: fmt.Sprintf("%-6s  %s%s", r.Level, r.Statement, proving(strings.Join(proved[r.ID], " "))),
			about: aboutRequirement(r)}
		if r.Proof != spec.ByClient { // no check selects one
			e.only = proved[r.ID]
		}
		all = append(all, e)
	}
	for _, c := range plan.All() {
		about := fmt.Sprintf("A check of %s. It sends %s.", c.Operation, requestsOf(c))
		if len(c.Needs) > 0 {
			about += " It also reads the exchanges of " + strings.Join(c.Needs, ", ") + "."
		}
		all = append(all, entry{"checks", c.ID, c.Title + proving(spec.Join(c.Requirements(), " ")) + ", " + requestsOf(c),
			[]string{c.ID + ": " + c.Title, about}, c.Requirements(), []string{c.ID}})
	}
	for _, r := range judge.Rules() {
		all = append(all, entry{"rules", r.ID, r.Title + proving(spec.Join(r.Proves, " ")),
			[]string{r.ID + ": " + r.Title, "A rule. It reads every exchange of a run and sends nothing."}, r.Proves, nil})
	}
	for _, p := range spec.Plans() {
		all = append(all, entry{list: "plans", id: p.Name, row: figure(p.PerMinute, "a minute") + "  " + figure(p.PerDay, "a day")})
	}
	for _, d := range deviations.All() {
		broken, _ := spec.TheLedger().Find(d.Breaks[0])
		row := broken.Title + proving(spec.Join(d.Breaks, " "))
		if d.Needs != deviations.Standard {
			row += ", needs " + string(d.Needs)
		}
		all = append(all, entry{"deviations", d.Name, row,
			[]string{d.Name + ": a deviation (fault) of the reference service", "Effect on clients: " + d.Effect()}, d.Breaks, nil})
	}
	for _, f := range slices.Concat(freedoms.All(), freedoms.AtRest()) {
		all = append(all, entry{list: "freedoms", id: f.Name, row: f.Says,
			about: []string{f.Name + ": a freedom (lawful variant) of the reference service", f.Says}})
	}
	for _, s := range hint.Stacks() {
		all = append(all, entry{list: "stacks", id: s.For, row: s.Name})
	}
	return all
}

// proving returns in brackets the requirements that a check or rule proves, or what proves a requirement, if any.
func proving(ids string) string {
	if ids == "" {
		return ""
	}
	return " (" + ids + ")"
}

func figure(n int64, per string) string {
	if n == 0 {
		return "custom"
	}
	return spec.Number(n) + " " + per
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
	for _, part := range [][2]string{{"Why: ", r.Why}, {"Effect: ", r.Effect}, {"Hint: ", r.Hint}} {
		if part[1] != "" {
			about = append(about, part[0]+part[1])
		}
	}
	var stacks []string
	for _, s := range hint.Stacks() {
		if len(s.Breaking(r.ID)) > 0 {
			stacks = append(stacks, s.For)
		}
	}
	if len(stacks) > 0 {
		about = append(about, "There is more for: "+strings.Join(stacks, ", ")+" (--for).")
	}
	if !r.Until.IsZero() {
		about = append(about, "It applies before "+r.Until.Format("2 January 2006")+".")
	}
	if !r.From.IsZero() {
		about = append(about, "It applies from "+r.From.Format("2 January 2006")+" on.")
	}
	return append(about, strings.TrimSpace(proofs[r.Proof]+" "+r.Flag))
}

// requestsOf is how many requests a check sends by itself.
func requestsOf(c plan.Check) string {
	quick, _ := plan.Count([]plan.Check{c}, false)
	full, _ := plan.Count([]plan.Check{c}, true)
	switch {
	case c.More != nil:
		return "as many requests as the store needs"
	case quick < full:
		return fmt.Sprintf("%s, %d in a full run", spec.Count(quick, "request"), full)
	}
	return spec.Count(full, "request")
}
