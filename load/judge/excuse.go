package judge

import (
	"sort"
	"time"

	"petconform/load/record"
)

// aside is the part of a window by which the edge of a trailing window is taken in the target's favour: its clock is
// coarse, and ticks apart from ours.
const aside = 200

// counting is a way to count that a lawful limiter may have.
type counting int

const (
	// trailing counts the requests of a window: on the clock, from the first request, or the trailing one.
	trailing counting = iota
	// leaking is a bucket, also by the generic cell rate algorithm.
	leaking
	// estimating is a sliding counter.
	estimating
	countings
)

// excusedBy says whether a limiter that counts in that way refuses own[i]. It may count the requests that it has refused.
func (v *view) excusedBy(c counting, i int) bool {
	r := v.own[i]
	switch c {
	case trailing:
		return v.countWithin(i, r.Sent-v.window-v.window/aside) >= v.limit
	case leaking:
		overtaking := 0 // requests that were sent later, and may have taken a token before
		for j := i + 1; j < len(v.own) && v.own[j].Sent <= r.Received(); j++ {
			overtaking++
		}
		return v.buckets[i]-float64(overtaking) < 1+v.perWindow(2*r.Done+v.window/coarse)
	}
	return v.estimated(i) > float64(v.limit)-1+1e-6
}

// suppose finds the way to count that leaves the fewest 429s unexplained. A limiter counts in one way all the time, so that
// one 429 can't be excused by this and the next one by that; and a way that does not let through what was accepted is none.
func (v *view) suppose() counting {
	best, fewest := trailing, -1
	for c := range countings {
		if !v.lets(c) {
			continue
		}
		n := 0
		for _, p := range spending {
			for _, i := range v.firstRefusals(p) {
				if !v.excusedBy(c, i) && !v.ofDay(v.own[i]) {
					n++
				}
			}
		}
		if fewest < 0 || n < fewest {
			best, fewest = c, n
		}
	}
	return best
}

// spending are the phases that spend allowances.
var spending = []record.Phase{record.Fill, record.Under, record.Mixed, record.Overload}

// lets says whether a limiter that counts in that way lets through what was accepted before the mixed phase.
func (v *view) lets(c counting) bool {
	all := v.alone()
	switch c {
	case trailing:
		fits, _ := v.windowsFit(all, 0, v.alonesRefusals(all))
		return fits || v.clockFits(all)
	case leaking:
		return v.holds(all, 0) || v.holds(all, v.explain(v.bursts(record.Fill)).stepped)
	}
	return v.counterFits(all)
}

// countWithin counts the requests that the target may have counted since then and before own[i]; refused ones are among
// them.
func (v *view) countWithin(i int, since time.Duration) int {
	r, n := v.own[i], 0
	for j := len(v.own) - 1; j >= 0; j-- {
		x := v.own[j]
		if x.Sent < since-v.longest() {
			break
		}
		if j != i && x.Received() >= since && x.Sent <= r.Received() {
			n++
		}
	}
	return n
}

// longest is how long before a moment a request may have been sent that was still under way then.
func (v *view) longest() time.Duration { return 30 * time.Second }

// fillBuckets plays the plan's bucket over all requests: every one takes a token, also a refused one. That is the emptiest
// that a lawful bucket can be; a debt of more than a window is forgiven.
func (v *view) fillBuckets() []float64 {
	levels := make([]float64, len(v.own))
	level, last := float64(v.limit), time.Duration(0)
	for i, r := range v.own {
		level = min(float64(v.limit), level+v.perWindow(r.Sent-last))
		levels[i] = level
		level, last = max(level-1, -float64(v.limit)), r.Sent
	}
	return levels
}

// estimated is the most that a sliding counter may believe to lie in the trailing window at own[i]: wherever its windows
// begin, it weighs the requests of the one before by how much of it the trailing window still covers, as if they had come
// evenly. So it may refuse a little early, and may do so lawfully.
func (v *view) estimated(i int) float64 {
	at := v.own[i].Received()
	times := []time.Duration{}
	for j := i - 1; j >= 0 && at-v.own[j].Sent <= 2*v.window+v.window/aside; j-- {
		times = append(times, v.own[j].Received())
	}
	for j := i + 1; j < len(v.own) && v.own[j].Sent <= at; j++ {
		times = append(times, v.own[j].Sent)
	}
	sort.Slice(times, func(a, b int) bool { return times[a] < times[b] })
	since := func(t time.Duration) int {
		return len(times) - sort.Search(len(times), func(k int) bool { return times[k] >= t })
	}
	most := 0.0
	try := func(start time.Duration) {
		if start > at || at-start >= v.window {
			return
		}
		current := since(start)
		previous := since(start-v.window) - current
		share := 1 - float64(at-start)/float64(v.window)
		most = max(most, float64(current)+share*float64(previous))
	}
	for _, t := range times {
		try(t)
		try(t + v.window)
		try(t + 1)
		try(t + v.window + 1)
	}
	return most
}

// firstRefusals are the 429s to requests that spent, each following something else than a 429 of the same round.
func (v *view) firstRefusals(p record.Phase) []int {
	var out []int
	seen := map[int]bool{}
	for i, r := range v.own {
		if r.Phase == p && r.Role == record.Spend && r.Limited() && !seen[r.Round] {
			seen[r.Round] = true
			out = append(out, i)
		}
	}
	return out
}
