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
	// target and sender are the requests that a stall of the target, or of the sender, has put off.
	target, sender backlog
}

// backlog has how many of the next requests were due before what the Pacer plans for them, and how long before.
type backlog struct {
	requests int
	late     time.Duration
}

func (b *backlog) add(late, interval time.Duration) {
	if b.requests == 0 {
		b.late = 0
	}
	b.requests, b.late = b.requests+max(1, int(late/interval)), b.late+late
}

func (b *backlog) next() time.Duration {
	if b.requests == 0 {
		return 0
	}
	b.requests--
	return b.late
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
		stalled := &s.sender
		if s.freed.After(expected) { // all workers were busy
			stalled = &s.target
		}
		stalled.add(due.Sub(expected), s.interval)
	}
	return planned.Add(-s.sender.next()), planned.Sub(due) + s.target.next()
}

// end notes that a request is no longer in flight.
func (s *schedule) end(now time.Time) {
	if s.inFlight == s.workers {
		s.freed = now
	}
	s.inFlight--
}
