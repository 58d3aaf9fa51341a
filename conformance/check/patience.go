package check

import (
	"time"

	"petconform/spec"
	"petconform/spec/history"
)

const (
	firstPoll = 50 * time.Millisecond
	lastPoll  = 2 * time.Second
	// longestLag is the longest lag for which a read waits before it is sent.
	longestLag = 3 * time.Second
	// longPoll is the wait from which on the run reports why it waits.
	longPoll = 800 * time.Millisecond
)

// Until repeats a read until it lacks nothing, because a replica may lag. lacks returns the time at which the missing animal was
// created, or the zero time if none is missing, or none that waiting could add. Until returns the last response.
//
// Patience counts from the creation of the animal, so no read waits again for an animal for which another read has waited. If an
// animal is older than Patience and still missing, no read of this kind waits any more, even for a younger animal: the cause is
// not a lagging replica. The waits grow from 50 ms to 2 s.
//
// Only one read at a time is repeated. The others wait for it and learn how long a replica lags. Later reads wait that long
// before they are sent, so that each needs one request only.
func (s *Sender) Until(lacks func(history.Exchange) time.Time, send func() history.Exchange) history.Exchange {
	if lag := s.run.lagSeen(); lag > 0 {
		s.Wait(max(0, lag-s.run.since(s.Newest())))
	}
	x := send()
	created := lacks(x)
	if created.IsZero() || !s.polls() {
		return x
	}
	defer func() { <-s.run.polling }()
	for wait := firstPoll; x.Answered() && !s.run.hasGivenUp(x); wait = min(wait*3, lastPoll) {
		left := s.Config.Patience - s.run.since(created)
		if left <= 0 {
			s.run.giveUp(x)
			break
		}
		if wait >= longPoll {
			s.run.lag.Do(func() { s.run.Waiting("a response lacks a new animal; a replica may lag", left) })
		}
		if !s.Wait(min(wait, left)) {
			break
		}
		x = send()
		lacked := created
		if created = lacks(x); created.IsZero() {
			s.run.noteLag(lacked)
			break
		}
	}
	return x
}

// polls waits until no other read is being repeated. It returns false if the run ends before that.
func (s *Sender) polls() bool {
	select {
	case s.run.polling <- struct{}{}:
		return true
	case <-s.ctx.Done():
		return false
	}
}

// noteLag notes that what was created at a time was first lacking, and is shown now.
func (r *Run) noteLag(created time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lagged = max(r.lagged, r.since(created))
}

// lagSeen returns how long a replica has lagged, 0 if that is too long to wait for at each read.
func (r *Run) lagSeen() time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.lagged > longestLag {
		return 0
	}
	return r.lagged
}

// readKind distinguishes reads that different replicas or indexes may answer.
type readKind struct {
	operation spec.Operation
	filtered  bool
}

func kindOf(x history.Exchange) readKind {
	_, filtered := x.Asked("status")
	return readKind{x.Operation, filtered}
}

func (r *Run) giveUp(x history.Exchange) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.impatient[kindOf(x)] = true
}

func (r *Run) hasGivenUp(x history.Exchange) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.impatient[kindOf(x)]
}

// Newest returns when the newest animal of the run was created, and the beginning of the run if there is none.
func (s *Sender) Newest() time.Time {
	at := s.run.Meta.Started
	for _, c := range s.Created() {
		if c.Exchange.Ended().After(at) {
			at = c.Exchange.Ended()
		}
	}
	return at
}

// CreatedAt returns when the animal with an id was created, and the beginning of the run if the run did not create it.
func (s *Sender) CreatedAt(id string) time.Time {
	for _, c := range s.Created() {
		if c.Answered.ID == id {
			return c.Exchange.Ended()
		}
	}
	return s.run.Meta.Started
}
