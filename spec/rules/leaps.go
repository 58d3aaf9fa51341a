package rules

import (
	"fmt"
	"iter"
	"slices"
	"time"

	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/verdict"
)

const (
	// mostLeaps is the largest number of times that Remaining may leap up in a check run, because a window ended or
	// another server answered.
	mostLeaps = 5
	// leapOf: a leap is larger than Limit / leapOf, since a timer may refill a bucket in steps of up to an eighth.
	leapOf = 8
	// oneWindow is the time from the first request in which leaps are searched. Later a trailing window drops the run's
	// first requests, and Remaining lawfully leaps up.
	oneWindow = 50 * time.Second
	// shortly is the time before a Reset in which the reset may already have passed, since Reset and the clock are
	// whole seconds. For a limit of ten a second the reset is always that near.
	shortly = 2 * time.Second
)

// pairs yields each request with the next that was sent after its end. spent is in the order of sending.
func pairs(spent []counted) iter.Seq2[counted, counted] {
	return func(yield func(x, next counted) bool) {
		for i, x := range spent {
			rest := spent[i+1:]
			next, _ := slices.BinarySearchFunc(rest, x.Ended(), func(y counted, ended time.Time) int { return y.Sent.Compare(ended) })
			if next < len(rest) && !yield(x, rest[next]) {
				return
			}
		}
	}
}

// leaps lists the requests at which Remaining is higher than at an earlier one, by more than a refill explains, in the
// same window.
func leaps(spent []counted) (up []counted) {
	for x, y := range pairs(spent) {
		elapsed := y.Ended().Sub(x.Sent)
		resetKept := y.said.Reset.Sub(x.said.Reset) <= elapsed+shortly // that of a bucket moves on with the clock
		now := exchange.ServerTime(y.Response.Header, y.Ended())       // Reset is of the target's clock
		sameWindow := resetKept && x.said.Reset.After(now.Add(shortly)) && y.Sent.Sub(spent[0].Sent) < oneWindow
		refill := float64(x.said.Limit) * (1.0/leapOf + elapsed.Minutes())
		if sameWindow && y.said.Limit == x.said.Limit && float64(y.said.Remaining-x.said.Remaining) > refill {
			up = append(up, y)
		}
	}
	return up
}

func leapt(spent []counted) verdict.Finding {
	up := leaps(spent)
	f := broken("RATE-4", spec.HeaderRemaining+" over the run", "a number that goes down as requests are made",
		fmt.Sprintf("up by more than an eighth of Limit %s among %s, to %d at exchange %d",
			spec.Count(len(up), "time"), spec.Count(len(spent), "accepted request"), up[0].said.Remaining, up[0].N))
	f.Exchange = up[0].N
	return f
}
