package limiter

import "time"

// slidingLog keeps the times of the last requests, at most limit of them. Older ones do not matter: a request is
// allowed if the limit-th last has left the window.
type slidingLog struct {
	limit  int64
	window time.Duration
	// times is a ring of Unix times in nanoseconds; head is the oldest. It grows on demand, because a day's limit can
	// be large and most keys spend little of it.
	times []int64
	head  int
	count int
}

func (s *slidingLog) Look(now time.Time) Decision {
	head, count := s.inside(now)
	d := Decision{
		Allowed:   int64(count) < s.limit,
		Limit:     s.limit,
		Remaining: s.limit - int64(count),
		Reset:     now.Add(s.window),
	}
	if count > 0 {
		// The whole limit is available again when the last request has left the window.
		d.Reset = time.Unix(0, s.times[(head+count-1)%len(s.times)]).Add(s.window)
	}
	if !d.Allowed {
		d.RetryAfter = time.Unix(0, s.times[head]).Add(s.window).Sub(now)
	}
	return d
}

func (s *slidingLog) Spend(now time.Time) {
	s.head, s.count = s.inside(now)
	if int64(s.count) == s.limit {
		s.times[s.head] = now.UnixNano()
		s.head = (s.head + 1) % len(s.times)
		return
	}
	if s.count == len(s.times) {
		s.grow()
	}
	s.times[(s.head+s.count)%len(s.times)] = now.UnixNano()
	s.count++
}

// inside returns the index of the oldest request in the window, and the number of requests in it.
func (s *slidingLog) inside(now time.Time) (head, count int) {
	head, count = s.head, s.count
	left := now.Add(-s.window).UnixNano()
	for count > 0 && s.times[head] <= left {
		head = (head + 1) % len(s.times)
		count--
	}
	return head, count
}

func (s *slidingLog) grow() {
	size := min(max(2*int64(len(s.times)), 64), s.limit)
	times := make([]int64, size)
	for i := range s.count {
		times[i] = s.times[(s.head+i)%len(s.times)]
	}
	s.times, s.head = times, 0
}
