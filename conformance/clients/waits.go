package clients

import (
	"cmp"
	"fmt"
	"net/http"
	"net/netip"
	"slices"
	"time"

	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/history"
	"petconform/spec/rules"
)

// A client that was refused has to wait. Who sent a request while somebody had to wait is certain
//   - where requests do not overlap: if it came on the connection of a 429, since the next request on a connection is
//     sent by a client that has read the response; or if as many 429s were to be waited for as there are clients;
//   - where requests overlap, with --clients 1: if the 429 was underWay ago.
//
// All others may be another client's, or may have been sent before the 429 was read: they decide nothing, and the
// reader is told how to be judged. Where requests overlap, one on each connection is expected to be in flight.

const (
	// granularity is how much earlier than Retry-After a request may come, because a client may take the time of the
	// 429 from a clock that it reads in whole seconds. On the service's machine it has the service's clock, so that it
	// comes early by the fraction of the second only, and not before a date.
	granularity = time.Second
	// clockRead is how long before its request arrives a client on the same machine may have read its clock.
	clockRead = 20 * time.Millisecond
	// drift is the part of a wait by which the client's clock may be wrong: 1 in 1,000.
	drift = 1000
	// inFlight is how long after a 429 one request on each connection may arrive that a worker had begun before, where
	// requests overlap: the time of a round trip and of a connection, on a busy machine.
	inFlight = 250 * time.Millisecond
	// underWay is how long after a 429 it is not certain that they were sent after the client had read it: a program
	// that waits for its turn on a busy machine took 1.2 s.
	underWay = 2 * time.Second
	// fewCopies is how many clients a command may be, if nobody says, and its requests never overlap: as many as a test
	// runner starts on a usual machine may send one after another by chance. Without a command, fewClients may share a
	// key.
	fewCopies, fewClients = 8, 20
)

// call is a request of an operation.
type call struct {
	history.Exchange
	// began is when the client began to send it, or to connect for it.
	began time.Time
	// refused says that the response is a 429 with a Retry-After. asked is the wait in it, and until the time from which
	// the client may send again.
	refused bool
	asked   time.Duration
	until   time.Time
	// early is an earlier 429, if the client had certainly read it and did not wait for as long.
	early *call
	// waited is how long after the response the next call of its source came; 0 after the last.
	waited time.Duration
}

// callOf reads a call. A date in Retry-After counts from the Date of the response, or by the client's own clock,
// whichever lets it send earlier.
func callOf(x history.Exchange) *call {
	c := &call{Exchange: x, began: x.Sent.Add(-x.Caller.Ahead)}
	if !x.Limited() {
		return c
	}
	at, early := x.Received(), granularity
	c.asked, c.refused = exchange.RetryAfter(x.Response.Header, at)
	date, err := http.ParseTime(x.Response.Header.Get(spec.HeaderRetryAfter))
	if from, _ := netip.ParseAddr(x.Caller.Host); from.IsLoopback() && x.Caller.Connection > 0 {
		early = min(granularity, at.Sub(c.began.Add(-clockRead).Truncate(time.Second)))
		if err == nil {
			early = 0
		}
	}
	if err == nil {
		c.asked = min(c.asked, date.Sub(at))
	}
	c.until = at.Add(c.asked - c.asked/drift - early)
	return c
}

func (c *call) agent() string { return c.Request.Header.Get("User-Agent") }

// source is what a service sees of who sent a call. One client may have sent all calls of a source.
type source struct{ key, host, agent string }

func sourceOf(c *call) source { return source{c.Caller.Key, c.Caller.Host, c.agent()} }

// divided has the calls of each source, in the order of their first calls.
func divided(calls []*call, of func(*call) source) (all [][]*call) {
	place := map[source]int{}
	for _, c := range calls {
		if _, known := place[of(c)]; !known {
			place[of(c)], all = len(all), append(all, nil)
		}
		i := place[of(c)]
		all[i] = append(all[i], c)
	}
	return all
}

// group has the calls of one source.
type group struct {
	calls []*call
	// overlap says that a call began before the response to another one could be read, so that several workers may send
	// them.
	overlap bool
	// doubtful counts the calls that came before the time in Retry-After and may be of a client that had not read it,
	// and unsure says why that leaves open whether the clients wait.
	doubtful int
	unsure   string
}

