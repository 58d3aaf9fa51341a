package limiter

import (
	"sort"
	"time"
)

// Parts is a sliding window that is counted in parts: there is one count for each part of a window, and the window is
// the sum of the newest parts. So a request is forgotten up to one part too early.
//
// With 60 a minute in parts of 6 s, on the clock: 60 requests at 12:00:05 are accepted, and one at 12:00:59 is refused.
// At 12:01:00 the part from 12:00:00 to 12:00:06 is dropped, so 60 more are accepted, 55 s after the first.
type Parts struct{}

func (Parts) Name() string { return "sliding window in parts" }

// partPhases is the number of phases of the clock that are tried: one every 30 ms if a part is 6 s.
const partPhases = 200

func (Parts) explain(e *spans) Account {
	best := e.worst()
	for _, n := range stepsPerWindow {
		part := e.window / time.Duration(n)
		best = e.fit(best, partPhases, func(tried *spans, k int) Account {
			c := parts{tried, n, part, part * time.Duration(k) / partPhases}
			return c.explain()
		})
	}
	return best
}

// parts is a window of n parts. phase is the time at which one of them begins, less than a part.
type parts struct {
	*spans
	n           int
	part, phase time.Duration
}

// oldest returns the beginning of the oldest part that counts at t.
func (p *parts) oldest(t time.Duration) time.Duration {
	whole := p.part * time.Duration(p.n)
	return (t-p.phase+whole)/p.part*p.part + p.phase - 2*whole + p.part
}

// explain counts the accepted requests that were surely in the window at each response, and those that may have been in
// it at each refusal.
func (p *parts) explain() (a Account) {
	off := p.part/partPhases + p.edgeOff()
	var over []time.Duration // when the requests in a.Over were sent
	for i, r := range p.answered {
		since := p.oldest(r.to+off) + off
		left := sort.Search(len(p.accepted), func(k int) bool { return p.accepted[k].from >= since })
		beyond := len(over) - sort.Search(len(over), func(k int) bool { return over[k] >= since })
		if i+1-left-beyond > p.limit {
			a.Over, over = append(a.Over, r.at), append(over, r.from)
			if p.stop(&a) {
				return a
			}
		}
	}
	for _, r := range p.refused {
		if p.countBefore(p.any, r, p.oldest(r.from-off)-off) < p.limit {
			if a.Early = append(a.Early, r.at); p.stop(&a) {
				return a
			}
		}
	}
	return a
}
