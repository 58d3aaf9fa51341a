package clients

import (
	"cmp"
	"encoding/json"
	"fmt"

	"petconform/conformance/drive"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/verdict"
)

// Kind is the kind of a client run in its recording and its results.
const Kind = verdict.ClientKind

// Settings are the inputs of the judge in addition to the exchanges. They are in exchange.Meta.Settings.
type Settings struct {
	// Clients is how many clients use a key, if the user said so; 0 is unknown.
	Clients int `json:"clients,omitempty"`
	// Freedoms are the lawful variants that the reference service had.
	Freedoms []string `json:"freedoms,omitempty"`
}

// rule judges one requirement.
type rule struct {
	id, title string
	proves    spec.ID
	// operation is the operation whose requests the rule reads; empty if it reads those of all operations.
	operation spec.Operation
	// idle says what no client did if the rule had no request to read; empty if its reading says so.
	idle string
	read func(*story) reading
}

// reading is what a rule says of a run.
type reading struct {
	// of is the number of requests that the rule applied to.
	of     int
	broken []verdict.Finding
	// unsure says why the rule is inconclusive, and idle why it had no request to read. left says which requests it left out.
	unsure, idle, left string
	evidence           string
	observed           []verdict.Observation
}

// rules returns every rule, in the order of the ledger.
func rules() []rule {
	return []rule{
		{id: "client-key", title: "Requests carry an API key", proves: "CLIENT-1",
			idle: "no client called an operation", read: keyGiven},
		{id: "client-bearer", title: "The key is sent as a bearer token", proves: "CLIENT-2",
			idle: "no request carried a key", read: keyAsBearer},
		{id: "client-scheme", title: "The scheme is written Bearer", proves: "CLIENT-3",
			idle: "no request carried a bearer token", read: schemeAsWritten},
		{id: "client-retry-after", title: "No request comes before the time in Retry-After", proves: "CLIENT-4",
			read: retryAfterObeyed},
		{id: "client-backoff", title: "Waits grow after repeated 429s", proves: "CLIENT-5",
			read: waitsGrow},
		{id: "client-hammering", title: "A refused client does not go on sending", proves: "CLIENT-6",
			read: noHammering},
		{id: "client-jitter", title: "Waits after repeated 429s vary", proves: "CLIENT-7",
			read: waitsVary},
		{id: "client-limit", title: "A limit is an integer from 1 to 100", proves: "CLIENT-8", operation: spec.ListPets,
			idle: "no listing had a limit", read: limitInRange},
		{id: "client-status", title: "A status filter is one of the enumeration", proves: "CLIENT-9", operation: spec.ListPets,
			idle: "no listing had a status filter", read: statusKnown},
		{id: "client-media-type", title: "createPet is sent as application/json", proves: "CLIENT-10", operation: spec.CreatePet,
			idle: "no client sent a body with createPet", read: sentAsJSON},
		{id: "client-new-pet", title: "The body of createPet is a NewPet", proves: "CLIENT-11", operation: spec.CreatePet,
			idle: "no client called createPet", read: bodyIsNewPet},
		{id: "client-pet-id", title: "A petId is an int64", proves: "CLIENT-12", operation: spec.GetPet,
			idle: "no client called getPet", read: petIDIsInt64},
		{id: "client-exact", title: "Identifiers are sent back in every digit", proves: "CLIENT-13",
			read: sentBackExactly},
		{id: "client-deprecated", title: "getPet is not used", proves: "CLIENT-14", operation: spec.GetPet,
			idle: "no client asked for animals", read: getPetUnused},
		{id: "client-address", title: "Requests go to paths below the base address", proves: "CLIENT-15",
			idle: "no client called an operation", read: belowBase},
		{id: "client-open", title: "Which lawful variants the client met", proves: "CLIENT-16",
			read: freedomsMet},
	}
}

// RuleIDs are the ids of the rules, in the order of the ledger.
func RuleIDs() []string {
	var ids []string
	for _, r := range rules() {
		ids = append(ids, r.id)
	}
	return ids
}

// Proved returns the requirement that each rule proves, by the rule's id.
func Proved() map[string]spec.ID {
	by := map[string]spec.ID{}
	for _, r := range rules() {
		by[r.id] = r.proves
	}
	return by
}

// Judge returns the results of a client run, from its recording. It returns an error if the recording is not one of a client run.
func Judge(rec *exchange.Recording) (verdict.Results, error) {
	m := rec.Meta
	s, err := storyOf(rec)
	if err != nil {
		return verdict.Results{}, err
	}
	r := verdict.Results{Schema: verdict.Schema, Kind: Kind, Tool: m.Tool, InterfaceVersion: spec.InterfaceVersion, LedgerDigest: drive.LedgerDigest(),
		Target: verdict.Target{URL: m.Target, Reference: true, Build: m.Build, Environment: m.Environment, Access: m.Access},
		Run:    m.Run, Seed: m.Seed, Started: m.Started, Ended: m.Started, AsOf: m.AsOf, Strict: m.Strict,
		Requests: len(rec.Exchanges), Created: []verdict.Created{}}
	if rec.End != nil {
		r.Ended = rec.End.Ended
	} else if n := len(rec.Exchanges); n > 0 {
		r.Ended = rec.Exchanges[n-1].Ended().UTC()
	}
	for _, c := range s.created {
		r.Created = append(r.Created, c.Told())
	}
	for _, one := range rules() {
		c, seen := one.judge(s)
		r.Checks, r.Observations = append(r.Checks, c), append(r.Observations, seen...)
	}
	r.Requirements = verdict.Requirements(spec.TheLedger().OfClients(), r.Checks, m.AsOf)
	v := s.validity(rec)
	r.Warnings = v.Warnings
	r.Conclude(v)
	return r, nil
}

func (r rule) judge(s *story) (verdict.Check, []verdict.Observation) {
	got := r.read(s)
	c := verdict.Check{ID: r.id, Kind: verdict.Passive, Title: r.title, Operation: r.operation, Requirements: []spec.ID{r.proves}, Decides: r.proves,
		Exchanges: []int{}, Of: got.of, Held: got.of - min(got.of, len(got.broken)), Evidence: got.evidence}
	for _, f := range got.broken {
		c.Exchanges = append(c.Exchanges, f.Exchange)
	}
	c.Findings = verdict.FirstOfEach(got.broken)
	level := spec.Must
	if q, ok := spec.TheLedger().Find(r.proves); ok {
		level = q.Level
	}
	switch {
	case len(c.Findings) > 0:
		c.Verdict = verdict.Failed
	case got.unsure != "":
		c.Verdict, c.Reason = verdict.Inconclusive, got.unsure
	case level == spec.Open && len(got.observed) > 0:
		c.Verdict = verdict.Observed
	case got.of == 0 || level == spec.Open:
		c.Verdict, c.Reason = verdict.NotRun, cmp.Or(got.idle, got.left, r.idle)
	default:
		c.Verdict = verdict.Passed
	}
	if c.Evidence == "" && c.Of > 0 {
		c.Evidence = fmt.Sprintf("held on %s of %s", spec.Number(c.Held), spec.Count(c.Of, "request"))
		if got.left != "" {
			c.Evidence += "; " + got.left
		}
	}
	return c, got.observed
}

func settingsOf(rec *exchange.Recording) (Settings, error) {
	var s Settings
	if len(rec.Meta.Settings) == 0 {
		return s, nil
	}
	err := json.Unmarshal(rec.Meta.Settings, &s)
	return s, err
}
