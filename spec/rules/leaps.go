package rules

import (
	"fmt"
	"slices"
	"time"

	"petconform/spec"
	"petconform/spec/verdict"
)

const (
	// mostLeaps is how often Remaining may leap up in a check run: where a window ends, or another server answers.
	mostLeaps = 8
	// leapOf is the share of Limit that a leap exceeds: a timer may refill a bucket in steps of up to an eighth.
	leapOf = 8
	// oneWindow ends the search for leaps. After it a trailing window forgets the run's first requests, and what is left leaps up.
	oneWindow = 50 * time.Second
	// shortly is how soon a Reset is that may have passed when the next request was counted: Reset and the clock are whole seconds. A limit
	// of ten a second, which refills all the time, always has one.
	shortly = 2 * time.Second
)

// leaps lists the requests at which Remaining is higher than at an earlier one, by more than a refill explains, in the same window. Of
// each request only the next that was sent after its end is compared. spent is in the order of sending.
func leaps(spent []telling) []telling {
	var up []telling
	for i, x := range spent {
		rest := spent[i+1:]
		next, _ := slices.BinarySearchFunc(rest, x.Ended(), func(y telling, ended time.Time) int { return y.Sent.Compare(ended) })
		if next == len(rest) {
			continue
		}
		y := rest[next]
		elapsed := y.Ended().Sub(x.Sent)
		sameWindow := y.said.Reset.Sub(x.said.Reset) <= elapsed+shortly && x.said.Reset.After(y.Ended().Add(shortly)) && y.Sent.Sub(spent[0].Sent) < oneWindow
		refill := float64(x.said.Limit) * (1.0/leapOf + elapsed.Minutes())
		if sameWindow && y.said.Limit == x.said.Limit && float64(y.said.Remaining-x.said.Remaining) > refill {
			up = append(up, y)
		}
	}
	return up
}

func leapt(spent []telling) verdict.Finding {
	up := leaps(spent)
	f := broken("RATE-4", spec.HeaderRemaining+" over the run", "a number that goes down as requests are made",
		fmt.Sprintf("up by more than an eighth of Limit %d times among %d accepted requests, to %d at exchange %d", len(up), len(spent), up[0].said.Remaining, up[0].N))
	f.Exchange = up[0].N
	return f
}
