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
	"fmt"
	"maps"
	"slices"
	"strings"

	"petconform/conformance/judge"
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

// RuleIDs are the ids of the rules, in the order of the ledger.
func RuleIDs() (ids []string) {
	for _, r := range Rules() {
		ids = append(ids, r.ID)
	}
	return ids
}

// Rules are the rules, in the order of the ledger. They read no recording.
func Rules() []rules.Rule { return (*story)(nil).rules() }

// rules returns every rule, in the order of the ledger. Each proves one requirement.
func (s *story) rules() []rules.Rule {
	all := []rules.Rule{
		{ID: "client-key", Title: "Requests carry an API key", Idle: "no client called an operation",
			Each: each("CLIENT-1", "a request without an API key", keyForm, history.Exchange.Named, breaking("CLIENT-1"))},
		{ID: "client-bearer", Title: "The key is sent as a bearer token", Idle: "no request carried a key",
			Each: each("CLIENT-2", "a key in another form", keyForm, given, breaking("CLIENT-2"))},
		{ID: "client-scheme", Title: "The scheme is written Bearer", Idle: "no request carried a bearer token",
			Each: each("CLIENT-3", "a scheme in another case", keyForm, bearer, breaking("CLIENT-3"))},
		{ID: "client-retry-after", Title: "No request comes before the time in Retry-After", Whole: s.retryAfterObeyed,
			Idle: "no client received a 429; the third or fifth request of a key gets one, without --plain and --freedom"},
		{ID: "client-backoff", Title: "Waits grow after repeated 429s", Whole: s.waitsGrow},
		{ID: "client-hammering", Title: "A refused client does not go on sending", Whole: s.noHammering,
			Idle: "no client received a 429 or a 401"},
		{ID: "client-jitter", Title: "Waits after repeated 429s vary", Observe: s.waitsVary,
			Idle: "clients did not wait after enough refusals to compare the waits"},
		{ID: "client-limit", Title: "A limit is an integer from 1 to 100", Idle: "no listing had a limit",
			Each: parameter("CLIENT-8", "limit", fmt.Sprintf("an integer from %d to %d, or no limit", spec.MinLimit, spec.MaxLimit))},
		{ID: "client-status", Title: "A status filter is one of the enumeration", Idle: "no listing had a status filter",
			Each: parameter("CLIENT-9", "status", "available, pending or sold, or no filter")},
		{ID: "client-media-type", Title: "createPet is sent as application/json", Idle: "no client sent a body with createPet",
			Each: each("CLIENT-10", "the media type of a NewPet", "Content-Type: application/json", hasBody, otherMediaType)},
		{ID: "client-new-pet", Title: "The body of createPet is a NewPet", Idle: "no client called createPet", Whole: bodyIsNewPet},
		{ID: "client-pet-id", Title: "A petId is an int64", Idle: "no client called getPet",
			Each: each("CLIENT-12", "a petId", "an int64", asksForOne, otherPetID)},
		{ID: "client-exact", Title: "Identifiers are sent back in every digit",
			Idle: "no client sent back an identifier that a float64 changes, to getPet or as a categoryId; " +
				"the service assigns such ids, without --plain and --freedom",
			Whole: func(*history.History) rules.Whole { return s.digits.found }},
		{ID: "client-deprecated", Title: "getPet is not used", Idle: "no client asked for animals",
			Each: each("CLIENT-14", "getPet is deprecated and is removed on "+spec.Removal.Format("2 January 2006"),
				"its replacement: GET /pets with the status filter", asksForAnimals, deprecated)},
		{ID: "client-address", Title: "Requests go to paths below the base address", Idle: "no client called an operation",
			Each: each("CLIENT-15", "an operation at another address", "a path below the base address, like /v1/pets",
				meansOperation, otherAddress)},
		{ID: "client-open", Title: "Which lawful variants the client met", Observe: s.freedomsMet,
			Idle: "the service had no freedom switched on, or no client called an operation"},
	}
	for i, q := range spec.TheLedger().Clients {
		all[i].Proves = []spec.ID{q.ID}
	}
	return all
}

const keyForm = "Authorization: Bearer <API_KEY>"

// Judge returns the results of a client run, from its recording. It returns an error if the recording is not one of a
// client run.
func Judge(rec *exchange.Recording) (verdict.Results, error) {
	m := rec.Meta
	s, err := storyOf(rec)
	if err != nil {
		return verdict.Results{}, err
	}
	r := verdict.Results{Schema: verdict.Schema, Kind: Kind, Tool: m.Tool, InterfaceVersion: spec.InterfaceVersion,
		LedgerDigest: judge.LedgerDigest(),
		Target: verdict.Target{URL: m.Target, Reference: true, Build: m.Build, Environment: m.Environment,
			Flags: m.Flags},
		Run: m.Run, Seed: m.Seed, Started: m.Started, Ended: m.Started, AsOf: m.AsOf, Strict: m.Strict,
		Client: s.client(), Requests: len(rec.Exchanges), Created: []verdict.Created{}}
	if rec.End != nil {
		r.Ended = rec.End.Ended
	} else if n := len(rec.Exchanges); n > 0 {
		r.Ended = rec.Exchanges[n-1].Ended().UTC()
	}
	for _, c := range s.created {
		r.Created = append(r.Created, c.Result())
	}
	r.Checks, r.Observations = rules.Judge(s.rules(), s.History)
	for i, c := range r.Checks { // the report groups them by operation
		if q, _ := spec.TheLedger().Find(c.Requirements[0]); len(q.Operations) == 1 {
			r.Checks[i].Operation = q.Operations[0]
		}
	}
	r.Requirements = verdict.Requirements(spec.TheLedger().Clients, r.Checks, m.AsOf)
	v := s.validity(rec)
	v.Incomplete = append(v.Incomplete, s.settings.require(r.Requirements)...)
	if q, _ := r.Requirement("CLIENT-11"); q.Verdict == verdict.NotRun && slices.ContainsFunc(s.calls, isCreation) {
		v.Incomplete = append(v.Incomplete, q.Reason) // what it did is not known
	}
	r.Warnings = v.Warnings
	r.Conclude(v)
	return r, nil
}

// mostAgents is the largest number of User-Agents that the results name.
const mostAgents = 5

// client says what is judged, by what its requests say of themselves.
func (s *story) client() *verdict.Client {
	c, on, by := &verdict.Client{Command: s.settings.Command}, map[int]bool{}, map[string]int{}
	for _, x := range s.All {
		if x.Caller.Connection > 0 {
			on[x.Caller.Connection] = true
		}
		if agent := x.Request.Header.Get("User-Agent"); agent != "" {
			by[history.Clip(agent, 80)]++
		}
	}
	c.Connections = len(on)
	most := func(a, b string) int { return cmp.Or(by[b]-by[a], strings.Compare(a, b)) }
	c.Agents = slices.SortedFunc(maps.Keys(by), most)
	c.Agents = c.Agents[:min(len(c.Agents), mostAgents)]
	return c
}

// freedomsMet lists the lawful variants that the client met. Only the client's own tests can show how it handled them.
func (s *story) freedomsMet(*history.History) []verdict.Observation {
	if len(s.calls) == 0 || len(s.settings.Freedoms) == 0 {
		return nil
	}
	return []verdict.Observation{{Requirement: "CLIENT-16", Key: "freedoms", Value: fmt.Sprintf("%s; %s of operations",
		strings.Join(s.settings.Freedoms, ", "), spec.Count(len(s.calls), "request"))}}
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
