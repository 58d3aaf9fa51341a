package limiter

import (
	"slices"
	"sort"
	"time"
)

// A sliding log keeps the time of each request, and accepts a request if the window before it has fewer than the limit.
//
// With 3 a minute: requests at 0 s, 10 s and 50 s are accepted. One at 59 s is refused, since the minute before it has
// 3 requests. One at 60 s is accepted, since the one at 0 s is a minute old. One at 65 s is refused, because of those
// at 10 s, 50 s and 60 s.
func (e *spans) log() bool { return e.keeps(e.overPlan, e.underPlan) }

// overPlan reports whether the limit was accepted in the window before the i-th accepted request.
func (e *spans) overPlan(i int, _ span) bool {
	return i >= e.limit && e.apart(i, e.limit) < e.window-EdgeTolerance(e.window)
}

// underPlan reports whether fewer than the limit were sent in the window before a refused request.
func (e *spans) underPlan(r span) bool { return e.countBefore(e.any, r, e.trailing(r)) < e.limit }

// A fixed window on the clock: windows begin at whole multiples of their length, counted from some moment, and each
// accepts the limit. The moment at which one ends and the next begins is called an edge.
//
// With 3 a minute and edges at :00: requests at 12:00:58, 12:00:59 and 12:00:59.5 are accepted, and one at 12:00:59.9
// is refused. Three more at 12:01:00 are accepted: 6 within 2 s are lawful if there is an edge between them.
//
// It is a sliding window of one part.
func (e *spans) clockWindow() bool { return e.ofParts(1, e.counted) }

// A sliding window that is counted in parts: there is one count for each part of a window, and the window is the sum of
// the newest parts. So a request is forgotten up to one part too early.
//
// With 60 a minute in parts of 6 s, on the clock: 60 requests at 12:00:05 are accepted, and one at 12:00:59 is refused.
// At 12:01:00 the part from 12:00:00 to 12:00:06 is dropped, so 60 more are accepted, 55 s after the first.
func (e *spans) parts() bool {
	return slices.ContainsFunc(stepsPerWindow, func(n int) bool { return e.ofParts(n, e.any) })
}

// ofParts counts the accepted requests that were surely in the window of n parts at each response, and those that may
// have been in it at each refusal. may are the requests that may count. If there is one part, nothing is accepted after a
// refusal before the next edge.
func (e *spans) ofParts(n int, may []span) bool {
	return e.fits(n, func(part, phase, off time.Duration) bool {
		oldest := func(t time.Duration) time.Duration { // the beginning of the oldest part that counts at t
			return (t-phase+e.window)/part*part + phase - 2*e.window + part
		}
		return e.keeps(func(i int, r span) bool {
			since := oldest(r.to+off) + off
			left := sort.Search(len(e.accepted), func(k int) bool { return e.accepted[k].from >= since })
			return i+1-left > e.limit
		}, func(r span) bool {
			next := sort.Search(len(e.accepted), func(k int) bool { return e.accepted[k].from >= r.to })
			again := n == 1 && next < len(e.accepted) && oldest(e.accepted[next].to+off)+off < r.from
			return again || e.countBefore(may, r, oldest(r.from-off)-off) < e.limit
		})
	})
}

