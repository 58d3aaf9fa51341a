// Package verdict holds the words in which the outcome of a run is told, and the rules by which they add up:
// findings make a check's verdict, checks make a requirement's, requirements make the run's.
package verdict

import "petconform/spec"

// Verdict is what is said of a check or of a requirement.
type Verdict string

const (
	// Passed: what was wanted came, every time.
	Passed Verdict = "passed"
	// Failed: what came breaks the requirement.
	Failed Verdict = "failed"
	// Inconclusive: it ran, and what came does not tell (a store too large to look through, say, or another finding in the way).
	Inconclusive Verdict = "inconclusive"
	// NotRun: nothing was sent for it.
	NotRun Verdict = "not run"
	// Waived: failed, and excused by a waiver that is in force.
	Waived Verdict = "waived"
	// Observed: the interface leaves it open; what was seen is recorded.
	Observed Verdict = "observed"
	// NotApplicable: it does not bind this run (a date that has not come, an operation that was removed).
	NotApplicable Verdict = "not applicable"
)

// Run is the verdict of a whole run.
type Run string

const (
	// Conforms: no must is broken, and all that was planned was run.
	Conforms Run = "conforms"
	// Deviates: a must is broken (with --strict, or a should).
	Deviates Run = "deviates"
	// NoVerdict: the run cannot tell; the results say why.
	NoVerdict Run = "no verdict"
)

// The exit codes, by the verdict of the run. Two is kept for wrong usage or configuration.
const (
	ExitConforms  = 0
	ExitDeviates  = 1
	ExitUsage     = 2
	ExitNoVerdict = 3
)

// ExitCode is the exit code that tells r.
func (r Run) ExitCode() int {
	switch r {
	case Conforms:
		return ExitConforms
	case Deviates:
		return ExitDeviates
	}
	return ExitNoVerdict
}

// Finding is one break of a requirement, told completely: what was sent, what was wanted, what came.
type Finding struct {
	Requirement spec.ID `json:"requirement"`
	// Exchange is the number of the exchange that shows it.
	Exchange int    `json:"exchange,omitempty"`
	Message  string `json:"message"`
	Expected string `json:"expected,omitempty"`
	Actual   string `json:"actual,omitempty"`
}

// Observation is what a run saw of something that the interface leaves open.
type Observation struct {
	Requirement spec.ID `json:"requirement"`
	// Key tells observations of one requirement apart, and stays the same from release to release: "limit=0".
	Key   string `json:"key"`
	Value string `json:"value"`
}
