package rules

import (
	"fmt"
	"slices"
	"time"

	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/history"
)

const (
	// veryLarge is the Limit beyond which Remaining may stay put, since counters of that size are often approximate. It
	// is the largest figure that a plan of the interface names.
	veryLarge = 100_000
	// enough is the smallest fall that the rules wait for. The fall that is due is the number of accepted requests
	// minus the refill of a bucket in the same time.
	enough = 5
	// shortestDelay is the smallest delay that is allowed for between a request and a Remaining that counts it, where the
	// patience is shorter: a service may publish its counter once a second, and a response takes some time.
	shortestDelay = 1200 * time.Millisecond
)

// Delay returns how late Remaining may count a request: the patience with replicas. Rule 1 asks for the header and not
// for a fresh figure, and gateways that count together exchange their counters every few seconds.
func Delay(h *history.History) time.Duration { return max(h.Meta.Patience, shortestDelay) }

// confirms reports whether a run confirms that Remaining is what is left.
func confirms(h *history.History) bool { return h.Meta.Kind == "load" }

// stillness is a Remaining that never falls, though a fall is due.
type stillness struct {
	from counted
	// open is why the interface leaves that open: Remaining is the Limit and no request was refused with that, so that the
	// limit may not apply to the animal endpoints (rule 5), or too few of the requests had to show yet. below says that it
	// is not the Limit.
	// Example: of 80 requests within 30 ms, all say 995 of 1,000. The counter may be late; the check remaining-later asks
	// once more after Delay, and when that response says 995 too, RATE-4 is broken.
	open   string
	below  bool
	breaks func(w *Whole, id spec.ID)
}

// stands reads how Remaining moved. Whatever the limiter is, n requests that are accepted within t seconds take n from
// the allowance, and a bucket gives back at most Limit*t/60 meanwhile. Only successes with a valid key are counted,
// since refused requests may be free. It returns nil, and says why, unless Remaining stood or rose.
func stands(h *history.History) (w Whole, s *stillness) {
	spent := accepted(h)
	w.Of = len(spent)
	if len(spent) < 2 {
		w.Unknown, w.Because = "fewer than two accepted requests have rate-limit headers that can be read", brokenHeaders(h)
		return w, nil
	}
	slices.SortStableFunc(spent, func(x, y counted) int { return x.Sent.Compare(y.Sent) })
	first, last := spent[0], spent[len(spent)-1]
	_, _, due := steepest(spent)
	switch fell := falls(spent); {
	case first.said.Limit > veryLarge:
		w.NotApplicable = fmt.Sprintf("a counter of %d may be approximate", first.said.Limit)
		return w, nil
	case fell > 0:
		w.Evidence = fmt.Sprintf("went down between %d of %s", fell, spec.Count(len(spent), "accepted request"))
		return w, nil
	case due < enough:
		w.NotApplicable = fmt.Sprintf("a bucket of %d a minute refills as fast as the %d requests spent it; "+
			"a load run shows whether it counts", first.said.Limit, len(spent))
		return w, nil
	}
	if !confirms(h) {
		spent, last = ofOneWindow(spent, Delay(h))
	}
	n, within, due := steepest(spent)
	if due < enough {
		w.NotApplicable = "X-RateLimit-Reset passed during the run, and a late counter may have shown no fall before; " +
			"a load run shows whether it counts"
		return w, nil
	}
	first = spent[0]
	s = &stillness{from: first, below: last.said.Remaining < last.said.Limit, breaks: func(w *Whole, id spec.ID) {
		w.Breaks(*last.Exchange, id, "X-RateLimit-Remaining over the run",
			fmt.Sprintf("a number that goes down as requests are made, at most %s later", Delay(h)),
			fmt.Sprintf("%d at exchange %d and %d at exchange %d, never less than before, though %d requests were accepted within %s",
				first.said.Remaining, first.N, last.said.Remaining, last.N, n, within.Round(time.Millisecond)))
	}}
	refused := slices.ContainsFunc(h.All, func(x history.Exchange) bool {
		if !x.Auth.Valid() || !x.Limited() {
			return false
		}
		limit, shown := exchange.Number(x.Response.Header, spec.HeaderLimit)
		return shown && limit == first.said.Limit
	})
	switch _, _, due := steepest(toShow(spent, last, Delay(h))); {
	case !s.below && !refused:
		s.open = "no request was refused; a load run shows whether the limit applies"
	case due < enough:
		s.open = fmt.Sprintf("the last response came too soon after the others; a counter may be %s late", Delay(h))
	}
	return w, s
}