func groupOf(calls []*call, s Settings) *group {
	g, last := &group{calls: calls}, time.Time{}
	for i, c := range calls {
		g.overlap = g.overlap || !c.began.After(last)
		if c.Ended().After(last) {
			last = c.Ended()
		}
		if i > 0 {
			calls[i-1].waited = c.Sent.Sub(calls[i-1].Received())
		}
	}
	g.findEarly(s)
	g.unsure = g.whyUnsure(s)
	return g
}

// findEarly finds the calls that came too early.
func (g *group) findEarly(s Settings) {
	clients := cmp.Or(s.Clients, fewClients)
	if s.Clients == 0 && s.Command {
		clients = fewCopies
	}
	var waits []*call           // the 429s that are to be waited for, of each client one
	sent := map[int]time.Time{} // when the last call of each connection was sent
	for _, c := range g.calls {
		waits = slices.DeleteFunc(waits, func(w *call) bool { return !c.Sent.Before(w.until) })
		on := c.Caller.Connection
		if len(waits) > 0 && c.began.After(waits[0].Received()) {
			first := waits[0].Received()
			ago := c.began.Sub(first)
			own := slices.IndexFunc(waits, func(w *call) bool { return w.Caller.Connection == on })
			switch {
			case !g.overlap && on > 0 && own >= 0:
				c.early = waits[own]
			case !g.overlap && len(waits) >= clients, s.Clients == 1 && ago > underWay:
				c.early = waits[0]
			case !g.overlap && s.Clients == 0, g.overlap && (ago > inFlight || sent[on].After(first)):
				g.doubtful++
			}
		}
		sent[on] = c.Sent
		switch {
		case !c.refused:
		case len(waits) < clients: // a further one makes nothing more certain
			waits = append(waits, c)
		case s.Clients == 1 && c.early != nil && c.until.After(waits[len(waits)-1].until):
			waits = append(waits[:1], c) // the only client has read that it has to wait for longer
		}
	}
}

// whyUnsure says how to be judged if no call is certainly too early, and some may be.
func (g *group) whyUnsure(s Settings) string {
	if g.doubtful == 0 || slices.ContainsFunc(g.calls, func(c *call) bool { return c.early != nil }) {
		return ""
	}
	came := spec.Count(g.doubtful, "request") + " came before the time in Retry-After"
	switch {
	case g.overlap && s.Clients == 1:
		return fmt.Sprintf("%s, within %s of a 429, and may have been under way; a longer --minute, like 20s, shows "+
			"whether the client waits", came, seconds(underWay))
	case g.overlap:
		return came + ", and as requests overlap, workers may have begun them before they knew of the 429; to be " +
			"judged, run one client at a time, with --clients 1 --minute 20s"
	}
	return came + ", and not on the connection of the 429: either several clients share the key, or one does not " +
		"wait; give the number of clients with --clients, like --clients 1"
}

func (s *story) retryAfterObeyed(*history.History) (w rules.Whole) {
	apart := ""
	for _, g := range s.groups {
		w.Unknown = cmp.Or(w.Unknown, g.unsure)
		if g.overlap {
			apart = ", apart from those that may have been under way"
		}
		for _, c := range g.calls {
			if c.refused {
				w.Of++
			}
			if c.early == nil {
				continue
			}
			after := c.early
			w.Breaks(c.Exchange, "CLIENT-4", "a request before the time in Retry-After",
				fmt.Sprintf("no request for %s after exchange %d (Retry-After: %s)", seconds(after.asked), after.N,
					after.Response.Header.Get(spec.HeaderRetryAfter)),
				fmt.Sprintf("%s %s after %s", c.Request.Method, history.Clip(c.WholePath(), 200),
					seconds(c.Sent.Sub(after.Received()))))
			w.Broken[len(w.Broken)-1].After = after.N
		}
	}
	if len(w.Broken) == 0 {
		w.Evidence = "no request came before the time in Retry-After, after " + spec.Count(w.Of, "429") + apart
	}
	return w
}

func seconds(d time.Duration) string {
	if d < time.Second {
		return fmt.Sprintf("%d ms", d.Milliseconds())
	}
	return fmt.Sprintf("%.1f s", d.Seconds())
}
