package main

import (
	"strings"

	"petconform/conformance/drive"
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
