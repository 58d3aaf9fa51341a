package verdict

import (
	"encoding/json"
	"time"

	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/hint"
)

// Schema names the version of Results' layout.
const Schema = "petconform/results/1"

// Results is everything that a run found: the content of results.json, from which the reports are made.
type Results struct {
	Schema  string `json:"schema"`
	Kind    string `json:"kind"` // check, load, signoff or client
	Verdict Run    `json:"verdict"`
	// Word is the verdict as every output of the run writes it: CONFORMS, or PART HOLDS.
	Word string `json:"word,omitempty"`
	Part *Part  `json:"part,omitempty"` // nil unless the run left something out by choice
	// Inconclusive lists the inconclusive requirements, if nothing else keeps the run from conforming.
	Inconclusive []spec.ID `json:"inconclusive,omitempty"`
	Reasons      Reasons   `json:"reasons,omitempty"` // why a run deviates or has no verdict, most important first
	// Unjudged says why the recordings of the run could not be judged. Such a run has no verdict, whatever it claimed.
	Unjudged string   `json:"unjudged,omitempty"`
	Warnings []string `json:"warnings,omitempty"` // remarks on the validity of the run ("the clocks differ by 310 ms")

	Tool             string `json:"tool"`
	InterfaceVersion string `json:"interfaceVersion"`
	LedgerDigest     string `json:"ledgerDigest"`
	Target           Target `json:"target"`
	Run              string `json:"run"`
	Seed             uint64 `json:"seed"`
	Size             string `json:"size,omitempty"` // whether the checks were quick or full, and why
	Deep             bool   `json:"deep,omitempty"` // a full run was asked for, whatever the key may send

	Started time.Time `json:"started"`
	Ended   time.Time `json:"ended"`
	AsOf    time.Time `json:"asOf"`
	Strict  bool      `json:"strict,omitempty"`

	Requirements []Requirement `json:"requirements"`
	Checks       []Check       `json:"checks"`
	Observations []Observation `json:"observations,omitempty"`

	// Requests counts the requests sent. Created lists the animals that the run left on the target: the service has no
	// delete.
	Requests int       `json:"requests"`
	Created  []Created `json:"created"`
	// Runs are the runs that were merged; none for a single run.
	Runs     []Span `json:"runs,omitempty"`
	WaitedMS int64  `json:"waitedMs"` // the time spent waiting for the target's allowance
	// Load holds the plans, phases and figures of a load run, in the layout of package load.
	Load json.RawMessage `json:"load,omitempty"`
	// Release is the decision on a release, with the gates that led to it, in the layout of package reports; none before
	// the run has a report.
	Release json.RawMessage `json:"release,omitempty"`
}

// Of returns the results of a run of which nothing is judged yet, from the first and the last line of its recording.
// Without an end, the run ended when it started.
func Of(m exchange.Meta, end *exchange.End) Results {
	r := Results{Schema: Schema, Kind: m.Kind, Tool: m.Tool, InterfaceVersion: spec.InterfaceVersion, LedgerDigest: spec.LedgerDigest(),
		Target: Target{URL: m.Target, Reference: m.Reference, Build: m.Build, Environment: m.Environment, Way: m.Way, Flags: m.Flags},
		Run:    m.Run, Seed: m.Seed, Started: m.Started, Ended: m.Started, AsOf: m.AsOf, Strict: m.Strict, Created: []Created{}}
	if end != nil {
		r.Ended, r.WaitedMS = end.Ended, end.Waited.Milliseconds()
	}
	return r
}

// Span is when a run began and ended. One that did not end ends when it began.
type Span struct {
	Kind    string    `json:"kind"`
	Started time.Time `json:"started"`
	Ended   time.Time `json:"ended"`
}

// Spans are those of the runs that were merged, or that of a single run.
func (r Results) Spans() []Span {
	if len(r.Runs) > 0 {
		return r.Runs
	}
	return []Span{{r.Kind, r.Started, r.Ended}}
}

