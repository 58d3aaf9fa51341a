package clients

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"testing"
	"time"

	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/history"
)

// TestAssignmentIsThatOfThePlainSearch: the assignment, which answers its questions by searches, says what reading every refusal each
// time says.
func TestAssignmentIsThatOfThePlainSearch(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 29))
	found, several := 0, 0
	for range 1000 {
		g := randomGroup(random, 2+random.IntN(60))
		for _, most := range []int{1, 2, 8, g.most(), 1000} {
			fresh := []time.Duration{inFlight, underWay}[random.IntN(2)]
			is, was := g.assign(most, fresh), g.plainAssign(most, fresh)
			if len(is.candidates) != len(was.candidates) || !slices.Equal(numbers(is.early), numbers(was.early)) {
				t.Fatalf("at most %d: %d clients and %v; %d and %v are wanted\n%s", most, len(is.candidates), numbers(is.early), len(was.candidates), numbers(was.early), g)
			}
			found, several = found+len(is.early), several+len(is.candidates)/2
		}
	}
	if found < 500 || several < 500 {
		t.Errorf("%d early calls and %d pairs of clients are too few for a comparison", found, several)
	}
}

// TestJudgingAllocatesLinearly: twice as many requests take about twice the allocations, however they are divided among connections.
func TestJudgingAllocatesLinearly(t *testing.T) {
	for _, perConnection := range []int{1, 2, 10, 100_000} {
		cost := func(n int) float64 {
			rec := flood(n, perConnection)
			return testing.AllocsPerRun(1, func() {
				if _, err := Judge(rec); err != nil {
					t.Fatal(err)
				}
			})
		}
		once, twice := cost(3000), cost(6000)
		if twice > 2.2*once {
			t.Errorf("%d requests a connection: 6000 take %.0f allocations, 3000 take %.0f", perConnection, twice, once)
		}
		t.Logf("%d requests a connection: %.0f and %.0f allocations", perConnection, once, twice)
	}
}

// numbers are the calls that came too early, each with the refusal that it leans on.
func numbers(all []early) (n [][2]int) {
	for _, e := range all {
		n = append(n, [2]int{e.call.N, e.after.call.N})
	}
	return n
}

func (g *group) String() (s string) {
	for _, x := range g.calls {
		s += fmt.Sprintf("%d on %d: sent %s, began %s before, %d after %s\n", x.N, x.Caller.Connection, x.Sent.Format("05.000"), x.Caller.Ahead, x.Status(), x.Done)
	}
	return s
}

// randomGroup has calls on a few connections, one after the other on each, of which some are refused.
func randomGroup(random *rand.Rand, n int) *group {
	s := &story{}
	free, now := map[int]time.Time{}, time.Unix(1_800_000_000, 0)
	connections, pause := 1+random.IntN(6), []int{3, 40, 400, 4000}[random.IntN(4)]
	host := []string{"127.0.0.1", "192.0.2.1"}[random.IntN(2)]
	for i := range n {
		now = now.Add(time.Duration(random.IntN(pause)*1000+1) * time.Microsecond)
		on := 1 + random.IntN(connections)
		sent := now
		if f := free[on]; f.After(sent) {
			sent, now = f, f
		}
		x := exchange.Exchange{N: i + 1, Operation: spec.ListPets, Request: exchange.Request{Path: fmt.Sprint("/pets?limit=", 1+random.IntN(2))}, Sent: sent, Reused: !free[on].IsZero(),
			Caller:   &exchange.Caller{Host: host, Connection: on, Ahead: time.Duration(random.IntN(pause)) * time.Millisecond / 2},
			Response: &exchange.Response{Status: http.StatusOK, Header: http.Header{}}}
		x.FirstByte = time.Duration(1+random.IntN(30_000)) * time.Microsecond
		x.Done = x.FirstByte
		if random.IntN(3) > 0 {
			x.Response.Status = http.StatusTooManyRequests
			x.Response.Header.Set(spec.HeaderRetryAfter, strconv.Itoa(random.IntN(5)))
		}
		free[on] = x.Ended().Add(time.Nanosecond)
		s.calls = append(s.calls, history.Exchange{Exchange: x})
	}
	s.group()
	return s.groups[0]
}

// plainCandidate is one client that may have sent calls of a group.
type plainCandidate struct {
	ever []refusal // with those that are over
	// refused are the refusals for which it may have to wait, and last is the last one.
	refused []refusal
	last    refusal
}

