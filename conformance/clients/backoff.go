package clients

import (
	"fmt"
	"slices"
	"time"

	"petconform/spec"
	"petconform/spec/history"
	"petconform/spec/rules"
	"petconform/spec/verdict"
)

const (
	// ownWaits is the number of waits in a row, chosen by the client itself, that have to be equal or to fall before
	// the client is said to have no exponential backoff. Growing random waits do so by chance less than once in 400
	// times.
	ownWaits = 5
	// firstWait is the shortest first wait of an exponential backoff in common use. As long as the backoff is below
	// Retry-After, waits are as long as Retry-After says.
	firstWait = 10 * time.Millisecond
	// lowestCap is the lowest bound of an exponential backoff in common use. A Retry-After that comes near it, above
	// 3.3 s, hides the backoff for ever.
	lowestCap = 5 * time.Second
	// same is the largest ratio, in percent, of the longest to the shortest of waits that count as equal, if there are
	// so many that jitter would show. equal is that of a few: jitter seldom comes so close.
	same, equal = 150, 110
	// longer is the smallest ratio, in percent, of a wait to its Retry-After that shows that the client chose the wait
	// itself.
	longer = 150
	// shorter is the largest ratio, in percent, of a wait to the one before in waits that clearly fall.
	shorter = 95
	// sinks is the number of waits in a row, each at most sinking percent of the one before, by which longer waits come
	// down to Retry-After. Random waits with a bound do so less than once in 1,000 times.
	sinks, sinking = 3, 70
)

// row are 429s in a row to one client.
type row struct {
	// first is the call of the first 429.
	first history.Exchange
	from  *group
	// waits are the client's, and asks those in Retry-After.
	waits, asks []time.Duration
}

// asked is the longest time in a Retry-After.
func (r row) asked() time.Duration { return slices.Max(r.asks) }

// every reports whether each wait is at least so many percent of its Retry-After.
func (r row) every(percent time.Duration) bool {
	for i, wait := range r.waits {
		if wait*100 < r.asks[i]*percent {
			return false
		}
	}
	return true
}

// extra are the waits beyond Retry-After.
func (r row) extra() []time.Duration {
	out := make([]time.Duration, len(r.waits))
	for i, wait := range r.waits {
		out[i] = wait - r.asks[i]
	}
	return out
}

// rows returns the series of consecutive 429s. It skips calls of a group that were concurrent, or that several clients
// sent, since no client waited between them.
func (s *story) rows() []row {
	var all []row
	for _, g := range s.groups {
		if g.side || s.settings.Clients > 1 || len(g.early) == 0 && g.doubt > 1 {
			continue
		}
		open := row{from: g}
		for i := 1; i < len(g.calls); i++ {
			r, refused := refusalOf(g.calls[i-1])
			if !refused {
				all, open = append(all, open), row{from: g}
				continue
			}
			x := g.calls[i]
			if len(open.waits) == 0 {
				open.first = r.call
			}
			open.waits, open.asks = append(open.waits, x.Sent.Sub(r.at)), append(open.asks, r.asked)
		}
		all = append(all, open)
	}
	return slices.DeleteFunc(all, func(r row) bool { return len(r.waits) == 0 })
}

// needed returns the number of waits that a judgement needs: more if they are as long as Retry-After says, which hides
// a backoff that begins with less. ok is false if no number is enough.
func (r row) needed() (n int, ok bool) {
	if !r.every(50) {
		return ownWaits, true
	}
	n = ownWaits
	for backoff := firstWait << (n - 2); backoff < 2*r.asked(); backoff *= 2 {
		n++
	}
	return n, r.asked()*same < lowestCap*100
}

// verdict reports whether the waits grow. ok is false if they are too few, or too close to Retry-After, to show that.
func (r row) verdict() (grow, ok bool) {
	if r.sink() {
		return false, true
	}
	if n, ok := r.needed(); ok && len(r.waits) >= n {
		return r.grow(), true
	}
	if len(r.waits) < ownWaits || !r.every(longer) {
		return false, false
	}
	waits, extra := r.waits, r.extra()
	falling := fall(waits, shorter) && fall(extra, shorter)
	if n := len(waits); n > ownWaits && waits[n-1] < slices.Max(waits) { // a busy machine made the longest one
		waits, extra = usual(waits), usual(extra)
	}
	fixed := slices.Max(r.asks) != slices.Min(r.asks) || ratio(extra) <= equal
	switch {
	case falling, ratio(waits) <= equal && fixed:
		return false, true
	}
	return true, r.grow()
}

