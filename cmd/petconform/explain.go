package main

import (
	"fmt"
	"io"
	"strings"

	"petconform/conformance"
	"petconform/spec"
	"petconform/spec/reference"
	"petconform/spec/rules"
)

// explainCommand is petconform explain.
type explainCommand struct {
	ID string `arg:"" help:"A requirement (LIST-5), check, rule, deviation or freedom."`
}

// Run is petconform explain.
func (c *explainCommand) Run(std streams) error {
	var names []string
	for _, r := range spec.TheLedger().Requirements {
		if strings.EqualFold(string(r.ID), c.ID) {
			explainRequirement(std.out, r)
			return nil
		}
		names = append(names, string(r.ID))
	}
	for _, ch := range conformance.Checks() {
		if ch.ID == c.ID {
			explainCheck(std.out, ch)
			return nil
		}
		names = append(names, ch.ID)
	}
	for _, r := range rules.All() {
		if r.ID == c.ID {
			fmt.Fprintf(std.out, "%s: %s\nA rule: it reads every exchange of a run and sends nothing.\n", r.ID, r.Title)
			explainProved(std.out, r.Proves)
			return nil
		}
		names = append(names, r.ID)
	}
	for _, d := range reference.Deviations() {
		if d.Name == c.ID {
			fmt.Fprintf(std.out, "%s: a deviation of the reference service\n", d.Name)
			paragraph(std.out, "Effect on clients: ", d.Suffers)
			explainProved(std.out, d.Breaks)
			return nil
		}
		names = append(names, d.Name)
	}
	for _, f := range reference.Freedoms() {
		if f.Name == c.ID {
			fmt.Fprintf(std.out, "%s: a freedom of the reference service, lawful\n", f.Name)
			paragraph(std.out, "", f.Says)
			return nil
		}
		names = append(names, f.Name)
	}
	hint := "petconform list shows what there is"
	if near := conformance.Nearest(c.ID, names); near != "" {
		hint = "did you mean " + near + "?"
	}
	return usage("nothing is called %q; %s", c.ID, hint)
}

func explainRequirement(w io.Writer, r spec.Requirement) {
	fmt.Fprintf(w, "%s, a %s (%s)\n", r.ID, r.Level, r.Clause)
	paragraph(w, "", r.Statement)
	if r.Why != "" {
		paragraph(w, "Why: ", r.Why)
	}
	if r.Until != nil {
		fmt.Fprintf(w, "It binds until %s.\n", r.Until.Format("2 January 2006"))
	}
	if r.From != nil {
		fmt.Fprintf(w, "It binds from %s.\n", r.From.Format("2 January 2006"))
	}
	how := map[spec.Proof]string{spec.ByCheck: "a check sends for it", spec.ByRule: "a rule reads every exchange for it",
		spec.ByNet:  "a rule holds every response against the OpenAPI document",
		spec.ByLoad: "a load run", spec.ByNothing: "not from outside"}[r.Proof]
	fmt.Fprintf(w, "Proved by: %s\n", how)
	for _, id := range provedBy()[r.ID] {
		fmt.Fprintf(w, "  petconform check --only %s\n", id)
	}
}

func explainCheck(w io.Writer, c conformance.Check) {
	fmt.Fprintf(w, "%s: %s\nA check of %s: %d requests, %d of them create an animal.\n", c.ID, c.Title, c.Operation, c.Requests, c.Creates)
	if len(c.Needs) > 0 {
		paragraph(w, "It reads what these have sent: ", strings.Join(c.Needs, ", "))
	}
	explainProved(w, c.Requirements())
	fmt.Fprintf(w, "Run it: petconform check --only %s\n", c.ID)
}

func explainProved(w io.Writer, ids []spec.ID) {
	for _, id := range ids {
		r, _ := spec.TheLedger().Find(id)
		fmt.Fprintf(w, "%s, a %s (%s)\n", id, r.Level, r.Clause)
		paragraph(w, "  ", r.Statement)
	}
}
