package clients

import (
	"fmt"

	"petconform/spec"
	"petconform/spec/verdict"
)

// mostLines is how many findings of a requirement are told while a run goes on.
const mostLines = 3

// Live tells what is new in the results of a run that goes on. The zero value has told nothing.
type Live struct{ told map[string]int }

// News returns lines about findings and inconclusive requirements that earlier results did not have.
func (l *Live) News(r verdict.Results) (lines []string) {
	if l.told == nil {
		l.told = map[string]int{}
	}
	for _, c := range r.Checks {
		id, all := c.Requirements[0], []string(nil)
		if c.Verdict == verdict.Inconclusive {
			all = append(all, fmt.Sprintf("? %s  %s", id, c.Reason))
		}
		sign := "✗"
		if q, _ := spec.TheLedger().Find(id); q.Level == spec.Should {
			sign = "!"
		}
		for _, f := range c.Findings {
			for _, one := range f.Cases {
				all = append(all, fmt.Sprintf("%s %s  request %d, %s: %s; expected %s",
					sign, id, one.Exchanges[0], f.Message, one.Actual, f.Expected))
			}
		}
		if len(all) > mostLines {
			all = append(all[:mostLines], fmt.Sprintf("  %s  the report has the further ones", id))
		}
		of := string(id) + string(c.Verdict)
		lines = append(lines, all[min(l.told[of], len(all)):]...)
		l.told[of] = max(l.told[of], len(all))
	}
	return lines
}
