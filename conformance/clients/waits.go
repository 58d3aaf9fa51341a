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
//   - where requests do not overlap: if it came on the connection of the 429, since the next request on a connection
//     is sent by a client that has read the response; or if as many 429s were to be waited for as there are clients;
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

// refusal is a 429 with a Retry-After.
type refusal struct {
	call history.Exchange
	// at is the time at which the client could read it, until that from which it may send again, and asked the wait.
	at, until time.Time
	asked     time.Duration
}

// refusalOf reads a 429. A date counts from the Date of the response, or by the client's own clock, whichever lets it
// send earlier.
func refusalOf(x history.Exchange) (r refusal, refused bool) {
	if !x.Limited() {
		return r, false
	}
	wait, ok := exchange.RetryAfter(x.Response.Header, x.Received())
	date, err := http.ParseTime(x.Response.Header.Get(spec.HeaderRetryAfter))
	if err == nil {
		wait = min(wait, date.Sub(x.Received()))
	}
	early := granularity
	if from, bad := netip.ParseAddr(x.Caller.Host); bad == nil && from.IsLoopback() && x.Caller.Connection > 0 {
		early = min(granularity, x.Received().Sub(began(x).Add(-clockRead).Truncate(time.Second)))
		if err == nil {
			early = 0
		}
	}
	return refusal{call: x, at: x.Received(), until: x.Received().Add(wait - wait/drift - early), asked: wait}, ok
}

func isRefusal(x history.Exchange) bool {
	_, refused := refusalOf(x)
	return refused
}

// early is a call that came before the time in Retry-After.
type early struct {
	call  history.Exchange
	after refusal
}

// findEarly finds the calls of a group that came too early.
func (s *story) findEarly(g *group) {
	clients := cmp.Or(s.settings.Clients, fewClients)
	if s.settings.Clients == 0 && s.settings.Command {
		clients = fewCopies
	}
	var waiting []refusal       // those that are not over, from the first one on
	var latest []time.Time      // the latest ends of as many waits as there are clients
	last := map[int]refusal{}   // the last one of each connection
	sent := map[int]time.Time{} // when the last call of each connection was sent
	for _, x := range g.calls {
		for len(waiting) > 0 && !x.Sent.Before(waiting[0].until) {
			waiting = waiting[1:]
		}
		on := x.Caller.Connection
		if len(waiting) > 0 && began(x).After(waiting[0].at) {
			first, ago := waiting[0], began(x).Sub(waiting[0].at)
			switch own := last[on]; {
			case !g.overlap && on > 0 && x.Sent.Before(own.until):
				g.early = append(g.early, early{x, own})
			case !g.overlap && len(latest) == clients && x.Sent.Before(latest[0]), s.settings.Clients == 1 && ago > underWay:
				g.early = append(g.early, early{x, first})
			case !g.overlap && s.settings.Clients == 0, g.overlap && (ago > inFlight || sent[on].After(first.at)):
				g.doubtful++
			}
		}
		sent[on] = x.Sent
		if r, refused := refusalOf(x); refused {
			waiting, last[on] = append(waiting, r), r
			latest = append(latest, r.until)
			slices.SortFunc(latest, time.Time.Compare)
			latest = latest[max(0, len(latest)-clients):]
		}
	}
}

// unsure says why a group without a call that is certainly too early does not show that its clients wait; "" if it
// does.
func (s *story) unsure(g *group) string {
	if g.doubtful == 0 || len(g.early) > 0 {
		return ""
	}
	came := spec.Count(g.doubtful, "request") + " came before the time in Retry-After"
	switch {
	case g.overlap && s.settings.Clients == 1:
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
	w.Of = count(s.calls, isRefusal)
	w.Evidence = "no request came before the time in Retry-After, after " + spec.Count(w.Of, "429")
	if slices.ContainsFunc(s.groups, func(g *group) bool { return g.overlap }) {
		w.Evidence += ", apart from those that may have been under way"
	}
	for _, g := range s.groups {
		w.Unknown = cmp.Or(w.Unknown, s.unsure(g))
		for _, e := range g.early {
			r := e.after.call
			f := finding("CLIENT-4", e.call, "a request before the time in Retry-After",
				fmt.Sprintf("no request for %s after exchange %d (Retry-After: %s)", seconds(e.after.asked), r.N,
					r.Response.Header.Get(spec.HeaderRetryAfter)),
				fmt.Sprintf("%s %s after %s", e.call.Request.Method, history.Clip(e.call.WholePath(), 200), seconds(e.call.Sent.Sub(e.after.at))))
			f.After, w.Evidence = r.N, ""
			w.Broken = append(w.Broken, f)
		}
	}
	return w
}

func seconds(d time.Duration) string {
	if d < time.Second {
		return fmt.Sprintf("%d ms", d.Milliseconds())
	}
	return fmt.Sprintf("%.1f s", d.Seconds())
}
