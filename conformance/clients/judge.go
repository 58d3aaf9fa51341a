// Package clients judges the clients of the interface. A Watcher is a handler in front of the reference service. It
// records each request as the service saw it, without its key. Judge is a pure function of that recording: what the
// interface asks of clients, the requirements CLIENT-1 and following of the ledger, is told like the requirements of a
// service.
//
// A service cannot see everything of a client. Where a lawful client may have sent what is in the recording, Judge
// accuses nobody: the requirement is inconclusive, or the request is left out.
package clients

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/history"
	"petconform/spec/rules"
	"petconform/spec/verdict"
)

// Kind is the kind of a client run in its recording and its results.
const Kind = verdict.ClientKind

// Settings are the inputs of the judge in addition to the exchanges. They are in exchange.Meta.Settings.
type Settings struct {
	// Clients is how many clients use a key, if the user said so; 0 is unknown.
	Clients int `json:"clients,omitempty"`
	// Command says that the key was given to a command, and to nobody else.
	Command bool `json:"command,omitempty"`
	// Require are the requirements that the client has to meet. Each counts as a must.
	Require []spec.ID `json:"require,omitempty"`
	// Freedoms are the lawful variants that the reference service had.
	Freedoms []string `json:"freedoms,omitempty"`
}

// story is a recording in the terms of the rules. Its history does not have the animals of responses: those of a flood
// of listings would take ten times the recording.
type story struct {
	*history.History
	settings Settings
	calls    []*call // the requests of operations
	groups   []*group
	digits   digits
}

// storyOf reads a recording.
func storyOf(rec *exchange.Recording) (*story, error) {
	s := &story{digits: digits{shown: map[string]bool{}, changed: map[string]int64{}, exact: map[string]bool{}}}
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
			s.calls = append(s.calls, callOf(all[len(all)-1]))
			s.digits.read(history.ReadExchange(x))
		}
	}
	for _, calls := range divided(s.calls, sourceOf) {
		s.groups = append(s.groups, groupOf(calls, s.settings))
	}
	s.History = history.From(rec.Meta, rec.End, all)
	return s, nil
}

// Judge returns the results of a client run, from its recording. It returns an error if the recording is not one of a
// client run.
func Judge(rec *exchange.Recording) (verdict.Results, error) {
	s, err := storyOf(rec)
	if err != nil {
		return verdict.Results{}, err
	}
	r := verdict.Of(rec.Meta, rec.End)
	r.Kind, r.Target.Reference, r.Client, r.Requests = Kind, true, s.client(), len(s.All)
	if n := len(s.All); rec.End == nil && n > 0 {
		r.Ended = s.All[n-1].Ended().UTC()
	}
	r.Checks, r.Observations = rules.Judge(s.rules(), s.History)
	for i, c := range r.Checks { // the report groups them by operation
		if q, _ := spec.TheLedger().Find(c.Requirements[0]); len(q.Operations) == 1 {
			r.Checks[i].Operation = q.Operations[0]
		}
	}
	r.Requirements = verdict.Requirements(spec.TheLedger().Clients, r.Checks, r.AsOf)
	v := s.validity(rec)
	v.Incomplete = append(v.Incomplete, s.settings.require(r.Requirements)...)
	if q, _ := r.Requirement("CLIENT-11"); q.Verdict == verdict.NotRun && slices.ContainsFunc(s.All, calls(spec.CreatePet)) {
		v.Incomplete = append(v.Incomplete, q.Reason) // what it did is not known
	}
	r.Warnings = v.Warnings
	r.Conclude(v)
	return r, nil
}

// client says what is judged, by what its requests say of themselves, with up to five User-Agents.
func (s *story) client() *verdict.Client {
	on, by := map[int]bool{}, map[string]int{}
	for _, x := range s.All {
		if x.Caller.Connection > 0 {
			on[x.Caller.Connection] = true
		}
		if agent := x.Request.Header.Get("User-Agent"); agent != "" {
			by[history.Clip(agent, 80)]++
		}
	}
	agents := slices.SortedFunc(maps.Keys(by), func(a, b string) int { return cmp.Or(by[b]-by[a], strings.Compare(a, b)) })
	return &verdict.Client{Command: s.settings.Command, Connections: len(on), Agents: agents[:min(len(agents), 5)]}
}

// validity says why a run has no verdict, if it has none.
func (s *story) validity(rec *exchange.Recording) (v verdict.Validity) {
	keyed, unknown := 0, 0
	for _, c := range s.calls {
		if c.Caller.Key != "" {
			keyed++
		}
		if c.Auth == exchange.UnknownKey {
			unknown++
		}
	}
	incomplete := func(why string) { v.Incomplete = append(v.Incomplete, why) }
	switch {
	case len(s.All) == 0:
		incomplete("no client sent a request")
	case len(s.calls) == 0:
		incomplete("no client called an operation; " + spec.Count(len(s.All), "request") + " went to other paths or methods")
	case keyed == 0:
		incomplete("no request carried a key of this service; give the client one of those that petconform client prints")
	}
	if rec.End == nil || rec.Torn {
		incomplete("the recording has no end: the run was killed")
	} else if rec.End.Stopped != "" {
		incomplete("the run ended early: " + rec.End.Stopped)
	}
	if rec.End != nil && rec.End.Skipped[Sender] != "" {
		v.Warnings = append(v.Warnings, rec.End.Skipped[Sender])
	}
	if unknown > 0 {
		v.Warnings = append(v.Warnings, spec.Count(unknown, "request")+" carried a key that is not of this service")
	}
	return v
}

// require makes musts of the requirements that the client has to meet, and returns why it did not meet them.
func (s Settings) require(all []verdict.Requirement) (why []string) {
	for i, q := range all {
		if !slices.Contains(s.Require, q.ID) {
			continue
		}
		all[i].Level = spec.Must
		if q.Verdict == verdict.NotRun {
			why = append(why, fmt.Sprintf("%s is required, and the client did not meet it: %s", q.ID, q.Reason))
		}
	}
	return why
}
