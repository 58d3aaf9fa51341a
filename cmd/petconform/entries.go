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
	"petconform/spec/rules"
)

// entry is what list prints as a row, explain explains and a shell completes.
type entry struct {
	list, id string
	// cells follow the id in the list.
	cells   []string
	explain func(io.Writer)
}

// entries returns those of some lists, or of all.
func entries(lists ...string) []entry {
	var all []entry
	add := func(list, id string, explain func(io.Writer), cells ...string) {
		if len(lists) == 0 || slices.Contains(lists, list) {
			all = append(all, entry{list, id, cells, explain})
		}
	}
	proved := provedBy()
	for _, r := range slices.Concat(spec.TheLedger().Requirements, spec.TheLedger().Clients) {
		list := "requirements"
		if r.Proof == spec.ByClient { // no check selects one
			list = "clients"
		}
		add(list, string(r.ID), func(w io.Writer) { explainRequirement(w, r) }, string(r.Level),
			r.Statement+proving(strings.Join(proved[r.ID], " ")))
	}
	for _, c := range plan.All() {
		add("checks", c.ID, func(w io.Writer) { explainCheck(w, c) },
			c.Title+proving(spec.Join(c.Requirements(), " "))+", "+requestsOf(c))
	}
	for _, r := range judge.Rules() {
		add("rules", r.ID, func(w io.Writer) { explainRule(w, r) }, r.Title+proving(spec.Join(r.Proves, " ")))
	}
	for _, p := range spec.Plans() {
		add("plans", p.Name, nil, figure(p.PerMinute, "a minute"), figure(p.PerDay, "a day"))
	}
	for _, d := range deviations.All() {
		broken, _ := spec.TheLedger().Find(d.Breaks[0])
		says := broken.Title + proving(spec.Join(d.Breaks, " "))
		if d.Needs != deviations.Standard {
			says += ", needs " + string(d.Needs)
		}
		add("deviations", d.Name, func(w io.Writer) { explainDeviation(w, d) }, says)
	}
	for _, f := range slices.Concat(freedoms.All(), freedoms.AtRest()) {
		add("freedoms", f.Name, func(w io.Writer) { explainFreedom(w, f) }, f.Says)
	}
	for _, s := range hint.Stacks() {
		add("stacks", s.For, nil, s.Name)
	}
	return all
}

func idsIn(lists ...string) []string {
	var ids []string
	for _, e := range entries(lists...) {
		ids = append(ids, e.id)
	}
	return ids
}

// proving returns the requirements that a check or rule proves, or what proves a requirement, if any.
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

func explainRequirement(w io.Writer, r spec.Requirement) {
	terminal.Sentence(w, "%s, %s (%s)", r.ID, levels[r.Level], r.Clause)
	terminal.Paragraph(w, "", r.Statement)
	if r.Why != "" {
		terminal.Paragraph(w, "Why: ", r.Why)
	}
	if r.Effect != "" {
		terminal.Paragraph(w, "Effect: ", r.Effect)
	}
	if r.Hint != "" {
		terminal.Paragraph(w, "Hint: ", r.Hint)
	}
	if words := stacksBreaking(r.ID); len(words) > 0 {
		terminal.Paragraph(w, "", "There is more for: "+strings.Join(words, ", ")+" (--for).")
	}
	if r.Until != nil {
		fmt.Fprintf(w, "It applies before %s.\n", r.Until.Format("2 January 2006"))
	}
	if r.From != nil {
		fmt.Fprintf(w, "It applies from %s on.\n", r.From.Format("2 January 2006"))
	}
	terminal.Sentence(w, "%s", strings.TrimSpace(proofs[r.Proof]+" "+r.Flag))
	if r.Proof == spec.ByClient {
		return
	}
	for _, id := range provedBy()[r.ID] {
		terminal.Command(w, "  ", "petconform check", "--only "+id)
	}
}

// stacksBreaking returns the words of the stacks with hints for a requirement.
func stacksBreaking(id spec.ID) []string {
	var words []string
	for _, s := range hint.Stacks() {
		if len(s.Breaking(id)) > 0 {
			words = append(words, s.For)
		}
	}
	return words
}

func explainCheck(w io.Writer, c plan.Check) {
	terminal.Sentence(w, "%s: %s", c.ID, c.Title)
	terminal.Sentence(w, "A check of %s. It sends %s.", c.Operation, requestsOf(c)+creating(c))
	if len(c.Needs) > 0 {
		terminal.Paragraph(w, "It also reads the exchanges of: ", strings.Join(c.Needs, ", "))
	}
	explainProved(w, c.Requirements())
	terminal.Command(w, "To run it: ", "petconform check", "--only "+c.ID)
}

func explainRule(w io.Writer, r rules.Rule) {
	terminal.Sentence(w, "%s: %s", r.ID, r.Title)
	terminal.Sentence(w, "A rule. It reads every exchange of a run and sends nothing.")
	explainProved(w, r.Proves)
}

func explainDeviation(w io.Writer, d deviations.Deviation) {
	terminal.Sentence(w, "%s: a deviation (fault) of the reference service", d.Name)
	terminal.Paragraph(w, "Effect on clients: ", d.Effect())
	explainProved(w, d.Breaks)
}

func explainFreedom(w io.Writer, f freedoms.Freedom) {
	terminal.Sentence(w, "%s: a freedom (lawful variant) of the reference service", f.Name)
	terminal.Paragraph(w, "", f.Says)
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

// creating is how many animals the requests of a check create.
func creating(c plan.Check) string {
	_, creates := plan.Count([]plan.Check{c}, true)
	switch {
	case creates == 0:
		return ""
	case c.More != nil:
		return ", and each creates an animal"
	}
	return ", which create at most " + spec.Count(creates, "animal")
}

func explainProved(w io.Writer, ids []spec.ID) {
	for _, id := range ids {
		r, _ := spec.TheLedger().Find(id)
		terminal.Sentence(w, "%s, %s (%s)", id, levels[r.Level], r.Clause)
		terminal.Paragraph(w, "  ", r.Statement)
	}
}