// brokenHeaders returns a requirement that a success without an allowance breaks.
func brokenHeaders(h *history.History) []spec.ID {
	for _, x := range h.All {
		switch {
		case !x.Auth.Valid() || !success(x):
		case missing(x) != "":
			return []spec.ID{"RATE-1"}
		case wrongNumber(x) != "":
			return []spec.ID{"RATE-2"}
		}
	}
	return nil
}

// remainingFalls finds a Remaining that never goes down. Whether it goes down by what was spent, a load run shows.
func remainingFalls(h *history.History) Whole {
	w, s := stands(h)
	switch {
	case s == nil:
	case s.open != "":
		w.NotApplicable = fmt.Sprintf("X-RateLimit-Remaining did not go below %d of %d, and %s", s.from.said.Remaining,
			s.from.said.Limit, s.open)
	default:
		s.breaks(&w, "RATE-4")
	}
	return w
}

// remainingMoves finds a Remaining that stands still where the interface leaves open whether it has to go down.
func remainingMoves(h *history.History) Whole {
	w, s := stands(h)
	if s != nil && s.open != "" {
		s.breaks(&w, "RATE-23")
	}
	return w
}

// StoodStill reports whether Remaining never fell so far, and is less than Limit. Then one more request, sent later,
// shows whether it does.
func StoodStill(h *history.History) bool {
	_, s := stands(h)
	return s != nil && s.below
}

// counted is an accepted request with the allowance from the headers of its response.
type counted struct {
	*history.Exchange
	said exchange.Allowance
}

func accepted(h *history.History) (all []counted) {
	for i, x := range h.All {
		if x.Auth.Valid() && success(x) {
			if a, ok := exchange.AllowanceOf(x.Response.Header); ok && a.Limit > 0 {
				all = append(all, counted{&h.All[i], a})
			}
		}
	}
	return all
}

// ofOneWindow returns the requests up to a response at which none of their Resets has passed, and this last one: those that
// show most of what they spent before.
func ofOneWindow(spent []counted, delay time.Duration) (best []counted, last counted) {
	most, tried := -1.0, map[time.Time]bool{}
	for i, y := range slices.Backward(spent) {
		if tried[y.said.Reset] {
			continue
		}
		tried[y.said.Reset] = true
		own := slices.DeleteFunc(slices.Clone(spent[:i+1]), func(x counted) bool { return over(x, y) })
		if _, _, due := steepest(toShow(own, y, delay)); due > most {
			best, last, most = own, y, due
		}
	}
	return best, last
}

// toShow returns the requests that y has to count.
func toShow(spent []counted, y counted, delay time.Duration) []counted {
	return slices.DeleteFunc(slices.Clone(spent), func(x counted) bool { return x.Ended().Add(delay).After(y.Sent) })
}

// over reports whether the Reset that x shows had passed when y came: then y may be of another window, and a late
// counter may have shown no fall in that of x.
func over(x, y counted) bool {
	return exchange.ServerTime(y.Response.Header, y.Received()).Add(resetPast).After(x.said.Reset)
}

// steepest finds the stretch of requests, in the order of sending, with the largest fall due: requests accepted minus the
// refill of a bucket. Each request puts off the time at which a bucket is full by 60 s/Limit: where Reset stands still
// though that would be seen, and Remaining too, it is none, and nothing is given back before (rule 2).
func steepest(spent []counted) (n int, within time.Duration, due float64) {
	if len(spent) == 0 {
		return 0, 0, 0
	}
	first := spent[0].said
	perMinute := float64(first.Limit)
	if float64(len(spent))*60/perMinute > 2 && !slices.ContainsFunc(spent, func(x counted) bool {
		return x.said.Remaining != first.Remaining || x.said.Reset.Sub(first.Reset).Abs() > time.Second
	}) {
		perMinute = 0
	}
	// The fall due from i to j is what j has more than i: the requests so far, minus what a bucket refilled so far.
	at := func(i int, t time.Time) float64 { return float64(i) - perMinute*t.Sub(spent[0].Sent).Minutes() }
	from := 0
	for i, x := range spent {
		if d := at(i, x.Ended()) - at(from, spent[from].Sent); d > due {
			n, within, due = i-from+1, x.Ended().Sub(spent[from].Sent), d
		}
		if at(i, x.Sent) < at(from, spent[from].Sent) {
			from = i
		}
	}
	return n, within, due
}

// falls counts the requests of which the next one, sent after their end, has a lower Remaining: the responses of requests
// that were in flight together may overtake each other.
func falls(spent []counted) (n int) {
	for i, x := range spent {
		rest := spent[i+1:]
		next, _ := slices.BinarySearchFunc(rest, x.Ended(), func(y counted, ended time.Time) int { return y.Sent.Compare(ended) })
		if next < len(rest) && rest[next].said.Remaining < x.said.Remaining {
			n++
		}
	}
	return n
}
