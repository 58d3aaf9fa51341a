package clients

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"time"

	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/history"
	"petconform/spec/rules"
)

const (
	// granularity is how much earlier than Retry-After a request may come. Retry-After has whole seconds, and a
	// client may take the time of the 429 from a clock that it reads in whole seconds. Such a client comes too early
	// once: its next wait begins with a whole second. A client on the service's machine has the service's clock, so
	// it comes early by the fraction of the second only.
	granularity = time.Second
	// clockRead is how long before its request arrives a client on the same machine may have read its clock.
	clockRead = 20 * time.Millisecond
	// drift is the part of a wait by which the client's clock may be wrong: 1 in 1,000.
	drift = 1000
	// inFlight is how long after a 429 requests of the same client may arrive that it had begun to send before: the
	// time of a round trip and of a connection, on a busy machine. It holds only where requests were seen side by side.
	inFlight = 250 * time.Millisecond
	// handedOn is how long after a 429 a request may come on its connection that waited for the connection to be free:
	// several workers may wake at once when only one connection is still open.
	handedOn = 50 * time.Millisecond
	// queued is how long after a 429 requests may come on its connection that a pool sends in the order in which
	// workers began them: those of 120 workers took 0.3 s, on a machine with five times the work it can do.
	queued = time.Second
	// underWay is how long after a 429 it is not certain that requests on other connections were sent after the
	// client had read it: a program that waits for its turn on a busy machine took 1.2 s. On the connection of the
	// 429 the order is known.
	underWay = 2 * time.Second
	// fewClients is how many clients may use a key if nobody says how many do. A request too early may be another
	// client's, unless more than these had to be at work. A loop of a few seconds stays below on a fast machine as on
	// a slow one.
	fewClients = 20
)

// refusal is a 429.
type refusal struct {
	call history.Exchange
	// at is the time at which the client could read it, until the time from which it may send again, and asked the wait
	// in Retry-After.
	at, until time.Time
	asked     time.Duration
	// dated says that Retry-After is a date.
	dated bool
}

// refusalOf reads the Retry-After of a 429. A date counts from the Date of the response, or by the client's own clock,
// whichever lets it send earlier.
func refusalOf(x history.Exchange) (refusal, bool) {
	if !x.Limited() {
		return refusal{}, false
	}
	wait, ok := exchange.RetryAfter(x.Response.Header, x.Received())
	date, err := http.ParseTime(x.Response.Header.Get(spec.HeaderRetryAfter))
	if err == nil {
		wait = min(wait, date.Sub(x.Received()))
	}
	return refusal{call: x, at: x.Received(), asked: wait, dated: err == nil}, ok
}

func isRefusal(x history.Exchange) bool {
	_, refused := refusalOf(x)
	return refused
}

// rounding returns how much earlier than Retry-After a request may come because the client's clock has whole seconds.
// It reaches a date no earlier by such a clock.
func (r refusal) rounding() time.Duration {
	from, err := netip.ParseAddr(r.call.Caller.Host)
	switch {
	case err != nil || !from.IsLoopback() || r.call.Caller.Connection == 0:
		return granularity
	case r.dated:
		return 0
	}
	return min(granularity, r.at.Sub(began(r.call).Add(-clockRead).Truncate(time.Second)))
}

// most returns the largest number of clients that a group may have without a finding, if nobody says how many:
// fewClients and one for each connection that was used more than once, of as many as may be open at once.
func (g *group) most() int {
	kept := map[int]bool{}
	for _, x := range g.calls {
		if x.Reused && x.Caller.Connection > 0 {
			kept[x.Caller.Connection] = true
		}
	}
	return fewClients + min(len(kept), maxConnections)
}

// fewWorkers is how many workers of a command may send one after another by chance, without an overlap.
const fewWorkers = 3

// findEarly finds the calls of a group that were too early, or how doubtful that is.
func (s *story) findEarly(g *group) {
	declared := s.settings.Clients
	if g.side && declared <= 1 { // before the assignments, which take long for a flood
		g.early, g.again = g.sentAgain(declared == 1 || s.settings.Command)
	}
	if len(g.early) > 0 {
		return
	}
	a := g.assign(cmp.Or(declared, g.most()), underWay)
	if declared == 0 && a.exceeded { // so many do not share a key: it is one that does not wait
		a = g.assign(1, underWay)
	}
	if len(a.early) == 0 {
		g.doubt = len(g.assign(g.most(), inFlight).candidates)
	}
	if g.doubt > 1 && declared == 0 && s.settings.Command && !g.side {
		if one := g.assign(1, underWay); g.doubt > fewWorkers || g.triesAgain(one.early) {
			a = one
		}
	}
	g.early, g.workers = a.early, len(a.candidates)
}

// content is what a call asks for. If the same was refused before, its client tries again. A call of something else may
// be that of another worker, who has not seen the 429.
type content struct{ method, path, body string }

func contentOf(x history.Exchange) content {
	return content{x.Request.Method, x.Request.Path, string(x.Request.Body)}
}

// callsOf returns the numbers of the calls that came too early.
func callsOf(all []early) map[int]bool {
	numbers := map[int]bool{}
	for _, e := range all {
		numbers[e.call.N] = true
	}
	return numbers
}

