package clients

import (
	"encoding/json"
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
//     sent by a client that has read the response; or if as many 429s were to be waited for as clients may share a key;
//   - with --clients 1: if the 429 was inFlight ago, or underWay where requests overlap.
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
	// inFlight is how long after a 429 one request on each connection may arrive that a worker had begun before: the time
	// of a round trip and of a connection, on a busy machine.
	inFlight = 250 * time.Millisecond
	// underWay is how long after a 429 it is not certain that they were sent after the client had read it: a program
	// that waits for its turn on a busy machine took 1.2 s.
	underWay = 2 * time.Second
	// fewClients is how many clients may share a key whose requests never overlap: as many as a test runner starts on a
	// usual machine may send one after another by chance. That a user knows how many they are makes nothing certain: one
	// of them may have several 429s, of several workers.
	fewClients = 20
)

type call struct {
	history.Exchange
	// began is when the client began to send it, or to connect for it.
	began time.Time
	// asked is the wait in the Retry-After of a 429, and until the time from which the client may send again.
	asked time.Duration
	until time.Time
}

// callOf reads a call. A date in Retry-After counts from the Date of the response, or by the client's own clock,
// whichever lets it send earlier.
func callOf(x history.Exchange) call {
	c := call{Exchange: x, began: x.Sent.Add(-x.Caller.Ahead)}
	if !x.Limited() {
		return c
	}
	at, early := x.Received(), granularity
	asked, _ := exchange.RetryAfter(x.Response.Header, at)
	date, err := http.ParseTime(x.Response.Header.Get(spec.HeaderRetryAfter))
	if from, _ := netip.ParseAddr(x.Caller.Host); from.IsLoopback() && x.Caller.Connection > 0 {
		early = min(granularity, at.Sub(c.began.Add(-clockRead).Truncate(time.Second)))
		if err == nil {
			early = 0
		}
	}
	if err == nil {
		asked = min(asked, date.Sub(at))
	}
	c.asked, c.until = asked, at.Add(asked-asked/1000-early) // the client's clock may be wrong by 1 in 1,000
	return c
}

// retryAfterObeyed judges the waits of each source: what a service sees of who sent a call.
func retryAfterObeyed(h *history.History) (w rules.Whole) {
	type source struct{ key, host, agent string }
	var s Settings
	_ = json.Unmarshal(h.Meta.Settings, &s) // without them nothing is known
	var all []source
	calls := map[source][]call{}
	for _, x := range h.All {
		if x.Named() {
			from := source{x.Caller.Key, x.Caller.Host, x.Request.Header.Get("User-Agent")}
			all, calls[from] = spec.With(all, from), append(calls[from], callOf(x))
		}
	}
	for _, from := range all {
		s.judge(&w, calls[from])
	}
	return w
}

// judge finds the calls of one source, of one client or several, that came too early. If none certainly did and some may
// have, it says how to be judged.
func (s Settings) judge(w *rules.Whole, calls []call) {
	overlap, found, doubtful := overlaps(calls), len(w.Broken), 0
	var waits []call            // the 429s that are to be waited for
	sent := map[int]time.Time{} // when the last call of each connection was sent
	for _, c := range calls {
		waits = slices.DeleteFunc(waits, func(w call) bool { return !c.Sent.Before(w.until) })
		on := c.Caller.Connection
		if len(waits) > 0 && c.began.After(waits[0].Received()) {
			first := waits[0].Received()
			ago := c.began.Sub(first)
			own := slices.IndexFunc(waits, func(w call) bool { return on > 0 && w.Caller.Connection == on })
			switch {
			case !overlap && (own >= 0 || len(waits) >= fewClients),
				s.Clients == 1 && (ago > underWay || !overlap && ago > inFlight):
				after := waits[max(own, 0)]
				w.Breaks(c.Exchange, "CLIENT-4", "a request before the time in Retry-After",
					fmt.Sprintf("no request for %.2f s after exchange %d (Retry-After: %s)", after.asked.Seconds(), after.N,
						after.Response.Header.Get(spec.HeaderRetryAfter)),
					fmt.Sprintf("%s %s after %.2f s", c.Request.Method, history.Clip(c.WholePath(), 200),
						c.Sent.Sub(after.Received()).Seconds()))
				w.Broken[len(w.Broken)-1].After = after.N
			case !overlap || ago > inFlight || sent[on].After(first):
				doubtful++
			}
		}
		sent[on] = c.Sent
		if c.until.IsZero() {
			continue
		}
		if w.Of++; len(waits) < fewClients { // a further one makes nothing more certain
			waits = append(waits, c)
		}
	}
	if doubtful > 0 && len(w.Broken) == found {
		w.Unknown = spec.Count(doubtful, "request") + " came before the time in Retry-After, and may have been under way, " +
			"or another client's; to be judged, run one client at a time, with --clients 1 --minute 20s"
	}
}

// overlaps reports whether a call began before the response to another one could be read, so that several workers may
// send them.
func overlaps(calls []call) bool {
	var ended time.Time
	for _, c := range calls {
		if !c.began.After(ended) {
			return true
		}
		ended = c.Ended()
	}
	return false
}
