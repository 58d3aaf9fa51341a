package limiter

import (
	"math"
	"slices"
	"sort"
	"time"
)

// ClockWindow is a fixed window on the clock: windows begin at whole multiples of their length, counted from some moment, and each
// accepts the limit. The moment at which one ends and the next begins is called an edge.
//
// With 3 a minute and edges at :00: requests at 12:00:58, 12:00:59 and 12:00:59.5 are accepted, and one at 12:00:59.9 is refused.
// Three more at 12:01:00 are accepted: 6 within 2 s are lawful if there is an edge between them.
type ClockWindow struct{}

func (ClockWindow) Name() string { return "fixed window on the clock" }

// explain finds the phase of the clock that agrees with most requests. The requests show where edges are:
//
//   - There is an edge between the first and the last of limit+1 accepted requests, not before the Reset of the first.
//   - More than twice the limit within a window would need two edges, so no phase explains it.
//   - There is no edge between a refused request and the limit-th counted request before it.
//   - There is an edge between a refused request and the next accepted one.
func (ClockWindow) explain(e *events) Account {
	var a Account
	var all []arc
	latest := time.Duration(0)
	for j, s := range e.accepted {
		latest = max(latest, s.to)
		within := func(n int) bool { return j >= n && latest-e.accepted[j-n].from < e.window-EdgeTolerance(e.window) }
		if first := j - e.limit; within(2 * e.limit) {
			a.Over = append(a.Over, s.at)
		} else if within(e.limit) {
			all = append(all, arc{max(e.accepted[first].from, e.accepted[first].reset), latest, s.at, true})
		}
	}
	for _, r := range e.refused {
		before := slices.SortedFunc(e.before(e.counted, r, e.trailing(r)), func(x, y span) int { return int(y.to - x.to) })
		if len(before) < e.limit {
			all = append(all, arc{0, -2 * e.window, r.at, false})
			continue
		}
		if full := before[e.limit-1].to; full < r.from {
			all = append(all, arc{r.from, full + e.window, r.at, false})
		}
		if next := e.acceptedAfter(r); next.to-r.from < e.window {
			all = append(all, arc{r.from, next.to, r.at, false})
		}
	}
	phase := commonPhase(all, e.window, e.edgeOff())
	var fitted []arc
	for _, one := range all {
		switch {
		case !one.has(phase, e.window, e.edgeOff()):
			if one.over {
				a.Over = append(a.Over, one.at)
			} else {
				a.Early = append(a.Early, one.at)
			}
		case one.over:
			fitted = append(fitted, one)
		}
	}
	a.Fitted = apart(fitted, e.window)
	return a
}

// acceptedAfter returns the first accepted request after the refused request r, or one in the far future if there is none.
func (e *events) acceptedAfter(r span) span {
	if i := sort.Search(len(e.accepted), func(i int) bool { return e.accepted[i].from >= r.to }); i < len(e.accepted) {
		return e.accepted[i]
	}
	return span{to: math.MaxInt64}
}

// arc is a time in which there must be an edge, because of Requests[at].
type arc struct {
	from, to time.Duration
	at       int
	// over says that the request was accepted, and is one more than the limit if there is no edge.
	over bool
}

// has reports whether one of the edges, which are a period apart, is in the arc or at most off outside.
func (a *arc) has(phase, period, off time.Duration) bool {
	long := a.to - a.from + 2*off
	return long >= 0 && mod(phase-(a.from-off), period) <= long
}

func mod(d, period time.Duration) time.Duration { return (d%period + period) % period }

// commonPhase returns the phase whose edges are in the largest number of arcs. It is the beginning of one of the arcs. So commonPhase sorts
// the beginnings and ends of the arcs, and counts the open arcs at each of them.
func commonPhase(all []arc, period, off time.Duration) time.Duration {
	type change struct {
		at time.Duration
		by int
	}
	var changes []change
	n := 0
	for _, a := range all {
		long := a.to - a.from + 2*off
		if long < 0 || long >= period {
			continue
		}
		begin := mod(a.from-off, period)
		changes = append(changes, change{begin, 1})
		if end := begin + long + 1; end < period {
			changes = append(changes, change{end, -1})
		} else { // the arc continues at the beginning of the period
			n++
			changes = append(changes, change{end - period, -1})
		}
	}
	slices.SortFunc(changes, func(x, y change) int {
		if x.at != y.at {
			return int(x.at - y.at)
		}
		return x.by - y.by
	})
	best, phase := n, time.Duration(0)
	for _, c := range changes {
		if n += c.by; n > best {
			best, phase = n, c.at
		}
	}
	return phase
}

// apart counts the arcs that begin at least a window after the last one that it counted.
func apart(all []arc, window time.Duration) int {
	n, last := 0, time.Duration(0)
	for _, a := range all {
		if n == 0 || a.from-last >= window {
			n, last = n+1, a.from
		}
	}
	return n
}
