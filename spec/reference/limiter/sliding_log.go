package limiter

import (
	"slices"
	"time"
)

// slidingLog keeps the times of the last requests, at most limit of them. Older ones do not matter: a request is
// allowed if the limit-th last has left the window.
type slidingLog struct {
	limit  int64
	window time.Duration
	times  []time.Time
}

func (s *slidingLog) Look(now time.Time) Decision {
	times := s.inside(now)
	count := int64(len(times))
	d := Decision{Allowed: count < s.limit, Limit: s.limit, Remaining: s.limit - count, Reset: now.Add(s.window)}
	if count > 0 {
		// The whole limit is available again when the last request has left the window.
		d.Reset = times[count-1].Add(s.window)
	}
	if !d.Allowed {
		d.RetryAfter = times[0].Add(s.window).Sub(now)
	}
	return d
}

func (s *slidingLog) Spend(now time.Time) {
	s.times = append(s.inside(now), now)
	s.times = s.times[max(int64(len(s.times))-s.limit, 0):]
}

// inside returns the times of the requests in the window.
func (s *slidingLog) inside(now time.Time) []time.Time {
	left := now.Add(-s.window)
	first := slices.IndexFunc(s.times, func(t time.Time) bool { return t.After(left) })
	if first < 0 {
		return nil
	}
	return s.times[first:]
}