// triesAgain reports whether one of the calls repeats the refused call before it, and the group is one client that
// sends what was refused until it is accepted. Two copies of a program, by chance without an overlap, have everything
// accepted twice; of two programs, one sends something else after a refusal of the other.
func (g *group) triesAgain(all []early) (again bool) {
	isEarly, accepted := callsOf(all), map[content]int{}
	for i, x := range g.calls {
		c := contentOf(x)
		if !x.Limited() {
			accepted[c]++
		}
		if i > 0 && isRefusal(g.calls[i-1]) {
			if c != contentOf(g.calls[i-1]) {
				return false
			}
			again = again || isEarly[x.N]
		}
	}
	once := func(n int) bool { return n == 1 }
	return again && slices.ContainsFunc(slices.Collect(maps.Values(accepted)), once)
}

func (s *story) retryAfterObeyed(*history.History) (w rules.Whole) {
	w.Of = count(s.calls, isRefusal)
	if w.Of == 0 {
		return s.paced()
	}
	side := false
	for _, g := range s.groups {
		side = side || g.side
		for _, e := range g.early {
			r := e.after.call
			f := finding("CLIENT-4", e.call, "a request before the time in Retry-After",
				fmt.Sprintf("no request for %s after exchange %d (Retry-After: %s)", seconds(e.after.asked), r.N,
					r.Response.Header.Get(spec.HeaderRetryAfter)),
				fmt.Sprintf("%s after %s, on %s", request(e.call), seconds(e.call.Sent.Sub(e.after.at)), e.place(g)))
			f.After = r.N
			w.Broken = append(w.Broken, f)
		}
		if len(g.early) == 0 {
			w.Unknown = cmp.Or(w.Unknown, s.doubtful(g))
		}
	}
	if len(w.Broken) == 0 {
		w.Evidence = "no request came before the time in Retry-After, after " + spec.Count(w.Of, "429")
		if side {
			w.Evidence += ", apart from those that may have been under way"
		}
	}
	return w
}

// doubtful says why it cannot be told whether a group without an early call waits; "" if it does.
func (s *story) doubtful(g *group) string {
	switch declared := s.settings.Clients; {
	case g.again > 0:
		return fmt.Sprintf("%d requests came, or were sent again and again, before the time in Retry-After: "+
			"either workers had begun them before the 429, or the client does not wait; "+
			"a run with fewer requests at once shows which", g.again)
	case g.doubt <= max(1, declared):
		return ""
	case declared > 0:
		return fmt.Sprintf("requests came on connections other than that of a 429, %s to %s after it, and may have "+
			"been under way; a client that does not wait is found after %s (run it with a longer --minute), "+
			"and one that waits holds on an idle machine", seconds(inFlight), seconds(underWay), seconds(underWay))
	}
	return fmt.Sprintf("requests came before the time in Retry-After, on connections other than that of the 429: "+
		"either %d clients share the key, or a client does not wait; give the number of clients with --clients", g.doubt)
}

// place says on which connection a call came, and which of the clients of a group sent it.
func (e early) place(g *group) string {
	on, of := e.call.Caller.Connection, e.after.call.Caller.Connection
	place := fmt.Sprintf("connection %d", on)
	switch {
	case on == 0:
		place = "the connection of a proxy"
	case on == of:
		place += ", that of the 429"
	default:
		place += fmt.Sprintf("; the 429 came on connection %d", of)
	}
	if g.workers > 1 && g.side {
		place += fmt.Sprintf("; worker %d of %d", e.worker, g.workers)
	}
	return place
}

const (
	// pacedWindows is the number of windows in which a client that never gets a 429 has to stop by itself, to have
	// shown that it waits.
	pacedWindows = 3
	// fewLeft is the X-RateLimit-Remaining at which a client that paces itself stops, at the latest.
	fewLeft = 1
)

// paced counts the waits of clients that were told that nearly nothing was left of the window, and sent nothing more
// in it. A client whose requests overlap may have sent them for other reasons in time.
func (s *story) paced() (w rules.Whole) {
	for _, g := range s.groups {
		for i := 1; i < len(g.calls) && !g.side; i++ {
			x := g.calls[i-1]
			if x.Response == nil {
				continue
			}
			a, ok := exchange.AllowanceOf(x.Response.Header)
			if ok && a.Remaining <= fewLeft && !g.calls[i].Sent.Before(a.Reset.Add(-granularity)) {
				w.Of++
			}
		}
	}
	if w.Of < pacedWindows {
		return rules.Whole{}
	}
	w.Evidence = fmt.Sprintf("no 429 came, because the client paces itself: %d times it was told that %d or fewer "+
		"requests were left, and sent the next one after the reset", w.Of, fewLeft)
	return w
}

// list joins durations for a message.
func list(waits []time.Duration) string {
	words := make([]string, min(len(waits), 8))
	for i := range words {
		words[i] = seconds(waits[i])
	}
	if len(waits) > len(words) {
		words = append(words, "…")
	}
	return strings.Join(words, ", ")
}
