package limiter

import (
	"math"
	"time"
)

// slidingCounter keeps two counts, of this clock window and of the one before, and estimates the trailing window: the
// previous count weighs as much as its part that is still inside. It may refuse early when the previous requests
// came early in their window.
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

// free is when the estimate falls below the limit: in this window, as the previous one weighs less, or in the next one.
func (s *slidingCounter) free(start time.Time, current, previous int64) time.Time {
	if room := s.limit - current; room > 0 && previous > 0 {
		return start.Add(s.share(1 - float64(room)/float64(previous)))
	}
	return start.Add(s.window).Add(s.share(1 - float64(s.limit)/float64(current)))
}

// share gives a part of the window and a moment more, so that whoever waits for it does not come too early.
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