// A sliding counter has one count for each window on the clock. It estimates the requests of the last minute as those of
// this clock minute plus a part of those of the minute before, as if these had been spread evenly.
//
// With 60 a minute: 60 requests at 12:00:50 are accepted. At 12:01:15 three quarters of them still count: the estimate
// is 45, so 15 more are accepted and the next is refused. At 12:01:45 the estimate is 15+15, so 30 more are accepted.
func (e *spans) counter() bool {
	return e.fits(1, func(_, phase, _ time.Duration) bool {
		c := counting{e, phase}
		return e.keeps(c.over(), func(r span) bool { return c.estimate(r) <= float64(e.limit)-1+rounding })
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

// over computes the estimate at each response, without its own request. A request that was in flight at the end of a
// window may belong to either window, so it counts for the earlier one. The phase may be off by 1/phases.
func (c *counting) over() func(int, span) bool {
	before, now, number := 0, 0, int64(-1)
	return func(_ int, r span) bool {
		n, passed := c.number(r.to)
		if n != number {
			if before = 0; n == number+1 {
				before = now
			}
			now, number = 0, n
		}
		if sent, _ := c.number(r.from); sent < n {
			before += int(max(0, 2-(n-sent)))
			return false
		}
		now++
		return float64(now-1)+max(0, 1-passed-1.0/phases)*float64(before) >= float64(c.limit)
	}
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
		most = max(most, float64(current)+min(1, 1-passed+1.0/phases)*float64(previous))
	}
	return most
}

// A fixed window that begins with the first request after the last window ended.
//
// With 3 a minute: a request at 10 s opens a window until 70 s; those at 20 s and 69 s are accepted too, and one at
// 69.5 s is refused. One at 71 s opens the next window, until 131 s. So up to 5 are accepted within 2 s, if 2 come at
// the end of a window.
//
// All ways in which the windows may have begun are considered. Each window begins with an accepted request after the
// end of the window before, and accepts up to the limit. A request must be refused only in a full window. The first
// window of the events may have begun before them.
func (e *spans) firstWindow() bool {
	n := len(e.accepted)
	f := firstWindows{spans: e, begins: make([]bool, n+1), filled: make([]bool, n+1)}
	for _, r := range e.refused {
		one := e.fullAt(r)
		if one.most < e.limit {
			return false
		}
		f.refused = append(f.refused, one)
	}
	slices.SortStableFunc(f.refused, func(x, y refusal) int { return x.most - y.most })
	f.begin(0, e.limit)
	ended := 0
	for i := range n {
		if !f.begins[i] {
			continue
		}
		for ended = max(ended, i+1); ended < n && e.apart(ended, ended-i) < e.window-EdgeTolerance(e.window); ended++ {
		}
		if f.following(i, ended) {
			return true
		}
	}
	return n == 0
}

// refusal is a refused request with the least and the most accepted requests that the limiter may have seen before it.
type refusal struct {
	span
	least, most int
}

// fullAt returns r with the bounds of the accepted requests before it. Each Unknown request of its window may have been
// counted.
func (e *spans) fullAt(r span) refusal {
	one := refusal{span: r, most: sort.Search(len(e.accepted), func(i int) bool { return e.accepted[i].from > r.to })}
	one.least = sort.Search(len(e.answered), func(i int) bool { return e.answered[i].to > r.from })
	since := e.trailing(r)
	one.most += e.countBefore(e.counted, r, since) - e.countBefore(e.accepted, r, since)
	return one
}

// firstWindows finds the windows of the events.
type firstWindows struct {
	*spans
	refused []refusal
	// begins[i] says that a window may begin with accepted request i, and filled[i] that one was full before it, which
	// explains a refusal.
	begins, filled []bool
}

// begin notes that a window may begin with each of the accepted requests first to last.
func (f *firstWindows) begin(first, last int) {
	for i := first; i <= min(last, len(f.accepted)); i++ {
		f.begins[i] = true
	}
}

// next returns the first refused request that the limiter may have seen after accepted request i. It skips those that
// it may also have seen before, if a full window explains them.
func (f *firstWindows) next(i int) int {
	k := sort.Search(len(f.refused), func(k int) bool { return f.refused[k].most > i })
	for f.filled[i] && k < len(f.refused) && f.refused[k].least <= i {
		k++
	}
	return k
}

// following notes the requests with which the next window may begin, if one begins with request i: not before request
// ended, and not after the first request beyond the window's end or its limit. If a request is refused in the window,
// the next one begins with request i+limit. following reports whether the window may be the last one.
func (f *firstWindows) following(i, ended int) (end bool) {
	n, full, refused := len(f.accepted), i+f.limit, f.next(i)
	until := f.answered[i].to + f.window + EdgeTolerance(f.window)
	to := min(full, sort.Search(n, func(k int) bool { return f.accepted[k].from >= until }))
	if refused == len(f.refused) {
		f.begin(ended, to)
		return to >= n
	}
	r := f.refused[refused]
	f.begin(ended, min(to, r.most-1))
	if full < r.least || full > r.most || r.from >= until {
		return false
	}
	if full <= n {
		f.filled[full] = true
	}
	if full >= ended {
		f.begin(full, full)
	}
	return full == n && f.next(n) == len(f.refused)
}