// refuse adds a refusal.
func (s *plainCandidate) refuse(r refusal) {
	slack := r.rounding()
	if s.last.asked > 0 && r.call.Sent.After(s.last.at) {
		slack = min(slack, max(0, r.at.Sub(s.last.until)))
	}
	r.until = r.at.Add(r.asked - r.asked/drift - slack)
	s.refused = append(slices.DeleteFunc(s.refused, func(old refusal) bool { return !old.until.After(r.call.Sent) }), r)
	s.last, s.ever = r, append(s.ever, r)
}

// waits reports whether the client has to wait at a time. fresh is the time after a refusal in which it does not block yet.
func (s *plainCandidate) waits(at time.Time, fresh time.Duration) bool {
	return slices.ContainsFunc(s.refused, func(r refusal) bool { return at.After(r.at.Add(fresh)) && at.Before(r.until) })
}

// plainAssignment divides the calls of a group among as few lawful clients as possible.
type plainAssignment struct {
	candidates []*plainCandidate
	owner      map[int]*plainCandidate
	// most is the largest number of candidates.
	most  int
	fresh time.Duration
	// pipelined are the connections on which calls may have been in flight when the one before was refused.
	pipelined map[int]bool
	early     []early
	all       []history.Exchange
}

// plainAssign divides the calls among at most most clients. A call that none of them may have sent is early.
func (g *group) plainAssign(most int, fresh time.Duration) *plainAssignment {
	a := &plainAssignment{owner: map[int]*plainCandidate{}, most: most, pipelined: g.pipelined, all: g.calls}
	if g.side {
		a.fresh = fresh
	}
	for _, x := range g.calls {
		s := a.candidateFor(x)
		if r, refused := refusalOf(x); refused {
			s.refuse(r)
		}
		if c := x.Caller.Connection; c > 0 {
			a.owner[c] = s
		}
	}
	return a
}

// candidateFor finds the client that may have sent a call. The next request on a connection is sent by a client that has read the
// response to the one before.
func (a *plainAssignment) candidateFor(x history.Exchange) *plainCandidate {
	own := a.owner[x.Caller.Connection]
	if own != nil && x.Caller.Connection > 0 {
		for i, r := range own.refused {
			var fresh time.Duration
			woken := 0
			for _, s := range a.candidates {
				for _, r := range s.ever {
					if ago := x.Sent.Sub(r.at.Add(r.asked)); !x.Sent.Before(r.until) && ago <= inFlight {
						woken++
					}
				}
			}
			if a.fresh > 0 && woken > 1 {
				fresh = handedOn
			}
			if a.pipelined[x.Caller.Connection] {
				fresh = inFlight
			}
			if a.fresh > 0 && (contentOf(x) != contentOf(r.call) || slices.ContainsFunc(a.all, func(y history.Exchange) bool {
				return y.Caller.Connection != x.Caller.Connection && y.Sent.Sub(r.call.Sent) >= -inFlight && y.Sent.Sub(r.call.Received()) <= inFlight
			})) {
				fresh = queued
			}
			if slices.ContainsFunc(own.refused[:i], func(o refusal) bool { return o.call.Caller.Connection == x.Caller.Connection && x.Sent.Before(o.until) }) {
				continue // the earliest decides
			}
			if r.call.Caller.Connection == x.Caller.Connection && began(x).After(r.at.Add(fresh)) && x.Sent.Before(r.until) {
				a.early = append(a.early, early{x, r, 0})
				return own
			}
		}
		if !own.waits(began(x), a.fresh) {
			return own
		}
	}
	var free *plainCandidate
	for _, s := range a.candidates {
		if !s.waits(x.Sent, a.fresh) && (free == nil || len(s.refused) > 0) {
			free = s // one that was refused just now may have had this call in flight, so that no other has to have sent it
		}
	}
	switch {
	case free != nil:
		return free
	case len(a.candidates) >= a.most:
		first := a.first(x)
		a.early = append(a.early, early{x, first, 0})
		return a.candidates[len(a.candidates)-1]
	}
	a.candidates = append(a.candidates, &plainCandidate{})
	return a.candidates[len(a.candidates)-1]
}

// first is the earliest refusal for which a client has to wait when x is sent.
func (a *plainAssignment) first(x history.Exchange) refusal {
	var first refusal
	for _, c := range a.candidates {
		for _, r := range c.refused {
			if x.Sent.Before(r.until) && (first.at.IsZero() || r.at.Before(first.at)) {
				first = r
			}
		}
	}
	return first
}
