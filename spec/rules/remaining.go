package rules

import (
	"fmt"
	"iter"
	"slices"
	"time"

	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/history"
	"petconform/spec/verdict"
)

const (
	// veryLarge is the Limit beyond which Remaining may stay put, since counters of that size are often approximate. It
	// is the largest figure that a plan of the interface names.
	veryLarge = 100_000
	// enough is the smallest fall that the rules wait for. The fall that is due is the number of accepted requests
	// minus the refill of a bucket in the same time.
	enough = 5
	// plenty is the fall due that ends the search for the stretch with the largest one, because the search is quadratic
	// in the length of the run.
	plenty = 10 * enough
	// StandsStill is how long Remaining must keep one value before it is called a fault: a service may publish its
	// counter once a second, and the response that shows it may take some time.
	StandsStill = 1200 * time.Millisecond
)

// fall is how X-RateLimit-Remaining moved over a run.
type fall struct {
	spent []counted
	// unknown says why the run does not show whether Remaining fell, hidden why Remaining need not fall.
	unknown, hidden string
	// because lists the requirements whose breaks leave the run unable to show it.
	because []spec.ID
	// steps counts the pairs of requests between which Remaining fell.
	steps int
	// run is the stretch in which the largest fall was due, if steps is 0.
	run stretch
	// still says that Remaining had the same value all the time.
	still bool
	// enforced says that a request with the key was refused with this Limit, so that the limit applies.
	enforced bool
}

// fallOf reads how Remaining moved. Whatever the limiter is, n requests that are accepted within t seconds take n from
// the allowance, and a bucket gives back at most Limit*t/60 meanwhile. Only successes with a valid key are counted,
// since refused requests may be free. A fall is looked for between requests that were not in flight together, since
// their responses may overtake each other.
func fallOf(h *history.History) fall {
	f := fall{spent: accepted(h)}
	if len(f.spent) < 2 {
		f.because = brokenHeaders(h)
		f.unknown = "fewer than two accepted requests have the rate-limit headers"
		return f
	}
	limit := f.spent[0].said.Limit
	slices.SortStableFunc(f.spent, func(x, y counted) int { return x.Sent.Compare(y.Sent) })
	f.enforced = slices.ContainsFunc(h.All, func(x history.Exchange) bool {
		if !x.Auth.Valid() || !x.Limited() {
			return false
		}
		a, ok := exchange.AllowanceOf(x.Response.Header)
		return ok && a.Limit == limit
	})
	if limit > veryLarge && !countsUp(h, f.spent) {
		f.hidden = fmt.Sprintf("a counter of %d may be approximate", limit)
		return f
	}
	f.still = !slices.ContainsFunc(f.spent, func(x counted) bool { return x.said.Remaining != f.spent[0].said.Remaining })
	if f.steps = falls(f.spent); f.steps > 0 {
		return f // the fall that was due no longer matters, and a search for it takes long in a day's requests
	}
	var most float64
	if f.run, most = steepest(f.spent, limit); most >= enough {
		return f
	}
	f.run = stretch{len(f.spent), f.spent[len(f.spent)-1].Ended().Sub(f.spent[0].Sent)}
	if limit <= veryLarge && !countsUp(h, f.spent) {
		f.hidden = fmt.Sprintf("a bucket of %d a minute refills as fast as the %d requests spent it; a load run shows whether it counts", limit, len(f.spent))
	}
	return f
}

// brokenHeaders returns the requirements that successes without an allowance break.
func brokenHeaders(h *history.History) []spec.ID {
	var ids []spec.ID
	for _, x := range h.All {
		if !x.Auth.Valid() || !success(x) {
			continue
		}
		for _, f := range append(rateHeaders(x).Broken, rateNumbers(x).Broken...) {
			if !slices.Contains(ids, f.Requirement) {
				ids = append(ids, f.Requirement)
			}
		}
	}
	return ids
}

// open reports whether the interface leaves open what was seen: Remaining stays at Limit and no request was refused, so
// that the limit may not apply to the animal endpoints (rule 5), or it keeps a lower value for less than StandsStill.
// Example: of 80 requests within 30 ms, all say 995 of 1,000. The counter may be published once a second; the check
// remaining-later asks once more after StandsStill, and when that response says 995 too, RATE-4 is broken.
func (f fall) open() bool {
	first, last := f.spent[0], f.spent[len(f.spent)-1]
	return f.still && (first.said.Remaining == first.said.Limit && !f.enforced || last.Ended().Sub(first.Sent) < StandsStill)
}

