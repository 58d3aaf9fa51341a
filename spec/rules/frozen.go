package rules

import (
	"bytes"
	"fmt"

	"petconform/spec"
	"petconform/spec/verdict"
)

// mostFrozen is the largest number of paths that may repeat, by chance, the figures of an earlier response: a refill may bring
// Remaining back to where it was.
const mostFrozen = 2

// leastSpent is how many responses in between have to tell of a lower Remaining.
const leastSpent = 3

// frozen lists the first repetition on each path of an earlier response to a GET, with its body and all three figures, although the
// responses in between tell of another Remaining, most of them of a lower one, in the window of the same Reset. Each has another Remaining.
// What counts requests cannot rise to the figure of exactly that path again and again; a cache that keeps the headers does.
func frozen(spent []counted) (found []counted) {
	windows, figures, paths := map[string][]counted{}, map[int64]bool{}, map[string]bool{}
	window := func(x counted) string { return fmt.Sprint(x.said.Limit, x.said.Reset) }
	for _, x := range spent {
		windows[window(x)] = append(windows[window(x)], x)
	}
	kept := map[string]counted{}
	for _, y := range spent {
		path := y.Request.Path
		x, known := kept[path]
		if kept[path] = y; !known || y.Operation == spec.CreatePet || paths[path] || figures[y.said.Remaining] || x.said != y.said ||
			!bytes.Equal(x.Response.Body, y.Response.Body) {
			continue
		}
		lower, other := 0, 0
		for _, z := range windows[window(y)] {
			switch between := !z.Sent.Before(x.Ended()) && !z.Ended().After(y.Sent); {
			case between && z.said.Remaining < y.said.Remaining:
				lower++
			case between:
				other++
			}
		}
		if lower >= leastSpent && lower > other {
			paths[path], figures[y.said.Remaining] = true, true
			found = append(found, y)
		}
	}
	return found
}

func frozenFinding(all []counted) verdict.Finding {
	f := broken("RATE-4", spec.HeaderRemaining+" of responses that repeat an earlier one", "what is left now",
		fmt.Sprintf("%d, what was left then, though responses in between say less; so on %d paths", all[0].said.Remaining, len(all)))
	f.Exchange = all[0].N
	return f
}
