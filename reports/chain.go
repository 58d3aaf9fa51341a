package reports

import (
	"petconform/reports/compare"
)

// Chain returns the last of runs, which are ordered oldest first, as if each had been compared with the one before:
// with its history, and with the first failing run of each check. It is meant for Input.Previous.
func Chain(runs []Input) *Input {
	last := runs[0]
	for _, next := range runs[1:] {
		next.Results.History = compare.History(last.Results, last.Recording)
		next.Results = compare.CarryOver(last.Results, next.Results)
		last = next
	}
	return &last
}
