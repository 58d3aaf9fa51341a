package rules

import (
	"fmt"
	"slices"
	"time"

	"petconform/spec/exchange"
	"petconform/spec/history"
	"petconform/spec/verdict"
)

const (
	// veryLarge is the Limit beyond which Remaining may stay put: counters of that size are kept approximately. It is the
	// largest figure that a plan of the interface names.
	veryLarge = 100_000
	// enough is how far Remaining must have had to fall, after all that a bucket refills meanwhile, before its standing
	// still is called a fault.
	enough = 5
	// plenty ends the search for a stretch that is telling: a long run would be compared with itself.
	plenty = 10 * enough
)

// remainingFalls catches a Remaining that never goes down. Whatever the limiter is, n requests that are accepted within t
// seconds take n from the allowance and a bucket gives back at most Limit·t/60 meanwhile. Only successes are counted, since
// refused ones may be free, and only answers to a valid key. A falling step is looked for between requests that did
// not overlap, since answers to concurrent ones may overtake each other.
func remainingFalls(h *history.History) Whole {
	spent := told(h)
	w := Whole{Of: len(spent)}
	if len(spent) < 2 {
		return Whole{Unknown: "fewer than two accepted requests tell their allowance"}
	}
	first, last := spent[0], spent[len(spent)-1]
	limit := first.said.Limit
	if limit > veryLarge {
		return Whole{Of: len(spent), Unknown: fmt.Sprintf("a limit of %d is too large to see it go down", limit)}
	}
	slices.SortStableFunc(spent, func(x, y telling) int { return x.Sent.Compare(y.Sent) })
	run, most := steepest(spent, limit)
	steps := falls(spent)
	if most < enough {
		if steps == 0 {
			w.Unknown = fmt.Sprintf("%d requests were accepted while a bucket of %d a minute would refill as many", len(spent), limit)
		}
		return w
	}
	if steps > 0 {
		w.Evidence = fmt.Sprintf("went down between %d of %d accepted requests", steps, len(spent))
		return w
	}
	f := broken("RATE-4", "X-RateLimit-Remaining over the run", "a number that goes down as requests are made",
		fmt.Sprintf("%d at exchange %d and %d at exchange %d, never less than before, though %d requests were accepted within %s",
			first.said.Remaining, first.N, last.said.Remaining, last.N, run.n, run.time.Round(time.Millisecond)))
	f.Exchange = last.N
	w.Broken = []verdict.Finding{f}
	return w
}

// telling is an accepted request with the allowance that its answer told.
type telling struct {
	*history.Exchange
	said exchange.Allowance
}

func told(h *history.History) []telling {
	all := make([]telling, 0, len(h.All))
	for i := range h.All {
		if a, ok := allowance(h.All[i]); ok {
			all = append(all, telling{&h.All[i], a})
		}
	}
	return all
}

func allowance(x history.Exchange) (exchange.Allowance, bool) {
	if !x.Auth.Valid() || !success(x) {
		return exchange.Allowance{}, false
	}
	a, ok := exchange.AllowanceOf(x.Response.Header)
	return a, ok && a.Limit > 0
}

type stretch struct {
	n    int
	time time.Duration
}

// steepest finds the run of consecutive requests within one minute that took most from the allowance, net of what a bucket
// refills meanwhile. A stretch of more than a minute could span a reset.
func steepest(spent []telling, limit int64) (best stretch, most float64) {
	for i := range spent {
		for j := i + 1; j < len(spent); j++ {
			t := spent[j].Ended().Sub(spent[i].Sent)
			if t > time.Minute {
				break
			}
			if net := float64(j-i) - float64(limit)*t.Seconds()/60; net > most {
				best, most = stretch{j - i + 1, t}, net
			}
			if most > plenty {
				return best, most
			}
		}
	}
	return best, most
}

// falls counts the steps down between requests that followed each other; spent is in the order of sending.
func falls(spent []telling) int {
	n := 0
	for i, x := range spent {
		rest := spent[i+1:]
		next, _ := slices.BinarySearchFunc(rest, x.Ended(), func(y telling, ended time.Time) int { return y.Sent.Compare(ended) })
		if next < len(rest) && rest[next].said.Remaining < x.said.Remaining {
			n++
		}
	}
	return n
}
