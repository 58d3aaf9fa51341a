package limiter

import "time"

// Counter is a sliding counter: it has one count for each window on the clock. It estimates the requests of the last
// minute as those of this clock minute plus a part of those of the minute before, as if these had been spread evenly.
//
// With 60 a minute: 60 requests at 12:00:50 are accepted. At 12:01:15 three quarters of them still count: the estimate
// is 45, so 15 more are accepted and the next is refused. At 12:01:45 the estimate is 15+15, so 30 more are accepted.
type Counter struct{}

func (Counter) Name() string { return "sliding counter" }

// counterPhases is the number of phases of the clock that are tried: one every 30 ms of a minute.
const counterPhases = 2000

func (Counter) explain(e *spans) Account {
	return e.fit(e.worst(), counterPhases, func(tried *spans, k int) Account {
		c := counting{spans: tried, phase: e.window * time.Duration(k) / counterPhases}
		return c.explain()
	})
}

// counting is a sliding counter. phase is the time at which one of its clock's windows begins, less than a window.
type counting struct {
	*spans
	phase time.Duration
}

// number returns the number of the clock's window at t, and the part of the window before t, from 0 to 1.
func (c *counting) number(t time.Duration) (number int64, passed float64) {
	t += c.window - c.phase
	number = int64(t / c.window)
	return number, float64(t-c.window*time.Duration(number)) / float64(c.window)
}

// explain computes the estimate at each response. A request that was in flight at the end of a window may belong to
// either window, so it counts for the earlier one.
func (c *counting) explain() (a Account) {
	before, now, number := 0, 0, int64(-1)
	for _, r := range c.answered {
		n, passed := c.number(r.to)
		if n != number {
			if before = 0; n == number+1 {
				before = now
			}
			now, number = 0, n
		}
		if sent, _ := c.number(r.from); sent < n {
			before += int(max(0, 2-(n-sent)))
			continue
		}
		// The estimate is without this request. The phase may be off by 1/counterPhases.
		share := max(0, 1-passed-1.0/counterPhases)
		if float64(now)+share*float64(before) >= float64(c.limit) {
			if a.Over = append(a.Over, r.at); c.stop(&a) {
				return a
			}
		} else {
			now++
		}
	}
	for _, r := range c.refused {
		if c.estimate(r) <= float64(c.limit)-1+rounding {
			if a.Early = append(a.Early, r.at); c.stop(&a) {
				return a
			}
		}
	}
	return a
}

// estimate returns the largest estimate that the counter may have had when r was refused.
func (c *counting) estimate(r span) float64 {
	most := 0.0
	for _, at := range []time.Duration{r.from, r.to} {
		n, passed := c.number(at)
		start := c.window*time.Duration(n-1) + c.phase
		current, previous := 0, 0
		for s := range c.before(c.any, r, start-c.window) {
			if s.to >= start {
				current++
			} else {
				previous++
			}
		}
		most = max(most, float64(current)+min(1, 1-passed+1.0/counterPhases)*float64(previous))
	}
	return most
}
