package judge

import (
	"sort"
	"time"

	"petconform/load/record"
)

// aside is the part of a window by which the edge of a trailing window is taken in the target's favour: its clock is
// coarse, and ticks apart from ours.
const aside = 200

// counting is a way to count that a lawful limiter may have: it says whether it lets own[i] through.
type counting struct {
	// lets says whether it lets through what was accepted before the mixed phase, and refuses whether it may refuse own[i].
	// A limiter may count the requests that it has refused.
	lets    func() bool
	refuses func(i int) bool
}

// countings are the lawful ways.
func (v *view) countings() []counting {
	all := v.alone()
	ways := []counting{
		{ // windows on the clock, from the first request, or the trailing one
			lets: func() bool {
				fits, _ := v.windowsFit(all, 0, v.alonesRefusals(all))
				return fits || v.clockFits(all)
			},
			refuses: func(i int) bool { return v.countWithin(i, v.own[i].Sent-v.window-v.window/aside) >= v.limit },
		},
		{ // a bucket, also by the generic cell rate algorithm
			lets: func() bool { return v.holds(all, 0) },
			refuses: func(i int) bool {
				return v.overtaken(v.buckets[i], i) < 1+v.perWindow(2*v.slowest(i)+coarse)
			},
		},
		{ // a sliding counter
			lets:    func() bool { return v.counterFits(all, roughly) },
			refuses: func(i int) bool { return v.estimated(i) > float64(v.limit)-1+1e-6 },
		},
	}
	for _, n := range stepsPerMinute {
		gain := v.limit / n
		if gain < leastGain {
			continue
		}
		period := v.window / time.Duration(n)
		levels := v.fillInSteps(gain, period)
		ways = append(ways, counting{
			lets: func() bool {
				return v.holds(all, gain) && v.commonPhase(v.edgesAfterRefusals(), period, v.apart())
			},
			refuses: func(i int) bool { return v.overtaken(levels[i], i) < 1 },
		})
	}
	return ways
}

// suppose finds the way to count that leaves the fewest 429s unexplained. A limiter counts in one way all the time, so that
// one 429 can't be excused by this and the next one by that; and a way that does not let through what was accepted is none.
func (v *view) suppose() counting {
	all := v.countings()
	best, fewest := all[0], -1
	for _, c := range all {
		if fewest == 0 || !c.lets() {
			continue
		}
		n := 0
		for _, p := range spending {
			for _, i := range v.firstRefusals(p) {
				if !c.refuses(i) && !v.ofDay(v.own[i]) {
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

// overtaken gives what is left of a bucket's level when those that were sent later took their tokens before own[i].
func (v *view) overtaken(level float64, i int) float64 {
	for j := i + 1; j < len(v.own) && v.own[j].Sent <= v.own[i].Received(); j++ {
		if !v.own[j].Limited() {
			level--
		}
	}
	return level
}

// slowest is the longest that an answer took of own[i]'s round, up to it: as little is known of when the target saw them.
func (v *view) slowest(i int) time.Duration {
	r := v.own[i]
	slowest := r.Done
	for j := i - 1; j >= 0 && v.own[j].Phase == r.Phase && v.own[j].Round == r.Round; j-- {
		slowest = max(slowest, v.own[j].Done)
	}
	return slowest
}

// fillInSteps plays a bucket that gains so much once in each period, at moments that are not known: the emptiest that it
// can be before each of own. It is full after a window of silence, and empty after a 429.
func (v *view) fillInSteps(gain int, period time.Duration) []float64 {
	levels := make([]float64, len(v.own))
	base, spent, lost := v.limit, 0, 1
	since, last := time.Duration(0), time.Duration(0)
	for i, r := range v.own {
		level := base + gain*max(0, int((r.Sent-since)/period)-lost) - spent
		if level >= v.limit || r.Sent-last > v.window+period {
			level, base, spent, lost, since = v.limit, v.limit, 0, 1, r.Sent // a step that finds it nearly full is lost
		}
		levels[i] = float64(level)
		if r.Limited() {
			base, spent, lost, since = 0, 0, 0, r.Received()
		} else {
			spent++
		}
		last = r.Sent
	}
	return levels
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
