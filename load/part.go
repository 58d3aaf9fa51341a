package load

import (
	"math"
	"slices"
	"time"

	"petconform/load/record"
)

// part is a stretch of a fill with so many requests under way at a time.
type part struct{ budget, workers int }

const (
	// concurrency is the most requests of one key in flight at a time.
	concurrency = 16
	// mostPast is how many requests may be under way where the limit may be reached: all of them may be refused, and a
	// target may take five refusals for leave to ban the key. There are more only where a bucket would outrun so few.
	mostPast = 4
	// nearBefore and nearBeyond are how many requests next to the limit are sent one after the other: what each answer says is left
	// can be compared with what comes only where no other request is under way.
	nearBefore, nearBeyond = 3, 2
)

// part gives the next stretch of a fill that has sent so many requests within a time: side by side while the answers under
// way can't reach the limit, few at a time past that, one after the other where the plan's limit is reached, and where a
// bucket's would be; and side by side again when nothing stopped it, up to twice the plan. Where one connection is quick
// enough all goes one after the other, unless more are asked for: a limit that is counted by connection shall show in the
// mixed phase, and not here. Where answers take so long that the window would be over before its limit is reached, a few
// are under way past it too: they are refused as well, and none of them is sent after a 429 that came.
func (l *lane) part(limit, least, sent int, elapsed time.Duration) part {
	window := l.run.cfg.Minute
	workers := max(l.abreast(limit, window/20), least)
	ahead := max(1, limit-3*workers)
	if workers == 1 {
		ahead = limit * 4 / 5
	}
	gained := int(float64(limit) * float64(elapsed) / float64(window))
	most := mostOfBurst(limit)
	far := min(limit+gained+3*workers+limit/10, most)
	outrun := l.abreast(2*limit, window)
	few := max(min(l.abreast(limit-ahead, window/4), mostPast), outrun)
	switch {
	case sent < ahead:
		return part{ahead - sent, workers}
	case sent >= far:
		return part{max(0, most-sent), workers}
	case few == 1:
		return part{far - sent, 1}
	}
	next := far
	for _, end := range l.ends(limit, limit-sent+max(workers, mostPast), gained) {
		switch {
		case sent >= end-nearBefore && sent < end+nearBeyond:
			return part{min(end+nearBeyond, far) - sent, 1}
		case sent < end-nearBefore:
			next = min(next, end-nearBefore)
		}
	}
	return part{next - sent, few}
}

// ends gives where the limit may be reached, as far as there is time to send one after the other there: the plan's, unless
// the target says that more is left than there would be, and that of a bucket, unless it gains more meanwhile than that takes
// of it.
func (l *lane) ends(limit, left, gained int) []int {
	var out []int
	took, window := l.usual(), l.run.cfg.Minute
	if r := &l.newest; took*(nearBefore+nearBeyond) < window/3 && (!l.telling(r) || int(r.Remaining) <= left) {
		out = append(out, limit)
	}
	if took*time.Duration(limit) < window/2 {
		out = append(out, limit+gained)
	}
	return out
}

// abreast is how many requests have to be under way at a time to have so many answered within a time.
func (l *lane) abreast(requests int, within time.Duration) int {
	whole := l.usual() * time.Duration(requests)
	return min(max(1, int(math.Ceil(float64(whole)/float64(within)))), concurrency)
}

// lately is how many of the last answers tell how long one takes.
const lately = 7

// took learns how long an answer took while nothing else was under way. A machine that was busy at first is forgotten.
func (l *lane) took(r *record.Record) {
	if !r.Accepted() {
		return
	}
	if l.lasted = append(l.lasted, r.Done); len(l.lasted) > lately {
		l.lasted = l.lasted[1:]
	}
}

// usual is how long an answer takes lately, in the median, and slowest is the longest.
func (l *lane) usual() time.Duration {
	if len(l.lasted) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(l.lasted))
	return sorted[len(sorted)/2]
}

func (l *lane) slowest() time.Duration {
	if len(l.lasted) == 0 {
		return 0
	}
	return slices.Max(l.lasted)
}
