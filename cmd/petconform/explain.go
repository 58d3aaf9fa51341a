package main

import (
	"fmt"
	"io"
	"strings"

	"petconform/cmd/petconform/terminal"
	"petconform/conformance/check"
	"petconform/conformance/drive"
	"petconform/spec"
	"petconform/spec/reference"
	"petconform/spec/rules"
)

// explainCommand is petconform explain.
type explainCommand struct {
	ID string `arg:"" help:"Id of a requirement (LIST-5), check, rule, deviation or freedom." predictor:"id"`
}

// Run is petconform explain.
func (c *explainCommand) Run(std streams) error {
	for _, e := range entries() {
		if e.explain != nil && strings.EqualFold(e.id, c.ID) {
			e.explain(std.out)
			return nil
		}
	}
	hint := "petconform list names the checks; petconform list --help names the other lists"
	if near := drive.Nearest(c.ID, idsIn("requirements", "clients", "checks", "rules", "deviations", "freedoms")); near != "" {
		hint = "did you mean " + near + "?"
	}
	return usage("no requirement, check, rule, deviation or freedom is called %q; %s", c.ID, hint)
}

var levels = map[spec.Level]string{spec.Must: "a must", spec.Should: "a should", spec.Open: "an open question"}

var proofs = map[spec.Proof]string{
	spec.ByCheck:   "A check sends requests for it:",
	spec.ByRule:    "A rule reads every exchange for it:",
	spec.ByNet:     "A rule compares every response with the OpenAPI document:",
	spec.ByLoad:    "A load run proves it: petconform load",
	spec.ByTwo:     "A comparison with a second target proves it: petconform check --target A --against B",
	spec.ByClient:  "The reference service judges a client for it: petconform client",
	spec.ByNothing: "It cannot be tested from outside.",
}

func explainRequirement(w io.Writer, r spec.Requirement) {
	fmt.Fprintf(w, "%s, %s (%s)\n", r.ID, levels[r.Level], r.Clause)
	terminal.Paragraph(w, "", r.Statement)
	if r.Why != "" {
		terminal.Paragraph(w, "Why: ", r.Why)
	}
	if r.Until != nil {
		fmt.Fprintf(w, "It applies before %s.\n", r.Until.Format("2 January 2006"))
	}
	if r.From != nil {
		fmt.Fprintf(w, "It applies from %s on.\n", r.From.Format("2 January 2006"))
	}
	fmt.Fprintln(w, proofs[r.Proof])
	if r.Proof == spec.ByClient {
		return
	}
	for _, id := range provedBy()[r.ID] {
		fmt.Fprintf(w, "  petconform check --only %s\n", id)
	}
}

func explainCheck(w io.Writer, c check.Check) {
	creates := "creates no animal"
	switch {
	case c.Animals > 0:
		creates = fmt.Sprintf("creates the animals that are missing to %d", c.Animals)
	case c.Creates > 0:
		creates = "creates " + spec.Count(c.Creates, "animal")
	}
	fmt.Fprintf(w, "%s: %s\nA check of %s. It sends %s and %s.\n", c.ID, c.Title, c.Operation, requestsOf(c), creates)
	if len(c.Needs) > 0 {
		terminal.Paragraph(w, "It also reads the exchanges of: ", strings.Join(c.Needs, ", "))
	}
	explainProved(w, c.Requirements())
	fmt.Fprintf(w, "To run it: petconform check --only %s\n", c.ID)
}

func explainRule(w io.Writer, r rules.Rule) {
	fmt.Fprintf(w, "%s: %s\nA rule. It reads every exchange of a run and sends nothing.\n", r.ID, r.Title)
	explainProved(w, r.Proves)
}

func explainDeviation(w io.Writer, d reference.Deviation) {
	fmt.Fprintf(w, "%s: a deviation (fault) of the reference service\n", d.Name)
	terminal.Paragraph(w, "Effect on clients: ", d.Suffers)
	explainProved(w, d.Breaks)
}

func explainFreedom(w io.Writer, f reference.Freedom) {
	fmt.Fprintf(w, "%s: a freedom (lawful variant) of the reference service\n", f.Name)
	terminal.Paragraph(w, "", f.Says)
}

// requestsOf is how many requests a check sends by itself.
func requestsOf(c check.Check) string {
	if c.Animals > 0 {
		return fmt.Sprintf("0 to %d requests", c.Animals)
	}
	return spec.Count(c.Requests, "request")
}

func explainProved(w io.Writer, ids []spec.ID) {
	for _, id := range ids {
		r, _ := spec.TheLedger().Find(id)
		fmt.Fprintf(w, "%s, %s (%s)\n", id, levels[r.Level], r.Clause)
		terminal.Paragraph(w, "  ", r.Statement)
	}
}
