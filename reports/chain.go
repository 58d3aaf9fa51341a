package reports

import (
	"petconform/reports/compare"
)

// Chain is the last of runs, oldest first, as it were if each had been compared with the one before: it says which runs came
// before it and since when its checks fail. Input.Previous takes it.
func Chain(runs []Input) *Input {
	last := runs[0]
	for _, next := range runs[1:] {
		next.Results.History = compare.History(last.Results, last.Recording)
		next.Results = compare.CarryOver(last.Results, next.Results)
		last = next
	}
	return &last
}
