package clients

import (
	"fmt"

	"petconform/spec"
	"petconform/spec/verdict"
)

// mostLines is how many lines a requirement gets while a run goes on.
const mostLines = 3

// Live tells what is new in the results of a run that goes on.
type Live struct {
	printed map[spec.ID]int
	unsure  map[spec.ID]bool
}

// News returns lines about findings and inconclusive requirements that earlier results did not have.
func (l *Live) News(r verdict.Results) []string {
	if l.printed == nil {
		l.printed, l.unsure = map[spec.ID]int{}, map[spec.ID]bool{}
	}
	var lines []string
	for _, c := range r.Checks {
		id := c.Requirements[0]
		if c.Verdict == verdict.Inconclusive && !l.unsure[id] {
			l.unsure[id] = true
			lines = append(lines, fmt.Sprintf("? %s  %s", id, c.Reason))
		}
		for _, f := range c.Findings {
			for l.printed[id] < min(mostLines, len(f.Cases)) {
				one := f.Cases[l.printed[id]]
				l.printed[id]++
				lines = append(lines, fmt.Sprintf("%s %s  request %d, %s: %s; expected %s", sign(id), id, one.Exchanges[0], f.Message, one.Actual, f.Expected))
				if l.printed[id] == mostLines {
					lines = append(lines, fmt.Sprintf("  %s  the report has the further ones", id))
				}
			}
		}
	}
	return lines
}

// sign returns the sign of a broken must, or that of a warning for a broken should.
func sign(id spec.ID) string {
	if q, _ := spec.TheLedger().Find(id); q.Level == spec.Should {
		return "!"
	}
	return "✗"
}
