package load

import (
	"context"
	"math"
	"slices"
	"time"

	"petconform/load/record"
)

// filled is what a lane needs to know of what a round has spent to decide what to send next. Package judge gives the
// verdict. It includes the request that showed the fresh window.
type filled struct {
	sent, accepted int
	limited        bool
	began          time.Time
	took           time.Duration
}

func (f *filled) add(r *record.Record) {
	if f.sent == 0 { // the request that showed the fresh allowance has been spent too
		f.sent, f.accepted = 1, 1
	}
	f.sent++
	f.limited = f.limited || r.Limited()
	if r.Accepted() {
		f.accepted++
	}
}

// asPlanned reports whether a round got a 429, after the plan's requests and up to as many more as a bucket gained
// meanwhile, and further ones.
func (l *lane) asPlanned(further float64) bool {
	f := &l.runner.spent
	gained := float64(l.limit()) * float64(f.took) / float64(l.run.cfg.Minute)
	return f.limited && f.accepted >= l.limit() && float64(f.accepted-l.limit()) <= gained+further
}

// part is a part of a burst: requests until a number, of which up to workers are in flight.
type part struct{ until, workers int }

const (
	// concurrency is the most requests of one key in flight at a time, but for those that a target delays.
	concurrency = 16
	// mostPast is the largest number of requests in flight when the limit may be reached, which is from the plan's
	// requests on: 4. All of them may be refused, and a target may ban a key after five refusals. There are more only if
	// responses take so long that four at a time would not send twice the plan's requests within a window.
	mostPast = 4
	// nearBefore and nearBeyond are how many requests before and after the limit are sent one at a time. Remaining can
	// be compared with what is accepted only while no other request is in flight.
	nearBefore, nearBeyond = 3, 2
)

// The times in which a part of a burst is to be sent, in fractions of a window: far below the limit, so that few
// requests fall into the next window of a clock; near the limit; and at the limit, one at a time, unless they would
// take longer.
const farTime, nearTime, limitTime = 20, 4, 3

// mostOfBurst returns the number of requests of a burst without a 429.
func mostOfBurst(limit int) int { return 2*limit + 3 }

// parts returns the parts of a burst:
//
//   - Far below the limit, with just enough requests in flight to send them in farTime, but never fewer than least. If
//     one at a time is enough, a limit that is counted by connection shows only in the mixed phase.
//   - From near the limit until mostOfBurst, one at a time, or up to mostPast if responses take long: the limit is
//     reached at the plan's requests, after what a bucket gains, or at up to twice as many if a window ends meanwhile.
//   - Between these two, at the plan's requests, one at a time, unless the window would end before that.
//
// None is sent after the first 429. Those in flight may be refused too.
func (l *lane) parts(least int) []part {
	limit, window := l.limit(), l.run.cfg.Minute
	workers := max(l.inFlight(limit, window/farTime), least)
	near := max(1, limit-3*workers)
	if workers == 1 {
		near = limit * 4 / 5
	}
	few := max(min(l.inFlight(limit-near, window/nearTime), mostPast), l.inFlight(2*limit, window))
	parts := []part{{near, workers}, {mostOfBurst(limit), few}}
	if l.usual()*(nearBefore+nearBeyond) < window/limitTime {
		parts = slices.Insert(parts, 1, part{limit - nearBefore, few}, part{limit + nearBeyond, 1})
	}
	return parts
}

// burst sends a step from a fresh allowance, part by part, until the first 429 or until mostOfBurst requests were
// sent. If Slow is set, the first part takes that long; only the first, since a bucket gains tokens between a
// Remaining and slow requests.
func (l *lane) burst(ctx context.Context, s *Step) error {
	one, sent := *s, 1 // the request that showed the fresh allowance is one
	one.AtFirst429 = true
	for i, part := range l.parts(s.Workers) {
		one.Budget, one.Workers, one.Every = max(0, part.until-sent), part.workers, 0
		if one.Budget == 0 {
			continue
		}
		if i == 0 {
			one.Every = s.Slow / time.Duration(one.Budget)
		}
		err := l.attack(ctx, &one)
		if sent = l.runner.spent.sent; err != nil || l.runner.gate.Shut() || sent < part.until {
			return err
		}
	}
	return nil
}

// inFlight returns how many requests must be in flight so that all are answered within a time, at most concurrency.
func (l *lane) inFlight(requests int, within time.Duration) int {
	whole := l.usual() * time.Duration(requests)
	return min(max(1, int(math.Ceil(float64(whole)/float64(within)))), concurrency)
}

// timesKept is the number of the last response times that are kept: 7. Only these count, so a slow start is forgotten.
const timesKept = 7

// usual returns the median of the last response times, or 0 if there is none.
func (l *lane) usual() time.Duration {
	if len(l.times) == 0 {
		return 0
	}
	return slices.Sorted(slices.Values(l.times))[len(l.times)/2]
}
