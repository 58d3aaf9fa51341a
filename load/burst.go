package load

import (
	"cmp"
	"math"
	"slices"
	"time"

	"petconform/load/record"
	"petconform/load/sender"
)

// windows returns 1.01 n windows: after that time, requests are outside n windows even if clocks are rounded.
func (l *lane) windows(n int) time.Duration {
	return time.Duration(n) * (l.run.cfg.Minute + l.run.cfg.Minute/100)
}

// fresh returns the steps that wait for a fresh allowance, and send a request that shows it unless the newest response
// does and no pause is asked for. One window without requests is enough for every kind of limiter except a sliding
// counter, which may count a burst for almost two windows. Remaining shows that if the headers are the minute's. If it
// does not, or they are not, the pause is two windows.
func (l *lane) fresh(doing string, pause time.Duration) []Step {
	look := Step{Doing: doing, Role: record.Look, Budget: 1, Pause: max(pause, l.windows(1)),
		If: func(l *lane) bool { return pause > 0 || !l.untouched() }}
	if l.newest.N > 0 && !l.ofMinute(&l.newest) {
		look.Pause = max(pause, l.windows(2))
	}
	again := look
	again.Pause = l.windows(2)
	again.If = func(l *lane) bool { return look.Pause < again.Pause && l.ofMinute(&l.newest) && !l.untouched() }
	return []Step{{Doing: doing}, look, again}
}

// newFor says how old a response may be to show a fresh allowance: 1/20 of a minute, in which a bucket gains few
// requests.
const newFor = 20

// untouched reports whether the newest response shows that only its own request was counted, and is less than 1/newFor
// of a minute old.
func (l *lane) untouched() bool {
	r := &l.newest
	return r.Accepted() && l.ofMinute(r) && r.Remaining >= cmp.Or(l.whole, r.Limit-1) &&
		time.Since(l.quiet) < l.run.cfg.Minute/newFor
}

const (
	// concurrency is the most requests of one key in flight at a time, but for those that a target delays.
	concurrency = 16
	// mostPast is the largest number of requests in flight when the limit may be reached, which is from the plan's
	// requests on: 4. All of them may be refused, and a target may ban a key after five refusals. There are more only if
	// responses take so long that four at a time would not send twice the plan's requests within a window.
	mostPast = 4
	// nearBefore and nearBeyond are how many requests before and beyond the limit are sent one at a time. Remaining can be
	// compared with what is accepted only while no other request is in flight.
	nearBefore, nearBeyond = 3, 2
)

// The times in which a part of a burst is to be sent, in fractions of a window: far below the limit, so that few
// requests fall into the next window of a clock; near the limit; and at the limit, one at a time, unless they would take
// longer.
const farTime, nearTime, limitTime = 20, 4, 3

// mostOfBurst returns the number of requests of a burst without a 429.
func mostOfBurst(limit int) int { return 2*limit + 3 }

// burst returns the steps that spend a fresh allowance until the first 429. Those in flight then may be refused too. The
// request that showed the fresh allowance is one of:
//
//   - Far below the limit, with just enough requests in flight to send them in farTime, but never fewer than least. If
//     one at a time is enough, a limit that is counted by connection shows only in the mixed phase.
//   - Near the limit, one at a time, or up to mostPast if responses take long.
//   - At the limit, one at a time.
//   - Until mostOfBurst, with enough in flight for twice the plan's requests in a window: the limit is reached at the
//     plan's requests, after what a bucket gains, or at up to twice as many if a window ends meanwhile.
func (l *lane) burst(least int, call func(int) sender.Call) (steps []Step) {
	limit, window := l.limit(), l.run.cfg.Minute
	workers := max(l.inFlight(limit, window/farTime), least)
	far := max(2, limit-3*workers)
	if workers == 1 {
		far = limit * 4 / 5
	}
	near, end := limit-nearBefore, limit+nearBeyond
	few := min(l.inFlight(end-far, window/nearTime), mostPast)
	alone := 1
	if l.usual()*(nearBefore+nearBeyond) > window/limitTime {
		alone = few
	}
	after := max(few, l.inFlight(2*limit, window))
	spend, sent := Step{Role: record.Spend, Call: call, AtFirst429: true, Spread: true}, 1
	for _, part := range []struct{ until, workers int }{{far, workers}, {near, few}, {end, alone}, {mostOfBurst(limit), after}} {
		if spend.Budget, spend.Workers = part.until-sent, part.workers; spend.Budget > 0 {
			steps, sent = append(steps, spend), part.until
		}
	}
	return steps
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
