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
	digits *digits
	// created are the animals that clients have created.
	created []history.Creation
}

// group has the calls with the same key, from the same host, with the same User-Agent. One client may have sent them.
type group struct {
	calls []history.Exchange
	// overlap says that a call began before another one was complete, so that several workers may send them.
	overlap bool
	// early are the calls that came before the time in Retry-After and are certainly of a client that had read it.
	// doubtful is the number of those that may be another's.
	early    []early
	doubtful int
}

// began is when a client began to send a call, or to connect for it.
func began(x history.Exchange) time.Time { return x.Sent.Add(-x.Caller.Ahead) }

func storyOf(rec *exchange.Recording) (*story, error) {
	s := &story{digits: &digits{shown: map[string]bool{}, changed: map[string]int64{}, exact: map[string]bool{}}}
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
			s.digits.read(read)
			s.created = append(s.created, history.From(exchange.Meta{}, nil, []history.Exchange{read}).Created()...)
		}
	}
	s.History = history.From(rec.Meta, rec.End, all)
	s.group()
	return s, nil
}

func (s *story) group() {
	type name struct{ key, host, agent string }
	by, last := map[name]*group{}, map[*group]time.Time{}
	for _, x := range s.calls {
		n := name{x.Caller.Key, x.Caller.Host, x.Request.Header.Get("User-Agent")}
		if by[n] == nil {
			by[n] = &group{}
			s.groups = append(s.groups, by[n])
		}
		g := by[n]
		g.calls, g.overlap = append(g.calls, x), g.overlap || began(x).Before(last[g])
		if x.Ended().After(last[g]) {
			last[g] = x.Ended()
		}
	}
	for _, g := range s.groups {
		s.findEarly(g)
	}
}

// validity says why a run has no verdict, if it has none.
func (s *story) validity(rec *exchange.Recording) (v verdict.Validity) {
	incomplete := func(is bool, why string) {
		if is {
			v.Incomplete = append(v.Incomplete, why)
		}
	}
	keyed := count(s.calls, func(x history.Exchange) bool { return x.Caller.Key != "" })
	incomplete(len(s.All) == 0, "no client sent a request")
	incomplete(len(s.All) > 0 && len(s.calls) == 0,
		"no client called an operation; "+spec.Count(len(s.All), "request")+" went to other paths or methods")
	incomplete(len(s.calls) > 0 && keyed == 0,
		"no request carried a key of this service; give the client one of those that petconform client prints")
	incomplete(rec.End == nil || rec.Torn, "the recording has no end: the run was killed")
	if rec.End != nil {
		incomplete(rec.End.Stopped != "", "the run ended early: "+rec.End.Stopped)
		if odd := rec.End.Skipped[Sender]; odd != "" {
			v.Warnings = append(v.Warnings, odd)
		}
	}
	warn := func(is func(history.Exchange) bool, had string) {
		if n := count(s.All, is); n > 0 {
			v.Warnings = append(v.Warnings, spec.Count(n, "request")+" "+had)
		}
	}
	warn(func(x history.Exchange) bool { return x.Named() && x.Auth == exchange.UnknownKey }, "carried a key that is not of this service")
	warn(showsKey, "had an API key where logs keep it, in the address, as the method or in the name of a header; the recording has "+
		exchange.Mask+" in its place")
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

// showsKey reports whether a key is in the path, as the method or in the name of a header. A call whose key is in the
// query alone breaks CLIENT-2.
func showsKey(x history.Exchange) bool {
	shown := append(slices.Collect(maps.Keys(x.Request.Header)), x.Request.Method, x.Request.Path)
	return x.Auth != exchange.QueryKey &&
		slices.ContainsFunc(shown, func(text string) bool { return strings.Contains(text, exchange.Mask) })
}
