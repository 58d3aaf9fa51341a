package clients

import (
	"slices"
	"sort"
	"time"

	"petconform/spec/history"
)

// candidate is one client that may have sent calls of a group. A flood may give it thousands of refusals, so each
// question about them is answered by a search.
type candidate struct {
	// number counts the candidates of an assignment.
	number int
	// refused are the refusals for which it may have to wait, by the time at which it could read them; the first of
	// them are over. latest has, for each, the latest end of it and of those before.
	refused []refusal
	over    int
	latest  []time.Time
	// on has the refusals of each connection that may not be over.
	on   map[int][]refusal
	last refusal
	// asked is the time of the last call that was refused. Refusals that were over by then do not count.
	asked time.Time
	// until is the end of a wait that is known.
	until time.Time
}

// refuse adds a refusal.
func (c *candidate) refuse(r refusal) {
	slack := r.rounding()
	if c.last.asked > 0 && r.call.Sent.After(c.last.at) {
		slack = min(slack, max(0, r.at.Sub(c.last.until)))
	}
	r.until = r.at.Add(r.asked - r.asked/drift - slack)
	c.last, c.asked = r, r.call.Sent
	i := len(c.refused) // nearly: responses of several connections end nearly in the order of their requests
	for i > 0 && c.refused[i-1].at.After(r.at) {
		i--
	}
	c.refused, c.over, c.latest = slices.Insert(c.refused, i, r), min(c.over, i), append(c.latest, r.until)
	for ; i < len(c.refused); i++ {
		c.latest[i] = c.refused[i].until
		if i > 0 && c.latest[i-1].After(c.latest[i]) {
			c.latest[i] = c.latest[i-1]
		}
	}
	if on := r.call.Caller.Connection; on > 0 {
		c.on[on] = append(c.on[on], r)
	}
}

// waits reports whether the client has to wait at a time, and until when. fresh is the time after a refusal in which it
// does not block yet.
func (c *candidate) waits(at time.Time, fresh time.Duration) (until time.Time, waits bool) {
	n := sort.Search(len(c.refused), func(i int) bool { return !at.After(c.refused[i].at.Add(fresh)) })
	if n == 0 {
		return time.Time{}, false
	}
	until = c.latest[n-1]
	return until, at.Before(until) && c.asked.Before(until)
}

// woke counts the refusals whose wait has just ended, among the last ones.
func (c *candidate) woke(at time.Time) (n int) {
	const last = 64 // more than wake at once, and few enough that a flood is judged in linear time
	for _, r := range c.refused[max(0, len(c.refused)-last):] {
		if ago := at.Sub(r.at.Add(r.asked)); !at.Before(r.until) && ago <= inFlight {
			n++
		}
	}
	return n
}

// binding is the earliest refusal on the connection of a call for which the client had to wait when it sent the call.
func (c *candidate) binding(x history.Exchange) (refusal, bool) {
	on := c.on[x.Caller.Connection]
	for len(on) > 0 && !x.Sent.Before(on[0].until) {
		on = on[1:]
	}
	c.on[x.Caller.Connection] = on
	if len(on) == 0 {
		return refusal{}, false
	}
	return on[0], true
}

// first is the earliest refusal for which the client had to wait when x was sent.
func (c *candidate) first(x history.Exchange) (refusal, bool) {
	for ; c.over < len(c.refused); c.over++ {
		if r := c.refused[c.over]; x.Sent.Before(r.until) {
			return r, true
		}
	}
	return refusal{}, false
}
