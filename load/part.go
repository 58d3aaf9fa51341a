package load

import (
	"math"
	"slices"
	"time"

	"petconform/load/record"
)

// part is a part of a fill: budget requests, of which up to workers are in flight.
type part struct{ budget, workers int }

const (
	// concurrency is the most requests of one key in flight at a time.
	concurrency = 16
	// mostPast is the largest number of requests in flight when the limit may be reached: 4. All of them may be refused, and a target may
	// ban a key after five refusals. There are more only if a bucket would gain requests faster than four at a time spend them.
	mostPast = 4
	// nearBefore and nearBeyond are how many requests before and after the limit are sent one at a time. Remaining can be compared
	// with what is accepted only while no other request is in flight.
	nearBefore, nearBeyond = 3, 2
)

// The times in which a part of a fill is to be sent, in fractions of a window. The bucket of a plan gains as large a fraction of the limit
// meanwhile.
const (
	// farTime is for the requests far below the limit: 1/20, so that few requests of a fill fall into the next window of a clock.
	farTime = 20
	// nearTime is for the requests near the limit, of which up to mostPast are in flight: 1/4.
	nearTime = 4
	// limitTime is for the requests at the limit, one at a time: 1/3. If they would take longer, they are not sent one at a time.
	limitTime = 3
	// bucketTime is the time in which one request at a time spends the plan, so that it spends a bucket twice as fast as the bucket gains: 1/2.
	bucketTime = 2
)

// part returns the next part of a fill that has sent sent requests within elapsed.
//
//   - Far below the limit, just enough requests are in flight to send them in farTime, but never fewer than least. If one at a time
//     is enough, a limit that is counted by connection shows only in the mixed phase.
//   - Near the limit, up to mostPast requests are in flight.
//   - At the plan's limit, and when a bucket would be empty, requests are sent one at a time.
//   - Beyond both, many are in flight again, until mostOfBurst requests were sent.
//
// If responses take so long that the window would end before that, up to mostPast are in flight at the limit too. They may all be refused;
// none is sent after the first 429.
func (l *lane) part(limit, least, sent int, elapsed time.Duration) part {
	window := l.run.cfg.Minute
	workers := max(l.inFlight(limit, window/farTime), least)
	ahead := max(1, limit-3*workers)
	if workers == 1 {
		ahead = limit * 4 / 5
	}
	gained := int(float64(limit) * float64(elapsed) / float64(window))
	most := mostOfBurst(limit)
	far := min(limit+gained+3*workers+limit/10, most)
	outrun := l.inFlight(2*limit, window)
	few := max(min(l.inFlight(limit-ahead, window/nearTime), mostPast), outrun)
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

// ends returns the numbers of the requests at which the limit may be reached, if there is time to send these one at a time: the plan's
// limit, unless Remaining is larger than left, and the limit plus a bucket's gain, unless the bucket gains requests faster than one at a
// time spends them.
func (l *lane) ends(limit, left, gained int) []int {
	var out []int
	took, window := l.usual(), l.run.cfg.Minute
	if r := &l.newest; took*(nearBefore+nearBeyond) < window/limitTime && (!l.ofMinute(r) || int(r.Remaining) <= left) {
		out = append(out, limit)
	}
	if took*time.Duration(limit) < window/bucketTime {
		out = append(out, limit+gained)
	}
	return out
}

// inFlight returns how many requests must be in flight so that all are answered within a time, at most concurrency.
func (l *lane) inFlight(requests int, within time.Duration) int {
	whole := l.usual() * time.Duration(requests)
	return min(max(1, int(math.Ceil(float64(whole)/float64(within)))), concurrency)
}

// lately is the number of the last response times that are kept: 7.
const lately = 7

// took keeps the response time of a request during which no other was in flight. Only the last lately count, so a slow start is forgotten.
func (l *lane) took(r *record.Record) {
	if !r.Accepted() {
		return
	}
	if l.lasted = append(l.lasted, r.Done); len(l.lasted) > lately {
		l.lasted = l.lasted[1:]
	}
}

// usual returns the median of the last response times, or 0 if there is none.
func (l *lane) usual() time.Duration {
	if len(l.lasted) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(l.lasted))
	return sorted[len(sorted)/2]
}

// slowest returns the longest of the last response times, or 0 if there is none.
func (l *lane) slowest() time.Duration {
	if len(l.lasted) == 0 {
		return 0
	}
	return slices.Max(l.lasted)
}
