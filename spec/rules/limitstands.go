package rules

import (
	"fmt"
	"maps"
	"slices"

	"petconform/spec"
	"petconform/spec/history"
)

// mostLimits is how many different values of X-RateLimit-Limit one key may be told: a service may speak of the minute or of the
// day, whichever is nearer, and may keep its reads and writes apart.
const mostLimits = 4

// limitStands catches a Limit that is not the plan's: what is left of it, say, or a count.
func limitStands(h *history.History) Whole {
	first := map[int64]history.Exchange{}
	w := Whole{}
	for _, x := range h.All {
		if a, ok := allowance(x); ok {
			w.Of++
			if _, seen := first[a.Limit]; !seen {
				first[a.Limit] = x
			}
		}
	}
	if len(first) <= mostLimits {
		return w
	}
	values := slices.Sorted(maps.Keys(first))
	f := broken("RATE-22", spec.HeaderLimit+" over the run", fmt.Sprintf("the plan's figure, so few different values (at most %d)", mostLimits),
		fmt.Sprintf("%d different values in %d answers, from %d to %d", len(values), w.Of, values[0], values[len(values)-1]))
	last := 0
	for _, x := range first {
		last = max(last, x.N)
	}
	f.Exchange = last
	w.Broken = append(w.Broken, f)
	return w
}
