package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"petconform/cmd/petconform/terminal"
	"petconform/conformance/checks"
	"petconform/conformance/clients"
	"petconform/spec"
	"petconform/spec/reference"
	"petconform/spec/rules"
)

// listCommand is petconform list.
type listCommand struct {
	What string `arg:"" optional:"" help:"What to list: checks, rules, requirements, plans, deviations, freedoms, interface, openapi, ledger or proof." enum:"checks,rules,requirements,plans,deviations,freedoms,interface,openapi,ledger,proof" default:"checks"`
}

// Run is petconform list.
func (c *listCommand) Run(ctx context.Context, std streams) error {
	switch c.What {
	case "interface":
		return spec.WriteMarkdown(std.out)
	case "openapi":
		_, err := std.out.Write(spec.OpenAPI)
		return err
	case "ledger":
		_, err := std.out.Write(spec.LedgerYAML)
		return err
	case "proof":
		return listProof(ctx, std.out)
	}
	t := &terminal.Table{}
	lists := []string{c.What}
	if c.What == "requirements" {
		lists = append(lists, "clients")
	}
	for _, e := range entries(lists...) {
		t.Row(append([]string{e.id}, e.cells...)...)
	}
	return t.Write(std.out)
}

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
		add(list, string(r.ID), func(w io.Writer) { explainRequirement(w, r) }, string(r.Level), fmt.Sprintf("%-5s", r.Proof), strings.Join(proved[r.ID], " "))
	}
	for _, c := range checks.All() {
		add("checks", c.ID, func(w io.Writer) { explainCheck(w, c) }, requestsOf(c), c.Title+proving(c.Requirements()))
	}
	for _, r := range rules.All() {
		add("rules", r.ID, func(w io.Writer) { explainRule(w, r) }, r.Title+proving(r.Proves))
	}
	for _, p := range spec.Plans() {
		add("plans", p.Name, nil, figure(p.PerMinute, "a minute"), figure(p.PerDay, "a day"))
	}
	for _, d := range reference.Deviations() {
		add("deviations", d.Name, func(w io.Writer) { explainDeviation(w, d) }, join(d.Breaks), string(d.Needs))
	}
	for _, f := range slices.Concat(reference.Freedoms(), reference.FreedomsAtRest()) {
		add("freedoms", f.Name, func(w io.Writer) { explainFreedom(w, f) }, f.Says)
	}
	return all
}

// idsIn returns the ids of some lists.
func idsIn(lists ...string) []string {
	var ids []string
	for _, e := range entries(lists...) {
		ids = append(ids, e.id)
	}
	return ids
}

// proving returns the requirements that a check or rule proves, if any.
func proving(ids []spec.ID) string {
	if len(ids) == 0 {
		return ""
	}
	return " (" + join(ids) + ")"
}

func join(ids []spec.ID) string {
	words := make([]string, len(ids))
	for i, id := range ids {
		words[i] = string(id)
	}
	return strings.Join(words, " ")
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
	for _, c := range checks.All() {
		for _, id := range c.Requirements() {
			proved[id] = append(proved[id], c.ID)
		}
	}
	for _, r := range rules.All() {
		for _, id := range r.Proves {
			proved[id] = append(proved[id], r.ID)
		}
	}
	for id, proves := range clients.Proved() {
		proved[proves] = append(proved[proves], id)
	}
	return proved
}