// sink reports whether the waits fall to Retry-After and stay there.
func (r row) sink() bool {
	i := 1
	for i < len(r.waits) && fall(r.waits[i-1:i+1], sinking) {
		i++
	}
	rest, asked := slices.Max(r.waits[i-1:]), slices.Min(r.asks)
	return len(r.waits) >= ownWaits && i > sinks && rest*100 <= asked*equal
}

// grow reports whether the waits are neither nearly equal nor falling. It ignores the longest of each ten waits, at
// least one, because a busy machine may have made it longer. A client may add its backoff to Retry-After, so it reads
// what was added too.
func (r row) grow() bool {
	const noise = 4 // a part of Retry-After: what is added differs by more than a busy machine's delays
	waits, extra := usual(r.waits), usual(r.extra())
	added := r.every(100) && ratio(extra) > same && (slices.Max(extra)-extra[0])*noise >= r.asked()
	return !fall(r.waits, 100) && (ratio(waits) > same || added)
}

// usual are the waits without the longest of each ten, at least one, sorted.
func usual(waits []time.Duration) []time.Duration {
	sorted := slices.Sorted(slices.Values(waits))
	return sorted[:len(sorted)-max(1, len(sorted)/10)]
}

// ratio is that of the longest to the shortest, in percent.
func ratio(waits []time.Duration) time.Duration {
	return slices.Max(waits) * 100 / max(1, slices.Min(waits))
}

// fall reports whether each wait is at most so many percent of the one before.
func fall(waits []time.Duration, percent time.Duration) bool {
	for i := 1; i < len(waits); i++ {
		if waits[i]*100 > waits[i-1]*percent {
			return false
		}
	}
	return true
}

// few says how many waits were seen, and how many would show a backoff.
func (r row) few() string {
	seen := fmt.Sprintf("the most 429s in a row led to %s (%s)", spec.Count(len(r.waits), "wait"), list(r.waits))
	own := fmt.Sprintf("%d equal or falling waits of %s or more", ownWaits, seconds(r.asked()*longer/100))
	if n, ok := r.needed(); !ok {
		return fmt.Sprintf("%s; a Retry-After of %s hides a backoff, which only %s would show", seen,
			seconds(r.asked()), own)
	} else if n > ownWaits {
		return fmt.Sprintf("%s; %d are needed to show a backoff, or %s", seen, n, own)
	}
	return fmt.Sprintf("%s; %d are needed to show a backoff", seen, ownWaits)
}

// waitsGrow requires no factor, since backoffs in use have random waits and a bound. Waits at a bound that the client
// reached before need not grow.
func (s *story) waitsGrow(*history.History) (w rules.Whole) {
	w.Idle = fmt.Sprintf("no client received one 429 after another; %d waits in a row are needed, and none was seen; "+
		"--minute 1s --per-minute 5 --freedom others-spend-the-refill causes them", ownWaits)
	most, bound := 0, map[*group]time.Duration{}
	for _, one := range s.rows() {
		grow, ok := one.verdict()
		if !ok && len(one.waits) > most {
			most, w.Idle = len(one.waits), one.few()
		}
		if !ok {
			continue
		}
		w.Of++
		if grow {
			bound[one.from] = max(bound[one.from], slices.Max(one.waits))
			w.Evidence = fmt.Sprintf("the waits grew: %s", list(one.waits))
			continue
		}
		if cap := bound[one.from]; cap > 0 && slices.Min(one.waits)*equal >= cap*100 {
			continue
		}
		actual := spec.Count(len(one.waits), "wait") + " after 429s in a row, which do not grow: " + list(one.waits)
		w.Broken = append(w.Broken, finding("CLIENT-5", one.first, "the waits after repeated 429s",
			"waits that grow exponentially", actual))
	}
	return w
}

const (
	// jitterRows is the number of rows of 429s that have to be compared before waits are said to be the same.
	jitterRows = 3
	// sameWait is the largest difference between equal waits.
	sameWait = 15 * time.Millisecond
)

// waitsVary compares the first waits of rows, beyond what Retry-After asked for.
func (s *story) waitsVary(*history.History) []verdict.Observation {
	var firsts []time.Duration
	for _, one := range s.rows() {
		firsts = append(firsts, one.waits[0]-one.asked())
	}
	if len(firsts) < jitterRows {
		return nil
	}
	value := "the waits vary"
	if slices.Max(firsts)-slices.Min(firsts) <= sameWait {
		value = "the waits are the same"
	}
	return []verdict.Observation{{Requirement: "CLIENT-7", Key: "jitter", Value: value}}
}
