package rules

import (
	"fmt"
	"maps"
	"slices"

	"petconform/spec"
	"petconform/spec/history"
)

// mostLimits is how many different values of X-RateLimit-Limit one key may be told without a question: a service may speak of
// the minute or of the day, whichever is nearer, and may keep its reads and writes apart.
const mostLimits = 4

// limitStands catches a Limit that is what is left of it: it changes, and keeps its distance from Remaining all the time. A
// limit that a service adapts to its load changes too, and is its own affair.
func limitStands(h *history.History) Whole {
	first, distances := map[int64]history.Exchange{}, map[int64]bool{}
	w := Whole{}
	for _, x := range h.All {
		if a, ok := allowance(x); ok {
			w.Of++
			distances[a.Limit-a.Remaining] = true
			if _, seen := first[a.Limit]; !seen {
				first[a.Limit] = x
			}
		}
	}
	if len(first) <= mostLimits || len(distances) > 1 {
		return w
	}
	values := slices.Sorted(maps.Keys(first))
	f := broken("RATE-22", spec.HeaderLimit+" over the run", "the limit, not what is left of it",
		fmt.Sprintf("%d different values in %d answers, from %d to %d, always as far from Remaining", len(values), w.Of, values[0], values[len(values)-1]))
	last := 0
	for _, x := range first {
		last = max(last, x.N)
	}
	f.Exchange = last
	w.Broken = append(w.Broken, f)
	return w
}