// Took is how long the run took; merged runs, without the pauses between them.
func (r Results) Took() (sum time.Duration) {
	for _, s := range r.Spans() {
		sum += max(0, s.Ended.Sub(s.Started))
	}
	return sum
}

// OfClient reports whether the run judged a client by what it sent, and not a service.
func (r Results) OfClient() bool { return r.Kind == ClientKind }

// ClientKind is the Kind of a run that judged a client.
const ClientKind = "client"

// Traffic says how many requests were judged.
func (r Results) Traffic() string {
	if r.NothingJudged() {
		return "nothing was judged"
	}
	return spec.Count(r.Requests, "request")
}

// Target is what was tested.
type Target struct {
	URL         string          `json:"url"`
	Reference   bool            `json:"reference,omitempty"` // the target was the built-in reference service
	Build       string          `json:"build,omitempty"`
	Environment string          `json:"environment,omitempty"`
	Way         exchange.Way    `json:"way,omitempty"`
	Flags       []exchange.Flag `json:"flags,omitempty"`     // those that a command line needs to reach the target again
	Stack       *hint.Sign      `json:"stack,omitempty"`     // the framework that the responses show; nil if none
	Protocols   map[string]int  `json:"protocols,omitempty"` // Protocols counts the responses by their version of HTTP
}

// Answered adds n responses in a version of HTTP.
func (t *Target) Answered(proto string, n int) {
	if t.Protocols == nil {
		t.Protocols = map[string]int{}
	}
	t.Protocols[proto] += n
}

// Requirement is a statement of the ledger with its verdict.
type Requirement struct {
	ID        spec.ID    `json:"id"`
	Clause    string     `json:"clause"`
	Statement string     `json:"statement"`
	Level     spec.Level `json:"level"`
	Verdict   Verdict    `json:"verdict"`
	Checks    []string   `json:"checks"`
	Reason    string     `json:"reason,omitempty"` // why a requirement was not tested, not applicable or inconclusive
	Waiver    string     `json:"waiver,omitempty"` // the id of the waiver that excuses the failure
}

// CheckKind distinguishes checks, rules and phases.
type CheckKind string

const (
	Active  CheckKind = "check" // checks send requests of their own
	Passive CheckKind = "rule"  // checks (rules) read every exchange of the run
	Phase   CheckKind = "phase" // is a phase of a load run
)

// Check is a check, rule or phase with its verdict.
type Check struct {
	ID           string         `json:"id"`
	Kind         CheckKind      `json:"kind"`
	Title        string         `json:"title"`
	Operation    spec.Operation `json:"operation,omitempty"`
	Verdict      Verdict        `json:"verdict"`
	Requirements []spec.ID      `json:"requirements"`
	// Decides is the requirement that the check exists for. If the check is inconclusive, so is this requirement.
	Decides   spec.ID   `json:"decides,omitempty"`
	Exchanges []int     `json:"exchanges"` // the numbers of the exchanges that a check sent or that broke a rule
	Findings  []Finding `json:"findings,omitempty"`
	Reason    string    `json:"reason,omitempty"` // why the verdict is not tested, inconclusive or not applicable
	// Because lists the broken requirements that make the check inconclusive. It may find more when they are fixed.
	Because []spec.ID `json:"because,omitempty"`
	// Of is the number of exchanges that a rule applies to, and Held the number of those on which it holds.
	Held     int    `json:"held,omitempty"`
	Of       int    `json:"of,omitempty"`
	Evidence string `json:"evidence,omitempty"` // what a pass rests on: "passed on 97 of 97"
	MS       int64  `json:"ms,omitempty"`       // the time from the first request to the last response, in milliseconds
}

// Created is an animal that the run left on the target, or one that a client created.
type Created struct {
	ID       json.Number `json:"id"`
	Name     string      `json:"name"`
	Exchange int         `json:"exchange"`
	Unwanted bool        `json:"unwanted,omitempty"` // the service should have refused the request that created the animal
}
