package limiter

import "time"

// slidingParts counts the requests of each tenth of a window on the clock. The newest ten tenths make the window.
type slidingParts struct {
	limit int64
	part  time.Duration
	// counts has the number of requests of each part, by its number modulo ten. newest is the number of the newest
	// part since 1970.
	counts [stepsInWindow]int64
	newest int64
}

func (s *slidingParts) Look(now time.Time) Decision {
	at := *s
	at.advance(now)
	used := int64(0)
	for _, n := range at.counts {
		used += n
	}
	d := Decision{Allowed: used < s.limit, Limit: s.limit, Remaining: max(s.limit-used, 0), Reset: now}
	for number := at.newest - stepsInWindow + 1; number <= at.newest; number++ {
		n := at.counts[number%stepsInWindow]
		if n == 0 {
			continue
		}
		leaves := time.Unix(0, (number+stepsInWindow)*int64(s.part))
		if used >= s.limit {
			d.RetryAfter = leaves.Sub(now)
		}
		used -= n
		d.Reset = leaves
	}
	return d
}

func (s *slidingParts) Spend(now time.Time) {
	s.advance(now)
	s.counts[s.newest%stepsInWindow]++
}

// advance empties the parts that have left the window. A clock that was set back stays in the newest part.
func (s *slidingParts) advance(now time.Time) {
	number := now.UnixNano() / int64(s.part)
	s.newest = max(s.newest, number-stepsInWindow)
	for s.newest < number {
		s.newest++
		s.counts[s.newest%stepsInWindow] = 0
	}
}
