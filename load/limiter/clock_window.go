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

func (ClockWindow) explain(e *spans) Account {
	a := e.fit(e.worst(), clockPhases, func(tried *spans, k int) Account {
		c := clock{tried, e.window * time.Duration(k) / clockPhases, e.window/clockPhases + e.edgeOff()}
		return c.explain()
	})
	a.fitted = e.times(Log{}.explain(e).Over) - e.times(a.Over)
	return a
}

// clock is a clock with an edge at phase, which is less than a window. Edges may be off by off.
type clock struct {
	*spans
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
		twice := i >= 2*c.limit && r.to-c.accepted[i-2*c.limit].from < c.window-EdgeTolerance(c.window)
		if i+1-left > c.limit || twice { // twice the limit within a window has two edges
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
