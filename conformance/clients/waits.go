package clients

import (
	"fmt"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/history"
	"petconform/spec/rules"
	"petconform/spec/verdict"
)

const (
	// granularity is how much earlier than Retry-After a request may come. Retry-After has whole seconds, and a client may take the
	// time of the 429 from a clock that it reads in whole seconds. Such a client comes too early once: its next wait begins with a
	// whole second. A client on the service's machine has the service's clock, so it comes early by the fraction of the second only.
	granularity = time.Second
	// clockRead is how long before its request arrives a client on the same machine may have read its clock.
	clockRead = 20 * time.Millisecond
	// drift is the part of a wait by which the client's clock may be wrong: 1 in 1,000.
	drift = 1000
	// inFlight is how long after a 429 requests of the same client may arrive that it had begun to send before: the time of a
	// round trip and of a connection, on a busy machine. It holds only where requests were seen side by side.
	inFlight = 250 * time.Millisecond
	// underWay is how long after a 429 it is not certain that requests on other connections were sent after the client had read it: a
	// program that waits for its turn on a busy machine took 1.2 s. On the connection of the 429 the order is known.
	underWay = 2 * time.Second
	// fewClients is how many clients may use a key if nobody says how many do. A request too early may be another client's, unless
	// more than these had to be at work. A loop of a few seconds stays below on a fast machine as on a slow one.
	fewClients = 20
)

// refusal is a 429.
type refusal struct {
	call history.Exchange
	// at is the time at which the client could read it, until the time from which it may send again, and asked the wait in
	// Retry-After.
	at, until time.Time
	asked     time.Duration
}

// refusalOf reads the Retry-After of a 429. A date counts from the Date of the response, or by the client's own clock, whichever
// lets it send earlier.
func refusalOf(x history.Exchange) (refusal, bool) {
	if !x.Limited() {
		return refusal{}, false
	}
	wait, ok := exchange.RetryAfter(x.Response.Header, x.Received())
	if date, err := http.ParseTime(x.Response.Header.Get(spec.HeaderRetryAfter)); err == nil {
		wait = min(wait, date.Sub(x.Received()))
	}
	return refusal{call: x, at: x.Received(), asked: wait}, ok
}

func isRefusal(x history.Exchange) bool {
	_, refused := refusalOf(x)
	return refused
}

// rounding returns how much earlier than Retry-After a request may come because the client's clock has whole seconds.
func (r refusal) rounding() time.Duration {
	from, err := netip.ParseAddr(r.call.Caller.Host)
	if err != nil || !from.IsLoopback() || r.call.Caller.Connection == 0 {
		return granularity
	}
	return min(granularity, r.at.Sub(began(r.call).Add(-clockRead).Truncate(time.Second)))
}

// most returns the largest number of clients that a group may have without a finding: the number that the user gave, or
// fewClients and one for each connection that was used more than once.
func (g *group) most(declared int) int {
	if declared > 0 {
		return declared
	}
	kept := map[int]bool{}
	for _, x := range g.calls {
		if x.Reused && x.Caller.Connection > 0 {
			kept[x.Caller.Connection] = true
		}
	}
	return fewClients + len(kept)
}

// tooEarly returns the calls of a group that were certainly too early. If there are none, doubt is the smallest number of lawful
// clients that could have sent all calls, if none was under way for long; there is no doubt if it is 1, or the number that the user gave.
func (g *group) tooEarly(declared int) (all []early, doubt int) {
	g.once.Do(func() {
		a := g.assign(g.most(declared), underWay)
		if declared == 0 && a.exceeded { // so many do not share a key: it is one that does not wait
			a = g.assign(1, underWay)
		}
		if g.early = a.early; len(g.early) == 0 {
			g.doubt = len(g.assign(0, inFlight).candidates)
		}
	})
	return g.early, g.doubt
}

func (s *story) retryAfterObeyed(*history.History) (w rules.Whole) {
	w.Of = count(s.calls, isRefusal)
	for _, g := range s.groups {
		all, doubt := g.tooEarly(s.settings.Clients)
		for _, e := range all {
			w.Broken = append(w.Broken, finding("CLIENT-4", e.call, "a request before the time in Retry-After",
				fmt.Sprintf("no request for %s after exchange %d (Retry-After: %s)", seconds(e.after.asked), e.after.call.N, e.after.call.Response.Header.Get(spec.HeaderRetryAfter)),
				fmt.Sprintf("%s after %s", request(e.call), seconds(e.call.Sent.Sub(e.after.at)))))
		}
		switch declared := s.settings.Clients; {
		case doubt <= max(1, declared) || w.Unknown != "":
		case declared > 0:
			w.Unknown = fmt.Sprintf("requests came on connections other than that of a 429, %s to %s after it, and may have been under way; a client that does not wait is found after %s (run it with a longer --minute), and one that waits holds on an idle machine",
				seconds(inFlight), seconds(underWay), seconds(underWay))
		default:
			w.Unknown = fmt.Sprintf("requests came before the time in Retry-After, on connections other than that of the 429: either %d clients share the key, or a client does not wait; give the number of clients with --clients", doubt)
		}
	}
	if w.Of > 0 && len(w.Broken) == 0 {
		w.Evidence = fmt.Sprintf("no request came before the time in Retry-After, after %s", spec.Count(w.Of, "429"))
	}
	return w
}

// hammering is the number of refused requests in a row, each before the time in Retry-After, that breaks CLIENT-6.
const hammering = 5

func (s *story) noHammering(*history.History) (w rules.Whole) {
	w.Of = count(s.calls, isRefusal)
	for _, g := range s.groups {
		all, _ := g.tooEarly(s.settings.Clients)
		isEarly := map[int]bool{}
		for _, e := range all {
			isEarly[e.call.N] = true
		}
		var row []history.Exchange
		for _, x := range g.calls {
			switch {
			case isEarly[x.N] && x.Limited():
				row = append(row, x)
			case !x.Limited():
				w.Broken, row = append(w.Broken, hammered(row)...), nil
			}
		}
		w.Broken = append(w.Broken, hammered(row)...)
	}
	return w
}

// hammered returns the finding about a row of refused requests, if the row is too long.
func hammered(row []history.Exchange) []verdict.Finding {
	if len(row) < hammering {
		return nil
	}
	took := row[len(row)-1].Sent.Sub(row[0].Sent)
	return []verdict.Finding{finding("CLIENT-6", row[0], "requests while the key is refused", fmt.Sprintf("a pause; a service may ban the key after %d or fewer", hammering),
		fmt.Sprintf("%s in %s, all refused, each before the time in Retry-After", spec.Count(len(row), "request"), seconds(took)))}
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
