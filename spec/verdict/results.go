package verdict

import (
	"encoding/json"
	"time"

	"petconform/spec"
)

// Schema names the version of Results' layout.
const Schema = "petconform/results/1"

// Results is what a run found, whole: the content of results.json, and all that a report is made from.
type Results struct {
	Schema string `json:"schema"`
	// Kind is check, load or signoff.
	Kind    string `json:"kind"`
	Verdict Run    `json:"verdict"`
	// Word is the verdict as every output of the run writes it: CONFORMS, or "PART: 7 of 64 musts hold, 0 broken".
	Word string `json:"word,omitempty"`
	// Part is there when the run left something out by choice.
	Part *Part `json:"part,omitempty"`
	// Untold are the requirements that could not be told, where they are all that keeps the run from conforming.
	Untold []spec.ID `json:"untold,omitempty"`
	// Reasons says, for a run that deviates or has no verdict, why, most important first.
	Reasons []string `json:"reasons,omitempty"`
	// Warnings are remarks on the validity of the run ("the clocks differ by 310 ms").
	Warnings []string `json:"warnings,omitempty"`

	Tool             string    `json:"tool"`
	InterfaceVersion string    `json:"interfaceVersion"`
	LedgerDigest     string    `json:"ledgerDigest"`
	Target           Target    `json:"target"`
	Run              string    `json:"run"`
	Seed             uint64    `json:"seed"`
	Started          time.Time `json:"started"`
	Ended            time.Time `json:"ended"`
	AsOf             time.Time `json:"asOf"`
	Strict           bool      `json:"strict,omitempty"`

	Requirements []Requirement `json:"requirements"`
	Checks       []Check       `json:"checks"`
	Observations []Observation `json:"observations,omitempty"`

	// Requests counts what was sent, and Created lists the animals that the run left on the target: the service has no delete.
	Requests int       `json:"requests"`
	Created  []Created `json:"created"`
	// WaitedMS is the time spent waiting for the target's allowance.
	WaitedMS int64 `json:"waitedMs"`
	// Load holds a load run's plans, phases, figures and inferences, as its own package lays them out.
	Load json.RawMessage `json:"load,omitempty"`
}

// Target is what was tested.
type Target struct {
	URL string `json:"url"`
	// Reference says that it was the built-in reference service.
	Reference   bool   `json:"reference,omitempty"`
	Build       string `json:"build,omitempty"`
	Environment string `json:"environment,omitempty"`
}

// Requirement is a statement of the ledger with what the run says of it.
type Requirement struct {
	ID        spec.ID    `json:"id"`
	Clause    string     `json:"clause"`
	Statement string     `json:"statement"`
	Level     spec.Level `json:"level"`
	Verdict   Verdict    `json:"verdict"`
	Checks    []string   `json:"checks"`
	// Reason says why a requirement was not run, not applicable or inconclusive.
	Reason string `json:"reason,omitempty"`
	// Waiver is the id of the waiver that excuses the failure.
	Waiver string `json:"waiver,omitempty"`
}

// CheckKind tells checks that send from rules that read.
type CheckKind string

const (
	// Active checks send requests of their own.
	Active CheckKind = "check"
	// Passive checks (rules) read every exchange of the run.
	Passive CheckKind = "rule"
	// Phase is a phase of a load run.
	Phase CheckKind = "phase"
)

// Check is a check, rule or phase with what the run says of it.
type Check struct {
	ID           string         `json:"id"`
	Kind         CheckKind      `json:"kind"`
	Title        string         `json:"title"`
	Operation    spec.Operation `json:"operation,omitempty"`
	Verdict      Verdict        `json:"verdict"`
	Requirements []spec.ID      `json:"requirements"`
	// Decides is the requirement that the check is there for: when the check is inconclusive, so is this requirement.
	Decides spec.ID `json:"decides,omitempty"`
	// Exchanges are the numbers of the exchanges that it sent or, for a rule, of those that broke it.
	Exchanges []int     `json:"exchanges"`
	Findings  []Finding `json:"findings,omitempty"`
	// Reason says why it was not run, is inconclusive or not applicable.
	Reason string `json:"reason,omitempty"`
	// Held of Of: how many exchanges a rule held on.
	Held int `json:"held,omitempty"`
	Of   int `json:"of,omitempty"`
	// Evidence says what a pass rests on.
	Evidence string `json:"evidence,omitempty"`
	// MS is the time from its first request to its last answer.
	MS int64 `json:"ms,omitempty"`
	// FailingSince is the first of the runs, each compared with the one before, in which it failed; nil where no run was compared with.
	FailingSince *Since `json:"failingSince,omitempty"`
}

// Since names a run.
type Since struct {
	Run     string    `json:"run"`
	Started time.Time `json:"started"`
	Build   string    `json:"build,omitempty"`
}

// Created is an animal that the run left on the target.
type Created struct {
	ID       json.Number `json:"id"`
	Name     string      `json:"name"`
	Exchange int         `json:"exchange"`
	// Unwanted says that it came of a request that had to be refused.
	Unwanted bool `json:"unwanted,omitempty"`
}
