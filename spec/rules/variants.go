package rules

import (
	"petconform/spec/history"
	"petconform/spec/verdict"
)

// Variants judges histories that differ from one in a few exchanges. What a rule reads in one exchange depends on nothing
// else, so the readings of those that did not change are kept. It may be used from several goroutines.
type Variants struct {
	all      []Rule
	base     *history.History
	readings [][]Reading
}

// NewVariants reads every exchange of base by every rule.
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

// Judge judges h as the function Judge does.
func (v *Variants) Judge(h *history.History) ([]verdict.Check, []verdict.Observation) {
	return judgeAll(v.all, h, func(r, i int) Reading {
		if i < len(v.base.All) && h.All[i].Same(v.base.All[i]) {
			return v.readings[r][i]
		}
		return v.all[r].Each(h.All[i])
	})
}
