package rules

import (
	"petconform/spec/history"
	"petconform/spec/verdict"
)

// Variants judges histories that differ from a base history in a few exchanges. The reading of a rule depends on one exchange
// alone, so the readings of unchanged exchanges are kept. Variants may be used from several goroutines.
type Variants struct {
	all      []Rule
	base     *history.History
	readings [][]Reading
}

// NewVariants reads every exchange of base with every rule.
func NewVariants(all []Rule, base *history.History) *Variants {
	v := &Variants{all: all, base: base, readings: make([][]Reading, len(all))}
	for n, r := range all {
		if r.Each == nil {
			continue
		}
		v.readings[n] = make([]Reading, len(base.All))
		for i, x := range base.All {
			v.readings[n][i] = r.Each(x)
		}
	}
	return v
}

// Judge returns what the function Judge returns for h.
func (v *Variants) Judge(h *history.History) ([]verdict.Check, []verdict.Observation) {
	return judgeAll(v.all, h, func(r, i int) Reading {
		if i < len(v.base.All) && h.All[i].Same(v.base.All[i]) {
			return v.readings[r][i]
		}
		return v.all[r].Each(h.All[i])
	})
}
