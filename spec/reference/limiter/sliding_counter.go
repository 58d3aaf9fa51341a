package limiter

import (
	"math"
	"time"
)

// slidingCounter keeps the counts of this clock window and of the one before. It estimates the trailing window as the
// current count plus the previous count times the share of its window that is still inside. It refuses too early when
// the requests of the previous window came at its beginning.
type slidingCounter struct {
	limit             int64
	window            time.Duration
	start             time.Time
	current, previous int64
}

func (s *slidingCounter) Look(now time.Time) Decision {
	start, current, previous := s.at(now)
	passed := float64(now.Sub(start)) / float64(s.window)
	used := float64(previous)*(1-passed) + float64(current)
	d := Decision{
		Allowed:   used < float64(s.limit),
		Limit:     s.limit,
		Remaining: max(int64(math.Ceil(float64(s.limit)-used)), 0),
		Reset:     start.Add(s.window),
	}
	if !d.Allowed {
		d.RetryAfter = s.free(start, current, previous).Sub(now)
		if next := now.Add(d.RetryAfter); next.After(d.Reset) {
			d.Reset = next
		}
	}
	return d
}

// free is when the estimate falls below the limit, in this window or in the next one.
func (s *slidingCounter) free(start time.Time, current, previous int64) time.Time {
	if room := s.limit - current; room > 0 && previous > 0 {
		return start.Add(s.share(1 - float64(room)/float64(previous)))
	}
	return start.Add(s.window).Add(s.share(1 - float64(s.limit)/float64(current)))
}

// share is a part of the window plus 1 µs, so that rounding does not let a client come too early.
func (s *slidingCounter) share(part float64) time.Duration {
	return time.Duration(max(part, 0)*float64(s.window)) + time.Microsecond
}

func (s *slidingCounter) Spend(now time.Time) {
	s.start, s.current, s.previous = s.at(now)
	s.current++
}

func (s *slidingCounter) at(now time.Time) (start time.Time, current, previous int64) {
	start = clockWindow(now, s.window)
	switch {
	case !start.After(s.start):
		return s.start, s.current, s.previous
	case start.Equal(s.start.Add(s.window)):
		return start, 0, s.current
	default:
		return start, 0, 0
	}
}
