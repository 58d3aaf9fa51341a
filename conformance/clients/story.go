package clients

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/history"
	"petconform/spec/verdict"
)

// story is a recording in the terms of the rules. Its history does not have the animals of responses: those of a flood
// of listings would take ten times the recording.
type story struct {
	*history.History
	settings Settings
	// calls are the requests of operations.
	calls  []history.Exchange
	groups []*group
	// identifiers are those that responses have shown, by kind, and created the animals that clients have created.
	identifiers map[string]*identifiers
	created     []history.Creation
}

// group has the calls that may come from one client: with the same key, from the same host, with the same User-Agent.
// All calls of one connection are of one group.
type group struct {
	calls []history.Exchange
	// side says that two of the calls, or their connections, overlapped.
	side bool
	// pipelined are the connections on which a call began before the response to the one before was complete.
	pipelined map[int]bool

	// early are the calls that were certainly too early, and workers is the number of clients to which the calls were
	// given.
	early   []early
	workers int
	// doubt is the smallest number of lawful clients that could have sent all calls, if none is early and none was
	// under way for long. There is no doubt if it is 1, or the number that the user gave.
	doubt int
	// again is the number of requests of which it is doubtful whether they were sent again too early.
	again int
}

// began is when a client began to send a call, or to connect for it.
func began(x history.Exchange) time.Time { return x.Sent.Add(-x.Caller.Ahead) }

func storyOf(rec *exchange.Recording) (*story, error) {
	s := &story{identifiers: map[string]*identifiers{anID: newIdentifiers(), aCategory: newIdentifiers()}}
	if given := rec.Meta.Settings; len(given) > 0 {
		if err := json.Unmarshal(given, &s.settings); err != nil {
			return nil, fmt.Errorf("the settings of the recording: %w", err)
		}
	}
	all := make([]history.Exchange, 0, len(rec.Exchanges))
	for _, x := range rec.Exchanges {
		if x.Caller == nil {
			return nil, fmt.Errorf("exchange %d does not say what the service saw of its client; "+
				"the recording is not of a client run", x.N)
		}
		all = append(all, history.Exchange{Exchange: x})
		if x.Named() {
			s.calls = append(s.calls, all[len(all)-1])
			read := history.ReadExchange(x)
			for kind, ids := range s.identifiers {
				ids.read(read, kind)
			}
			s.created = append(s.created, history.From(exchange.Meta{}, nil, []history.Exchange{read}).Created()...)
		}
	}
	s.History = history.From(rec.Meta, rec.End, all)
	s.group()
	return s, nil
}

func (s *story) group() {
	type name struct{ key, host, agent string }
	by, owner := map[name]*group{}, map[int]*group{}
	for _, x := range s.calls {
		n := name{x.Caller.Key, x.Caller.Host, x.Request.Header.Get("User-Agent")}
		g := owner[x.Caller.Connection]
		if g == nil || x.Caller.Connection == 0 || g.calls[0].Caller.Key != n.key {
			g = by[n]
		}
		if g == nil {
			g = &group{}
			by[n], s.groups = g, append(s.groups, g)
		}
		g.calls = append(g.calls, x)
		owner[x.Caller.Connection] = g
	}
	for _, g := range s.groups {
		g.pipelined = map[int]bool{}
		ended := map[int]time.Time{}
		var last time.Time
		for _, x := range g.calls {
			if began(x).Before(last) {
				g.side = true
			}
			on := x.Caller.Connection
			if x.Reused && on > 0 && began(x).Before(ended[on]) {
				g.pipelined[on] = true
			}
			ended[on] = x.Ended()
			if x.Ended().After(last) {
				last = x.Ended()
			}
		}
		s.findEarly(g)
	}
}

// crowded returns the numbers of the refused calls around which, by inFlight, another call was sent on another
// connection.
func (g *group) crowded() map[int]bool {
	all, inside, from, to := map[int]bool{}, map[int]int{}, 0, 0
	for _, x := range g.calls {
		for ; to < len(g.calls) && !g.calls[to].Sent.After(x.Received().Add(inFlight)); to++ {
			inside[g.calls[to].Caller.Connection]++
		}
		for ; from < to && g.calls[from].Sent.Before(x.Sent.Add(-inFlight)); from++ {
			inside[g.calls[from].Caller.Connection]--
		}
		if isRefusal(x) && to-from > inside[x.Caller.Connection] {
			all[x.N] = true
		}
	}
	return all
}

// validity says why a run has no verdict, if it has none.
func (s *story) validity(rec *exchange.Recording) verdict.Validity {
	var v verdict.Validity
	switch {
	case len(s.All) == 0:
		v.Incomplete = append(v.Incomplete, "no client sent a request")
	case len(s.calls) == 0:
		v.Incomplete = append(v.Incomplete,
			"no client called an operation; "+spec.Count(len(s.All), "request")+" went to other paths or methods")
	case count(s.calls, func(x history.Exchange) bool { return x.Caller.Key != "" }) == 0:
		v.Incomplete = append(v.Incomplete, "no request carried a key of this service; "+
			"give the client one of those that petconform client prints")
	}
	if rec.End == nil || rec.Torn {
		v.Incomplete = append(v.Incomplete, "the recording has no end: the run was killed")
	} else if rec.End.Stopped != "" {
		v.Incomplete = append(v.Incomplete, "the run ended early: "+rec.End.Stopped)
	}
	if rec.End != nil && rec.End.Skipped[Sender] != "" {
		v.Warnings = append(v.Warnings, rec.End.Skipped[Sender])
	}
	warn := func(n int, had string) {
		if n > 0 {
			v.Warnings = append(v.Warnings, spec.Count(n, "request")+" "+had)
		}
	}
	unknown := func(x history.Exchange) bool { return x.Auth == exchange.UnknownKey }
	warn(count(s.calls, unknown), "carried a key that is not of this service")
	warn(count(s.calls, hasKeyInPath), "had a key in the address beside the bearer token, where logs keep it")
	warn(count(s.All, hasKeyAsName), "had an API key as its method or in the name of a header; "+
		"the recording has "+exchange.Mask+" in its place")
	return v
}

func count(all []history.Exchange, is func(history.Exchange) bool) (n int) {
	for _, x := range all {
		if is(x) {
			n++
		}
	}
	return n
}

// hasKeyInPath reports whether a call has a key in its path or query besides the one that it sends as the interface
// wants it.
func hasKeyInPath(x history.Exchange) bool {
	return x.Auth == exchange.Key && strings.Contains(x.Request.Path, exchange.Mask)
}

// hasKeyAsName reports whether the method or the name of a header was a key.
func hasKeyAsName(x history.Exchange) bool {
	masked := func(name string) bool { return strings.Contains(name, exchange.Mask) }
	return masked(x.Request.Method) || slices.ContainsFunc(slices.Collect(maps.Keys(x.Request.Header)), masked)
}

// request is the method and the path of a call, for a message.
func request(x history.Exchange) string {
	return x.Request.Method + " " + history.Clip(x.WholePath(), 200)
}

func seconds(d time.Duration) string {
	if d < time.Second {
		return fmt.Sprintf("%d ms", d.Milliseconds())
	}
	return fmt.Sprintf("%.1f s", d.Seconds())
}
