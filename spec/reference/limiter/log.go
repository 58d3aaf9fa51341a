package limiter

import "time"

// log counts each request until a time at which it leaves. The kinds differ in that time: the requests of a window
// leave with it, those of a sliding log one window after they came, and those of a bucket one after the other, as it
// refills.
type log struct {
	kind  Kind
	limit int64
	// window is the plan's; interval is a window divided by the limit, and part a tenth of a window.
	window, interval, part time.Duration
	// groups are the requests that are counted, those that leave first at the front. total is their number.
	groups []group
	total  int64
}

// group is the requests that leave at the same time.
type group struct {
	leave    time.Time
	requests int64
}

// parts is the number of parts of a window that SlidingParts counts in, and of the refills of a SteppedBucket.
const parts = 10

func newLog(kind Kind, limit int64, window time.Duration) *log {
	return &log{kind: kind, limit: limit, window: window,
		interval: max(window/time.Duration(limit), 1), part: max(window/parts, 1)}
}

// leaves is when a request at now leaves. last is the group that leaves last; it is zero while no request is counted.
func (l *log) leaves(now time.Time, last group) time.Time {
	switch l.kind {
	case FixedClock:
		return clockWindow(now, l.window).Add(l.window)
	case SlidingLog:
		return now.Add(l.window)
	case SlidingParts:
		return clockWindow(now, l.part).Add(parts * l.part)
	case TokenBucket:
		return later(now, last.leave).Add(l.interval)
	case SteppedBucket: // each refill restores a tenth of the limit, rounded up
		if refill := clockWindow(now, l.part).Add(l.part); refill.After(last.leave) {
			return refill
		}
		return last.leave.Add(l.part * time.Duration(last.requests/((l.limit+parts-1)/parts)))
	}
	if last.requests > 0 { // FixedFirst
		return last.leave
	}
	return now.Add(l.window)
}

func (l *log) Look(now time.Time) Decision {
	groups, count := l.counted(now)
	d := Decision{Allowed: count < l.limit, Limit: l.limit, Remaining: max(l.limit-count, 0)}
	if d.Reset = l.leaves(now, group{}); count > 0 {
		d.Reset = groups[len(groups)-1].leave
	}
	for ; count >= l.limit; groups = groups[1:] {
		count -= groups[0].requests
		d.RetryAfter = groups[0].leave.Sub(now)
	}
	return d
}

// Spend keeps the order of the groups if the clock is set back, so that no request is forgotten. Where refused requests
// are counted, a bucket falls to -limit at most; a window forgets its oldest request, which decides nothing.
func (l *log) Spend(now time.Time) {
	l.groups, l.total = l.counted(now)
	if l.total >= 2*l.limit {
		if l.kind == TokenBucket || l.kind == SteppedBucket {
			return
		}
		l.total--
		if l.groups[0].requests--; l.groups[0].requests == 0 {
			l.groups = l.groups[1:]
		}
	}
	var last group
	if len(l.groups) > 0 {
		last = l.groups[len(l.groups)-1]
	}
	if leave := l.leaves(now, last); leave.After(last.leave) {
		l.groups = append(l.groups, group{leave: leave})
	}
	l.groups[len(l.groups)-1].requests++
	l.total++
}

// counted returns the groups that have not left at now, and the number of their requests.
func (l *log) counted(now time.Time) (groups []group, requests int64) {
	groups, requests = l.groups, l.total
	for len(groups) > 0 && !groups[0].leave.After(now) {
		groups, requests = groups[1:], requests-groups[0].requests
	}
	return groups, requests
}

func later(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}

// clockWindow is the beginning of the clock's window that contains now: a whole multiple of the window since 1970.
func clockWindow(now time.Time, window time.Duration) time.Time {
	now = now.Round(0) // drop the monotonic reading, which drifts against the clock
	return now.Add(-time.Duration(now.UnixNano() % int64(window)))
}
