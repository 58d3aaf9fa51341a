package load

import (
	"math"
	"slices"
	"time"

	"petconform/load/record"
)

// part is a stretch of a fill: budget requests, of which workers are in flight at a time.
type part struct{ budget, workers int }

const (
	// concurrency is the most requests of one key in flight at a time.
	concurrency = 16
	// mostPast is the most requests in flight when the limit may be reached. All four may be refused, and a target may ban a key
	// after five refusals. More are in flight only where a bucket would gain requests faster than four at a time spend them.
	mostPast = 4
	// nearBefore and nearBeyond are how many requests before and after the limit are sent one at a time. Remaining can be compared
	// with what is accepted only while no other request is in flight.
	nearBefore, nearBeyond = 3, 2
)

// part gives the next stretch of a fill of which sent requests were sent within elapsed.
//
//   - Far below the limit as many requests are in flight as the time needs: one if one at a time is fast enough, since a limit that
//     is counted by connection has to show in the mixed phase and not here; never fewer than least.
//   - Near the limit a few are in flight, up to mostPast.
//   - At the plan's limit, and where a bucket would be empty, requests are sent one at a time.
//   - Beyond both many are in flight again, up to twice the plan.
//
// Where responses take so long that the window would end first, a few are in flight at the limit too. They are refused as well;
// none is sent after the first 429.
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

// ends gives the numbers of the requests at which the limit may be reached, where there is time to send one at a time: the plan's
// limit, unless Remaining says that more is left, and the limit with a bucket's gain, unless the bucket gains faster than one at a
// time spends it.
func (l *lane) ends(limit, left, gained int) []int {
	var out []int
	took, window := l.usual(), l.run.cfg.Minute
	if r := &l.newest; took*(nearBefore+nearBeyond) < window/3 && (!l.ofMinute(r) || int(r.Remaining) <= left) {
		out = append(out, limit)
	}
	if took*time.Duration(limit) < window/2 {
		out = append(out, limit+gained)
	}
	return out
}

// abreast is how many requests have to be in flight so that all of them are answered within a time.
func (l *lane) abreast(requests int, within time.Duration) int {
	whole := l.usual() * time.Duration(requests)
	return min(max(1, int(math.Ceil(float64(whole)/float64(within)))), concurrency)
}

// lately is how many of the last responses are used to tell how long a response takes.
const lately = 7

// took notes how long a response took while no other request was in flight. Only the last few count, so a slow start is forgotten.
func (l *lane) took(r *record.Record) {
	if !r.Accepted() {
		return
	}
	if l.lasted = append(l.lasted, r.Done); len(l.lasted) > lately {
		l.lasted = l.lasted[1:]
	}
}

// usual is the median time of the last responses, 0 when there is none. slowest is the longest.
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
