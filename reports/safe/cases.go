package safe

import (
	"fmt"

	"petconform/spec"
	"petconform/spec/verdict"
)

// Bounds of the cases that are listed; results.json has all.
const (
	casesShown = 20
	caseShown  = 60
)

// Cases describes each case of a finding in a line: the name of the request, or the operation, and what was received.
func Cases(f verdict.Finding) []string {
	var lines []string
	for _, c := range f.Cases {
		what := c.Name
		if what == "" {
			what = string(c.Operation)
		}
		line := fmt.Sprintf("%s: %s", what, Clip(Line(c.Actual), caseShown))
		if n := len(c.Exchanges); n > 1 {
			line += fmt.Sprintf(" (%s)", spec.Count(n, "response"))
		}
		if len(lines) == casesShown {
			return append(lines, fmt.Sprintf("… %s more, in results.json", spec.Number(len(f.Cases)-casesShown)))
		}
		lines = append(lines, line)
	}
	return lines
}
