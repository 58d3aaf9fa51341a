package rules

import (
	"bytes"
	"fmt"
	"slices"

	"petconform/spec"
	"petconform/spec/history"
	"petconform/spec/verdict"
)

// mostFrozen is the largest number of paths that may repeat, by chance, the figures of an earlier response: a refill
// may bring Remaining back to where it was.
const mostFrozen = 2

// leastSpent is how many responses in between have to tell of a lower Remaining.
const leastSpent = 3

// frozen lists the first repetition on each path of an earlier response to a GET, with its body and all three figures,
// although the responses in between tell of another Remaining, most of them of a lower one, in the window of the same
// Reset. Each has another Remaining. What counts requests cannot rise to the figure of exactly that path again and
// again; a cache that keeps the headers does.
func frozen(spent []counted) (found []counted) {
	window := func(x counted) string { return fmt.Sprint(x.said.Limit, x.said.Reset) }
	windows, kept, repeats := map[string][]counted{}, map[string]counted{}, map[*history.Exchange]counted{}
	for _, y := range spent {
		windows[window(y)] = append(windows[window(y)], y)
		x, known := kept[y.Request.Path]
		same := known && x.said == y.said && bytes.Equal(x.Response.Body, y.Response.Body)
		if kept[y.Request.Path] = y; same && y.Operation != spec.CreatePet {
			repeats[y.Exchange] = x
		}
	}
	figures, paths := map[int64]bool{}, map[string]bool{}
	for _, y := range spent {
		x, repeated := repeats[y.Exchange]
		if !repeated || paths[y.Request.Path] || figures[y.said.Remaining] || refills(windows[window(y)], repeats) {
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
			paths[y.Request.Path], figures[y.said.Remaining] = true, true
			found = append(found, y)
		}
	}
	return found
}

// refills reports whether Remaining rises in a window at a response that repeats none. Then what counts gives back as
// time passes, as a bucket and a sliding log do, and a figure comes again by chance on a path that is often asked.
func refills(window []counted, repeats map[*history.Exchange]counted) bool {
	own := slices.DeleteFunc(slices.Clone(window), func(x counted) bool {
		_, repeated := repeats[x.Exchange]
		return repeated
	})
	for x, y := range pairs(own) {
		if y.said.Remaining > x.said.Remaining {
			return true
		}
	}
	return false
}

func frozenFinding(all []counted) verdict.Finding {
	f := broken("RATE-4", spec.HeaderRemaining+" of responses that repeat an earlier one", "what is left now",
		fmt.Sprintf("%d, what was left then, though responses in between say less; so on %d paths", all[0].said.Remaining, len(all)))
	f.Exchange = all[0].N
	return f
}
