package rules

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"petconform/spec"
	"petconform/spec/history"
)

// mostLimits is the number of different values of X-RateLimit-Limit that one key may see: a service may give the limit
// of the minute or of the day, whichever is nearer, and may have one for reads and one for writes.
const mostLimits = 4

// limitStands finds a Limit that shows the number of requests left: its value changes, and its distance from Remaining
// does not. A service may adapt its limit to its load, about once a second; then the distance changes too. A Limit that
// changes more often in a check run is a fault. In a load run, several keys have limits of their own.
func limitStands(h *history.History) Whole {
	first, distances := map[int64]history.Exchange{}, map[int64]bool{}
	w := Whole{}
	var begun, ended time.Time
	for _, x := range h.All {
		if a, ok := allowance(x); ok && a.Remaining <= a.Limit { // else RATE-2 says that one of the two is not what it says
			if w.Of++; begun.IsZero() {
				begun = x.Sent
			}
			ended = x.Ended()
			distances[a.Limit-a.Remaining] = true
			if _, seen := first[a.Limit]; !seen {
				first[a.Limit] = x
			}
		}
	}
	adapted := mostLimits + int(ended.Sub(begun)/time.Second) + 1
	random := len(distances) > 1
	if len(first) <= mostLimits || random && (len(first) <= adapted || h.Meta.Kind == "load") {
		return w
	}
	wanted, more := "the limit, not the number of requests left", "always at the same distance from Remaining"
	if random {
		wanted, more = "a limit, which changes at most about once a second", fmt.Sprintf("within %s", ended.Sub(begun).Round(time.Second))
	}
	values := slices.Sorted(maps.Keys(first))
	f := broken("RATE-22", spec.HeaderLimit+" over the run", wanted,
		fmt.Sprintf("%d different values in %s, from %d to %d, %s",
			len(values), spec.Count(w.Of, "response"), values[0], values[len(values)-1], more))
	last := 0
	for _, x := range first {
		last = max(last, x.N)
	}
	f.Exchange = last
	w.Broken = append(w.Broken, f)
	return w
}
