package clients

import (
	"fmt"
	"slices"
	"time"

	"petconform/spec"
)

const (
	// ownWaits is the number of waits in a row, chosen by the client itself, that have to be equal or to fall before the client
	// is said to have no exponential backoff. Growing random waits do so by chance less than once in 400 times.
	ownWaits = 5
	// firstWait is the shortest first wait of an exponential backoff in common use. As long as the backoff is below Retry-After,
	// waits are as long as Retry-After says.
	firstWait = 10 * time.Millisecond
	// lowestCap is the lowest bound of an exponential backoff in common use. A Retry-After above it hides the backoff for ever.
	lowestCap = 5 * time.Second
	// same is the largest ratio, in percent, of the longest to the shortest of waits that count as equal.
	same = 150
)

// row are 429s in a row to one client.
type row struct {
	// first is the number of the first 429.
	first int
	waits []time.Duration
	// asked is the longest time in a Retry-After. obeyed says that every wait was at least half as long as its Retry-After.
	asked  time.Duration
	obeyed bool
}

// rows returns the series of consecutive 429s. It skips calls of a group that were concurrent, or that several clients sent,
// since no client waited between them.
func (s *story) rows() []row {
	var all []row
	for _, g := range s.groups {
		if early, doubt := g.tooEarly(s.settings.Clients); g.side || s.settings.Clients > 1 || len(early) == 0 && doubt > 1 {
			continue
		}
		open := row{obeyed: true}
		for i := 1; i < len(g.calls); i++ {
			r, refused := refusalOf(g.calls[i-1])
			if !refused {
				all, open = append(all, open), row{obeyed: true}
				continue
			}
			x := g.calls[i]
			if len(open.waits) == 0 {
				open.first = r.call.N
			}
			wait := x.Sent.Sub(r.at)
			open.waits, open.asked, open.obeyed = append(open.waits, wait), max(open.asked, r.asked), open.obeyed && 2*wait >= r.asked
		}
		all = append(all, open)
	}
	return slices.DeleteFunc(all, func(r row) bool { return len(r.waits) == 0 })
}

// needed returns the number of waits that a judgement needs; ok is false if no number is enough.
func (r row) needed() (n int, ok bool) {
	if !r.obeyed {
		return ownWaits, true
	}
	n = ownWaits
	for backoff := firstWait << (n - 2); backoff < 2*r.asked; backoff *= 2 {
		n++
	}
	return n, r.asked <= lowestCap
}

// grows reports whether the waits are neither nearly equal nor falling. It ignores the longest of each ten waits, at least one,
// because a busy machine may have made it longer.
func (r row) grows() bool {
	falling := true
	for i := 1; i < len(r.waits); i++ {
		falling = falling && r.waits[i] <= r.waits[i-1]
	}
	sorted := slices.Sorted(slices.Values(r.waits))
	n := len(sorted)
	return !falling && sorted[n-1-max(1, n/10)]*100 > sorted[0]*same
}

// waitsGrow requires no factor, since backoffs in use have random waits and a bound.
func waitsGrow(s *story) reading {
	r := reading{idle: "no client received one 429 after another; --freedom others-spend-the-refill causes that"}
	for _, one := range s.rows() {
		n, ok := one.needed()
		if !ok || len(one.waits) < n {
			if len(one.waits) > 1 {
				r.idle = fmt.Sprintf("the waits of a client were: %s; they are too few, or too close to Retry-After, to show a backoff", list(one.waits))
			}
			continue
		}
		r.of++
		if one.grows() {
			r.evidence = fmt.Sprintf("the waits grew: %s", list(one.waits))
			continue
		}
		x := s.numbered(one.first)
		r.broken = append(r.broken, finding("CLIENT-5", x, "the waits after repeated 429s", "waits that grow exponentially",
			fmt.Sprintf("%s after 429s in a row, which do not grow: %s", spec.Count(len(one.waits), "wait"), list(one.waits))))
	}
	return r
}

const (
	// jitterRows is the number of rows of 429s that have to be compared before waits are said to be the same.
	jitterRows = 3
	// sameWait is the largest difference between equal waits.
	sameWait = 15 * time.Millisecond
)

// waitsVary compares the first waits of rows, beyond what Retry-After asked for.
func waitsVary(s *story) reading {
	var firsts []time.Duration
	for _, one := range s.rows() {
		firsts = append(firsts, one.waits[0]-one.asked)
	}
	if len(firsts) < jitterRows {
		return reading{idle: fmt.Sprintf("clients waited after %s; %d are needed to decide", spec.Count(len(firsts), "refusal"), jitterRows)}
	}
	value := "the waits vary"
	if slices.Max(firsts)-slices.Min(firsts) <= sameWait {
		value = "the waits are the same"
	}
	return reading{of: len(firsts), observed: observe("CLIENT-7", "jitter", value)}
}
