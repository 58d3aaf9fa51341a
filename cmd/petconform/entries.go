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
