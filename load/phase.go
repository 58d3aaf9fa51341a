package load

import (
	"context"
	"slices"

	"petconform/load/judge"
	"petconform/load/record"
	"petconform/spec/verdict"
)

// phase is one part of a load run: what it proves, when it runs, what it sends, what that costs, and how it is judged.
type phase struct {
	// Phase is its id, title, requirements and judge.
	judge.Phase
	// planned reports whether a configuration allows it.
	planned func(*Config) bool
	// cost is what it sends and how long it takes.
	cost func(cost) PhaseSchedule
	// send runs it for one key; nil when it is part of another phase, which is within.
	send   func(*lane, context.Context) error
	within record.Phase
	// after is another phase, without which it leaves something undecided.
	after record.Phase
	// apart says that only the ban key runs it.
	apart bool
}

// cost is what the cost of a phase depends on: the configuration, the key's requests per minute and per day, and the
// phases that are planned with it.
type cost struct {
	*Config
	limit, day int
	phases     []record.Phase
}

// phases lists every phase in the order in which a key goes through them.
func phases() []phase {
	return []phase{headersPhase(), fillPhase(), recoverPhase(), backoffPhase(), underPhase(), mixedPhase(), overloadPhase(),
		isolationPhase(), refusedCreatePhase(), dayPhase(), banPhase()}
}

func always(*Config) bool { return true }

// phases returns the ids of the planned phases, in order. The headers are always read: all other phases need them.
func (c *Config) phases() []record.Phase {
	var out []record.Phase
	for _, p := range phases() {
		asked := c.Phases == nil || slices.Contains(c.Phases, p.ID) || p.ID == record.Headers
		if asked && p.planned(c) {
			out = append(out, p.ID)
		}
	}
	return out
}

func (c *Config) has(p record.Phase) bool { return slices.Contains(c.phases(), p) }

// Report is the load block of results.json.
type Report = judge.Report

// Recording is a load run as it was sent. Package record reads, writes and merges recordings.
type Recording = record.Recording

// Judge judges a recording. It sends nothing, and the same recording gives the same results.
func Judge(rec *Recording) (*verdict.Results, error) {
	var known []judge.Phase
	for _, p := range phases() {
		known = append(known, p.Phase)
	}
	return judge.Results(rec, known)
}
