package rules

import (
	"fmt"
	"maps"
	"slices"

	"petconform/spec"
	"petconform/spec/history"
)

// mostLimits is the number of different values of X-RateLimit-Limit that one key may see: a service may give the limit of the
// minute or of the day, whichever is nearer, and may have one for reads and one for writes.
const mostLimits = 4

// limitStands finds a Limit that tells what is left of it: its value changes, and its distance from Remaining does not. A service
// may also adapt its limit to its load; then the distance changes too.
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
		fmt.Sprintf("%d different values in %d responses, from %d to %d, always at the same distance from Remaining", len(values), w.Of, values[0], values[len(values)-1]))
	last := 0
	for _, x := range first {
		last = max(last, x.N)
	}
	f.Exchange = last
	w.Broken = append(w.Broken, f)
	return w
}
