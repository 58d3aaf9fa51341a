package load

import (
	"context"
	"math"
	"slices"
	"time"

	"petconform/load/record"
	"petconform/load/sender"
)

// part is a part of a fill: budget requests, of which up to workers are in flight.
type part struct{ budget, workers int }

const (
	// concurrency is the most requests of one key in flight at a time.
	concurrency = 16
	// mostPast is the largest number of requests in flight when the limit may be reached: 4. All of them may be
	// refused, and a target may ban a key after five refusals. There are more only if a bucket would gain requests
	// faster than four at a time spend them.
	mostPast = 4
	// nearBefore and nearBeyond are how many requests before and after the limit are sent one at a time. Remaining can
	// be compared with what is accepted only while no other request is in flight.
	nearBefore, nearBeyond = 3, 2
)

// The times in which a part of a fill is to be sent, in fractions of a window. The bucket of a plan gains as large a
// fraction of the limit meanwhile.
const (
	// farTime is for the requests far below the limit: 1/20, so that few requests of a fill fall into the next window
	// of a clock.
	farTime = 20
	// nearTime is for the requests near the limit, of which up to mostPast are in flight: 1/4.
	nearTime = 4
	// limitTime is for the requests at the limit, one at a time: 1/3. If they would take longer, they are not sent one
	// at a time.
	limitTime = 3
)

// part returns the next part of a fill that has sent sent requests within elapsed. All requests of a part are sent by
// as many at a time:
//
//   - Far below the limit, just enough to send them in farTime, but never fewer than least. If one at a time is enough, a limit that is
//     counted by connection shows only in the mixed phase.
//   - Near the limit, and until a bucket would be empty, one at a time, or up to mostPast if responses take long. At the limit one at a
//     time, unless the window would end before that.
//   - Beyond both, as many as far below, until mostOfBurst requests were sent.
//
// If several are in flight at the limit, they may all be refused. None is sent after the first 429.
func (l *lane) part(least, sent int, elapsed time.Duration) part {
	limit, window := int(l.key.Plan.PerMinute), l.run.cfg.Minute
	workers := max(l.inFlight(limit, window/farTime), least)
	near := max(1, limit-3*workers)
	if workers == 1 {
		near = limit * 4 / 5
	}
	gained := int(float64(limit) * float64(elapsed) / float64(window))
	most := mostOfBurst(limit)
	far := min(limit+gained+3*workers+limit/10, most)
	few := max(min(l.inFlight(limit-near, window/nearTime), mostPast), l.inFlight(2*limit, window))
	at, beyond := limit-nearBefore, min(limit+nearBeyond, far)
	single := l.usual()*(nearBefore+nearBeyond) < window/limitTime
	switch {
	case sent < near:
		return part{near - sent, workers}
	case sent >= far:
		return part{max(0, most-sent), workers}
	case single && sent < at:
		return part{at - sent, few}
	case single && sent < beyond:
		return part{beyond - sent, 1}
	}
	return part{far - sent, few}
}

// spend sends an attack from a fresh allowance, part by part, until the first 429, or until mostOfBurst requests were
// sent. If slow is set, the first part takes as long as a bucket needs for refills/2 tokens. Only the first is slow,
// since a bucket gains tokens between a Remaining and slow requests.
func (l *lane) spend(ctx context.Context, a sender.Attack, least int, slow bool) (filled, error) {
	out := filled{sent: 1, accepted: 1, began: l.looked()} // the request that showed the fresh allowance
	a.Gate = &sender.Gate{}
	for {
		part := l.part(least, out.sent, time.Since(out.began))
		if part.budget == 0 {
			return out, nil
		}
		a.Budget, a.Workers, a.Interval = part.budget, part.workers, 0
		if slow && out.sent == 1 {
			a.Interval = refills * l.run.cfg.Minute / time.Duration(2*int(l.key.Plan.PerMinute)*part.budget)
		}
		records, err := l.send(ctx, a)
		out.count(records)
		out.took = time.Since(out.began)
		if err != nil || out.limited || len(records) < part.budget {
			return out, err
		}
	}
}

// inFlight returns how many requests must be in flight so that all are answered within a time, at most concurrency.
func (l *lane) inFlight(requests int, within time.Duration) int {
	whole := l.usual() * time.Duration(requests)
	return min(max(1, int(math.Ceil(float64(whole)/float64(within)))), concurrency)
}

// timesKept is the number of the last response times that are kept: 7.
const timesKept = 7

// keepTime keeps the response time of a request during which no other was in flight. Only the last timesKept count, so
// a slow start is forgotten.
func (l *lane) keepTime(r *record.Record) {
	if !r.Accepted() {
		return
	}
	if l.times = append(l.times, r.Done); len(l.times) > timesKept {
		l.times = l.times[1:]
	}
}

// usual returns the median of the last response times, or 0 if there is none.
func (l *lane) usual() time.Duration {
	if len(l.times) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(l.times))
	return sorted[len(sorted)/2]
}

// slowest returns the longest of the last response times, or 0 if there is none.
func (l *lane) slowest() time.Duration {
	if len(l.times) == 0 {
		return 0
	}
	return slices.Max(l.times)
}
