package sender

import "time"

// schedule says when each request of an attack was due, and why it was sent later.
//
// The Pacer moves its schedule after a stall and does not catch up. A stall of the target, with all workers busy,
// puts off the requests that were due meanwhile. With their planned time moved too, only the requests in flight would
// be slow: 16 of 2,062 after a stall of 2 s in which 140 were due. So the next requests after a stall, as many as
// were due in it, keep their time.
type schedule struct {
	interval time.Duration
	// workers is the largest number of requests in flight, and inFlight their present number.
	workers, inFlight int
	// freed is when a worker last became free after all had been busy.
	freed time.Time
	// last is what the Pacer planned for the request before.
	last time.Time
	// owed is how many of the next requests were due late before what the Pacer plans for them. busy says that the
	// target is the cause, since all workers were busy; else the sender is.
	owed int
	late time.Duration
	busy bool
}

// begin returns when a request was due, and a worker free for it, of which the Pacer says that it is due at due.
// putOff is how long before planned it was due while the target kept all workers busy.
func (s *schedule) begin(due time.Time) (planned time.Time, putOff time.Duration) {
	last := s.last
	s.last, s.inFlight, planned = due, s.inFlight+1, due
	if s.freed.After(due) {
		planned = s.freed
	}
	if s.interval <= 0 { // a closed loop: a request is due when a worker is free
		return planned, 0
	}
	if expected := last.Add(s.interval); !last.IsZero() && due.After(expected) {
		if s.owed == 0 {
			s.late = 0
		}
		moved := due.Sub(expected)
		s.owed, s.late, s.busy = s.owed+max(1, int(moved/s.interval)), s.late+moved, s.freed.After(expected)
	}
	putOff = planned.Sub(due)
	if s.owed > 0 {
		s.owed--
		if s.busy {
			putOff += s.late
		} else {
			planned = planned.Add(-s.late)
		}
	}
	return planned, putOff
}

// end notes that a request is no longer in flight.
func (s *schedule) end(now time.Time) {
	if s.inFlight == s.workers {
		s.freed = now
	}
	s.inFlight--
}
