package rules

import (
	"petconform/spec/history"
	"petconform/spec/verdict"
)

// JudgeAlike returns what Judge returns, in less time where many exchanges are alike. like[i] is the index of the first exchange that
// the Each of every rule reads as exchange i, which is i itself if there is none before. Such exchanges may differ in their number,
// in their times, and in header values that no rule tells apart. Each is called for the first one only, unless that breaks the rule: the
// text of a finding may have these values.
func JudgeAlike(all []Rule, h *history.History, like []int) ([]verdict.Check, []verdict.Observation) {
	readings := make([]map[int]Reading, len(all))
	for r := range readings {
		readings[r] = map[int]Reading{}
	}
	return judgeAll(all, h, func(r, i int) Reading {
		first := like[i]
		reading, known := readings[r][first]
		if !known {
			reading = all[r].Each(h.All[first])
			readings[r][first] = reading
		}
		if first != i && len(reading.Broken) > 0 {
			return all[r].Each(h.All[i])
		}
		return reading
	})
}
