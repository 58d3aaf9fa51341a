package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"petconform/cmd/petconform/terminal"
	"petconform/conformance"
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
	t, out := &terminal.Table{}, std.out
	switch c.What {
	case "interface":
		return spec.WriteMarkdown(out)
	case "openapi":
		_, err := out.Write(spec.OpenAPI)
		return err
	case "ledger":
		_, err := out.Write(spec.LedgerYAML)
		return err
	case "proof":
		return listProof(ctx, out)
	case "rules":
		for _, r := range rules.All() {
			t.Row(r.ID, r.Title+proving(r.Proves))
		}
	case "requirements":
		proved := provedBy()
		for _, r := range slices.Concat(spec.TheLedger().Requirements, spec.TheLedger().Clients) {
			t.Row(string(r.ID), string(r.Level), fmt.Sprintf("%-5s", string(r.Proof)), strings.Join(proved[r.ID], " "))
		}
	case "plans":
		for _, p := range spec.Plans() {
			t.Row(p.Name, figure(p.PerMinute, "a minute"), figure(p.PerDay, "a day"))
		}
	case "deviations":
		for _, d := range reference.Deviations() {
			t.Row(d.Name, join(d.Breaks), string(d.Needs))
		}
	case "freedoms":
		for _, f := range slices.Concat(reference.Freedoms(), reference.FreedomsAtRest()) {
			t.Row(f.Name, f.Says)
		}
	default:
		for _, ch := range conformance.Checks() {
			t.Row(ch.ID, requestsOf(ch), ch.Title+proving(ch.Requirements()))
		}
	}
	return t.Write(out)
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
	for _, c := range conformance.Checks() {
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
