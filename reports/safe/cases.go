package safe

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"petconform/spec"
	"petconform/spec/verdict"
)

// Bounds of the cases that are listed; results.json has all.
const (
	casesShown = 10
	caseShown  = 120
	namesShown = 200
)

// moments are seconds since 1970: the same fault shows with another one in each response.
var moments = regexp.MustCompile(`\b\d{10}\b`)

// Cases describes the cases of a finding, a line for those that are alike: the name of the request, or the operation,
// what was received, and the names of the others. Cases are alike if what was received differs at most in its JSON or
// in a moment.
func Cases(f verdict.Finding) []string {
	var lines, kinds []string
	like, names := map[string]int{}, map[string][]string{}
	for _, c := range f.Cases {
		name := cmp.Or(c.Name, string(c.Operation))
		kind, _, _ := strings.Cut(c.Actual, "{")
		if kind = moments.ReplaceAllString(strings.TrimSpace(kind), ""); kind != "" && slices.Contains(kinds, kind) {
			like[kind]++
			if !slices.Contains(names[kind], name) { // a rule has many cases of one operation
				names[kind] = append(names[kind], name)
			}
			continue
		}
		line := fmt.Sprintf("%s: %s", name, Clip(Line(c.Actual), caseShown))
		if n := len(c.Exchanges); n > 1 {
			line += fmt.Sprintf(" (%s)", spec.Count(n, "exchange"))
		}
		lines, kinds = append(lines, line), append(kinds, kind)
	}
	for i, kind := range kinds {
		if n := like[kind]; n > 0 && kind != "" {
			lines[i] += fmt.Sprintf("; and %s like it: %s", spec.Number(n), Clip(Line(strings.Join(names[kind], ", ")), namesShown))
		}
	}
	if more := len(lines) - casesShown; more > 0 {
		return append(lines[:casesShown], fmt.Sprintf("… %s more, in results.json", spec.Number(more)))
	}
	return lines
}