func (f fall) finding(id spec.ID) verdict.Finding {
	first, last := f.spent[0], f.spent[len(f.spent)-1]
	found := broken(id, "X-RateLimit-Remaining over the run", "a number that goes down as requests are made",
		fmt.Sprintf("%d at exchange %d and %d at exchange %d, never less than before, though %d requests were accepted within %s",
			first.said.Remaining, first.N, last.said.Remaining, last.N, f.run.n, f.run.time.Round(time.Millisecond)))
	found.Exchange = last.N
	return found
}

// remainingFalls finds a Remaining that never goes down. Whether it goes down by what was spent, a load run shows.
func remainingFalls(h *history.History) Whole {
	f := fallOf(h)
	w := Whole{Of: len(f.spent), Unknown: f.unknown, Because: f.because, NotApplicable: f.hidden}
	switch {
	case f.unknown != "" || f.hidden != "":
	case f.steps > 0:
		w.Evidence = fmt.Sprintf("went down between %d of %s", f.steps, spec.Count(len(f.spent), "accepted request"))
	case f.open():
		said := f.spent[0].said
		w.NotApplicable = fmt.Sprintf("X-RateLimit-Remaining stayed at %d of %d and no request was refused; a load run shows whether the limit applies", said.Remaining, said.Limit)
	default:
		w.Broken = []verdict.Finding{f.finding("RATE-4")}
	}
	return w
}

// remainingMoves finds a Remaining that stands still where the interface leaves open whether it has to go down.
func remainingMoves(h *history.History) Whole {
	f := fallOf(h)
	w := Whole{Of: len(f.spent), Unknown: f.unknown, Because: f.because, NotApplicable: f.hidden}
	if f.unknown == "" && f.hidden == "" && f.steps == 0 && f.open() {
		w.Broken = []verdict.Finding{f.finding("RATE-23")}
	}
	return w
}

// StoodStill reports whether all responses so far have the same Remaining, less than Limit. Then one more request, sent
// later, shows whether Remaining moves.
func StoodStill(h *history.History) bool {
	f := fallOf(h)
	return f.unknown == "" && f.hidden == "" && f.still && f.spent[0].said.Remaining < f.spent[0].said.Limit
}

// counted is an accepted request with the allowance from the headers of its response.
type counted struct {
	*history.Exchange
	said exchange.Allowance
}

func accepted(h *history.History) []counted {
	all := make([]counted, 0, len(h.All))
	for i := range h.All {
		if a, ok := allowance(h.All[i]); ok {
			all = append(all, counted{&h.All[i], a})
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

// steepest finds the stretch of consecutive requests with the largest fall due: requests accepted minus the refill of a
// bucket. A stretch lasts at most one minute, since a longer one could span a reset.
func steepest(spent []counted, limit int64) (best stretch, most float64) {
	if len(spent) == 0 {
		return best, most
	}
	begun, ended := make([]time.Duration, len(spent)), make([]time.Duration, len(spent)) // a Time is slow to subtract so often
	for i, x := range spent {
		begun[i], ended[i] = x.Sent.Sub(spent[0].Sent), x.Ended().Sub(spent[0].Sent)
	}
	refill := float64(limit) / float64(time.Minute)
	for i := range spent {
		for j := i + 1; j < len(spent) && ended[j]-begun[i] <= time.Minute; j++ {
			if net := float64(j-i) - refill*float64(ended[j]-begun[i]); net > most {
				best, most = stretch{j - i + 1, ended[j] - begun[i]}, net
			}
			if most > plenty {
				return best, most
			}
		}
	}
	return best, most
}

// countsUp reports whether Remaining rises by one with each request, as a number of the requests that were made does. A
// bucket that refills would have to gain exactly that much between any two of them.
func countsUp(h *history.History, spent []counted) bool {
	const least = 30 // requests that were sent one after the other
	seen := 0
	for x, y := range pairs(spent) {
		surely, maybe := int64(1), int64(1)
		for _, z := range h.All {
			if z.N == x.N || z.N == y.N || z.Response == nil {
				continue
			}
			if z.Auth.Valid() && success(z) && !z.Sent.Before(x.Ended()) && !z.Ended().After(y.Sent) {
				surely++
			}
			if z.Ended().After(x.Sent) && z.Sent.Before(y.Ended()) {
				maybe++
			}
		}
		if rise := y.said.Remaining - x.said.Remaining; rise < surely || rise > maybe {
			return false
		}
		seen++
	}
	return seen >= least
}

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

// falls counts the requests whose next one has a lower Remaining.
func falls(spent []counted) (n int) {
	for x, next := range pairs(spent) {
		if next.said.Remaining < x.said.Remaining {
			n++
		}
	}
	return n
}
