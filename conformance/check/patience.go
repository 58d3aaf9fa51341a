package check

import (
	"net/http"
	"strings"
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
	// agreeing is how many reads more have to lack nothing, after one that lacked something and one that did not: three
	// reads in turn reach each of up to three replicas.
	agreeing = 2
)

// Until repeats a read until it lacks nothing, because a replica may lag. lacks returns the time since when what is
// missing was shown, by its creation or by a read, or the zero time if nothing is missing, or nothing that waiting
// could add. Until returns the last response. A judge has to look at the age of what it lacks: where the run waits no
// longer, that may still be young.
//
// Patience counts from the time that lacks returns, so no read waits again for an animal for which another read has
// waited. If what is missing is older than Patience, no read of this kind waits any more, even for a younger animal:
// the cause is not a lagging replica. The waits grow from 50 ms to 2 s. A read that lacked something and then does not
// may have reached another replica: the first one of its operation is repeated until it lacks nothing several times in
// a row.
//
// Only one read at a time is repeated. The others wait for it and learn how long a replica lags. Later reads wait that
// long before they are sent, so that each needs one request only.
func (s *Sender) Until(lacks func(history.Exchange) time.Time, send func() history.Exchange) history.Exchange {
	if lag := s.lagSeen(); lag > 0 {
		s.Wait(max(0, lag-s.Since(s.Newest())))
	}
	x := send()
	since := lacks(x)
	if since.IsZero() || !s.takeTurn() {
		return x
	}
	defer func() { <-s.turn }()
	if s.Since(x.Sent) > firstPoll { // while other reads were repeated
		x = send()
	}
	for whole, wait := 0, firstPoll; x.Answered(); x = send() {
		if missing := lacks(x); !missing.IsZero() {
			if whole > 0 {
				s.agreed[x.Operation] = true // replicas disagree; the end of the run looks at them again
			}
			if since, whole = missing, 0; !s.waits(x, since, wait) {
				break
			}
			wait = min(wait*3, lastPoll)
			continue
		}
		if whole++; whole == 1 && wait > firstPoll {
			s.noteLag(since)
		}
		if s.settled(x, whole) {
			break
		}
	}
	return x
}

// Patiently sends a read until it lacks nothing, as Until does.
func (s *Sender) Patiently(r Request, lacks func(history.Exchange) time.Time) Request {
	return Reading(func() { s.Until(lacks, func() history.Exchange { return s.Do(r) }) })
}

// waits waits before a read is sent again that lacks what was shown since a time. It returns false if waiting is of no
// use any more.
func (s *Sender) waits(x history.Exchange, since time.Time, wait time.Duration) bool {
	left := s.Patience - x.Sent.Sub(since)
	if left <= 0 {
		s.giveUp(x)
	}
	if s.hasGivenUp(x) {
		return false
	}
	if wait >= longPoll {
		s.lag.Do(func() { s.Waiting("a response lacks a new animal; a replica may lag", left) })
	}
	return s.Wait(min(wait, left))
}

// Pairs is how often Alternate sends two reads that differ.
const Pairs = 4

// Alternate sends two reads. While they differ it sends them again, up to Pairs times within 650 ms, each time in an
// order by which replicas that take turns answer both, some past caches. It returns the last response to each.
func (s *Sender) Alternate(differ func(x, y history.Exchange) bool, first, second Request) (x, y history.Exchange) {
	x, y = s.Do(first), s.Do(second)
	if !differ(x, y) || !s.takeTurn() {
		return x, y
	}
	defer func() { <-s.turn }()
	for wait, n := firstPoll, 1; n < Pairs && s.Wait(wait) && differ(x, y); wait, n = wait*3, n+1 {
		if n == Pairs-1 { // twenty none, none twenty, none twenty, twenty none
			x, y = s.Do(first), s.Do(second)
		} else {
			y, x = s.Do(afresh(second)), s.Do(afresh(first))
		}
	}
	return x, y
}

// afresh asks for a response that no cache kept: by a header, and by an address that means the same and is written
// otherwise.
func afresh(r Request) Request {
	r.Header = http.Header{"Cache-Control": {"no-cache"}}
	if !strings.Contains(r.Path, "?") {
		r.Path += "?"
	}
	return r
}

// takeTurn waits until no other read is being repeated. Who repeats a read gives the turn back by receiving from turn.
// takeTurn returns false if the run ends before that.
func (s *Sender) takeTurn() bool {
	select {
	case s.turn <- struct{}{}:
		return true
	case <-s.ctx.Done():
		return false
	}
}

// noteLag notes that what was created at a time was first lacking, and is shown now.
func (r *Run) noteLag(created time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lagged = max(r.lagged, r.Since(created))
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

// settled reports whether a read that lacks nothing any more was sent often enough: agreeing times more if it is the
// first of its operation, as far as StandardRequests allow. Only the read that is being repeated asks.
func (s *Sender) settled(x history.Exchange, whole int) bool {
	s.agreed[x.Operation] = s.agreed[x.Operation] || whole > agreeing
	return s.agreed[x.Operation] || s.Left() <= 0
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
	at := s.Meta.Started
	for _, c := range s.Created() {
		if c.Exchange.Ended().After(at) {
			at = c.Exchange.Ended()
		}
	}
	return at
}
