package clients

import (
	"slices"
	"time"

	"petconform/spec/history"
)

// early is a call that came before the time in Retry-After. worker numbers the client that sent it, from 1.
type early struct {
	call   history.Exchange
	after  refusal
	worker int
}

// assignment divides the calls of a group among as few lawful clients as possible.
type assignment struct {
	candidates []*candidate
	owner      map[int]*candidate
	// most is the largest number of candidates.
	most int
	// fresh is how long after a 429 calls on other connections may have been in flight; 0 if no calls of the group
	// overlapped.
	fresh time.Duration
	// pipelined are the connections on which calls may have been in flight when the one before was refused.
	pipelined map[int]bool
	// crowded are the calls around which others were sent on other connections. The next one on their connection may
	// be that of a worker who took it out of a pool.
	crowded map[int]bool
	early   []early
	// exceeded says that more than most clients were needed.
	exceeded bool
}

// assign divides the calls among at most most clients. A call that none of them may have sent is early. fresh is how
// long after a 429 calls on other connections may have been in flight, if calls of the group overlapped.
func (g *group) assign(most int, fresh time.Duration) *assignment {
	a := &assignment{owner: map[int]*candidate{}, most: most, pipelined: g.pipelined, crowded: g.crowded()}
	if g.side {
		a.fresh = fresh
	}
	for _, x := range g.calls {
		c := a.candidateFor(x)
		if r, refused := refusalOf(x); refused {
			c.refuse(r)
		}
		if on := x.Caller.Connection; on > 0 {
			a.owner[on] = c
		}
	}
	return a
}

// candidateFor finds the client that may have sent a call. The next request on a connection is sent by a client that
// has read the response to the one before.
func (a *assignment) candidateFor(x history.Exchange) *candidate {
	own := a.owner[x.Caller.Connection]
	if own != nil && x.Caller.Connection > 0 {
		if r, binds := own.binding(x); binds && began(x).After(r.at.Add(a.margin(x, r))) {
			a.early = append(a.early, early{x, r, own.number + 1})
			return own
		}
		if _, waits := own.waits(began(x), a.fresh); !waits {
			return own
		}
	}
	free := a.free(x.Sent)
	switch {
	case free != nil:
		return free
	case len(a.candidates) >= a.most:
		a.early, a.exceeded = append(a.early, early{x, a.first(x), len(a.candidates)}), true
		return a.candidates[len(a.candidates)-1]
	}
	a.candidates = append(a.candidates, &candidate{number: len(a.candidates), on: map[int][]refusal{}})
	return a.candidates[len(a.candidates)-1]
}

// margin is how long after a refusal a call on its connection may have been in flight.
func (a *assignment) margin(x history.Exchange, r refusal) time.Duration {
	switch {
	case a.fresh > 0 && (a.crowded[r.call.N] || contentOf(x) != contentOf(r.call)):
		return queued
	case a.pipelined[x.Caller.Connection]:
		return inFlight
	case a.fresh > 0 && a.woke(x.Sent) > 1:
		return handedOn
	}
	return 0
}

// woke counts the waits that have just ended, each of which a worker may have served.
func (a *assignment) woke(at time.Time) (n int) {
	for _, c := range a.candidates {
		n += c.woke(at)
	}
	return n
}

// free is a client that may send at a time. One that was refused just now may have had the call in flight, so that no
// other has to have sent it.
func (a *assignment) free(at time.Time) (unrefused *candidate) {
	for _, c := range slices.Backward(a.candidates) {
		switch {
		case len(c.refused) == 0:
			unrefused = c
		case !at.Before(c.until):
			until, waits := c.waits(at, a.fresh)
			if !waits {
				return c
			}
			c.until = until
		}
	}
	return unrefused
}

// first is the earliest refusal for which a client has to wait when x is sent.
func (a *assignment) first(x history.Exchange) (first refusal) {
	for _, c := range a.candidates {
		if r, waits := c.first(x); waits && (first.at.IsZero() || r.at.Before(first.at)) {
			first = r
		}
	}
	return first
}
