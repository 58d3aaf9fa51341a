package limiter

import "time"

// fixed counts in windows that begin on the clock, or with the first request after the last window.
type fixed struct {
	limit   int64
	window  time.Duration
	onClock bool
	start   time.Time
	count   int64
}

func (f *fixed) Look(now time.Time) Decision {
	start, count := f.at(now)
	d := Decision{
		Allowed:   count < f.limit,
		Limit:     f.limit,
		Remaining: max(f.limit-count, 0),
		Reset:     start.Add(f.window),
	}
	if !d.Allowed {
		d.RetryAfter = d.Reset.Sub(now)
	}
	return d
}

func (f *fixed) Spend(now time.Time) {
	f.start, f.count = f.at(now)
	f.count++
}

// at returns the window of now and its count. If the clock is set back, the window stays the same, so that no request
// is forgotten.
func (f *fixed) at(now time.Time) (start time.Time, count int64) {
	if f.count > 0 && now.Before(f.start.Add(f.window)) {
		return f.start, f.count
	}
	if f.onClock {
		return clockWindow(now, f.window), 0
	}
	return now, 0
}

// clockWindow is the beginning of the clock's window that contains now.
func clockWindow(now time.Time, window time.Duration) time.Time {
	now = now.Round(0) // drop the monotonic reading, which drifts against the clock
	return now.Add(-time.Duration(now.UnixNano() % int64(window)))
}
