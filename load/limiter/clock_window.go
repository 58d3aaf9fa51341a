package limiter

import (
	"sort"
	"time"
)

// ClockWindow is a fixed window on the clock: windows begin at whole multiples of their length, counted from some
// moment, and each accepts the limit. The moment at which one ends and the next begins is called an edge.
//
// With 3 a minute and edges at :00: requests at 12:00:58, 12:00:59 and 12:00:59.5 are accepted, and one at 12:00:59.9
// is refused. Three more at 12:01:00 are accepted: 6 within 2 s are lawful if there is an edge between them.
type ClockWindow struct{}

func (ClockWindow) Name() string { return "fixed window on the clock" }

// clockPhases is the number of phases of the clock that are tried: one every 30 ms of a minute.
const clockPhases = 2000

func (ClockWindow) explain(e *events) Account {
	a := e.fit(e.worst(), clockPhases, func(tried *events, k int) Account {
		c := clock{tried, e.window * time.Duration(k) / clockPhases, e.window/clockPhases + e.edgeOff()}
		return c.explain()
	})
	a.Fitted = e.times(Log{}.explain(e).Over) - e.times(a.Over)
	return a
}

// clock is a clock with an edge at phase, which is less than a window. Edges may be off by off.
type clock struct {
	*events
	phase, off time.Duration
}

// edge returns the last edge up to t.
func (c *clock) edge(t time.Duration) time.Duration {
	return (t-c.phase+c.window)/c.window*c.window + c.phase - c.window
}

// explain counts the accepted requests that were surely in the window of each response, and those that may have been in
// it at each refusal. After a refusal nothing is accepted before the next edge.
func (c *clock) explain() (a Account) {
	for i, r := range c.answered {
		since := c.edge(r.to+c.off) + c.off
		left := sort.Search(len(c.accepted), func(k int) bool { return c.accepted[k].from >= since })
		if i+1-left > c.limit || c.twoEdges(i, since) {
			if a.Over = append(a.Over, r.at); c.stop(&a) {
				return a
			}
		}
	}
	for _, r := range c.refused {
		since := c.edge(r.from-c.off) - c.off
		if c.countBefore(c.counted, r, since) < c.limit {
			a.Early = append(a.Early, r.at)
		}
		next := sort.Search(len(c.accepted), func(i int) bool { return c.accepted[i].from >= r.to })
		if next < len(c.accepted) && c.edge(c.accepted[next].to+c.off)+c.off < r.from {
			a.Early = append(a.Early, r.at)
		}
		if c.stop(&a) {
			return a
		}
	}
	return a
}

// twoEdges reports whether the answered request i needs more than the edge before it: it is beyond twice the limit
// within a window, or beyond the limit although that edge was before the Reset that a request of the window before
// named.
func (c *clock) twoEdges(i int, edge time.Duration) bool {
	beyond := func(limit int) bool {
		return i >= limit && c.answered[i].to-c.accepted[i-limit].from < c.window-EdgeTolerance(c.window)
	}
	return beyond(2*c.limit) || beyond(c.limit) && c.accepted[i-c.limit].reset > edge
}
