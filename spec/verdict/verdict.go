// Package verdict defines the verdicts of checks, requirements and runs, and how they are summed: the findings of a
// check give its verdict, the checks of a requirement give the requirement's, and the requirements give the run's.
package verdict

import (
	"slices"

	"petconform/spec"
)

// Verdict is the verdict of a check or a requirement.
type Verdict string

const (
	Passed Verdict = "passed" // every response was as expected
	Failed Verdict = "failed" // a response breaks the requirement
	// Inconclusive: the responses do not show whether the requirement holds. For example, the store is too large to
	// find an animal.
	Inconclusive Verdict = "inconclusive"
	NotRun       Verdict = "not tested" // no request was sent, or no response concerned the requirement
	Waived       Verdict = "waived"     // failed, and excused by a waiver that is in force
	Observed     Verdict = "observed"   // the interface leaves the question open, and the observation is recorded
	// NotApplicable: the requirement does not apply to this run (its date has not come, or its operation was removed).
	NotApplicable Verdict = "not applicable"
)

// Order returns the verdicts in the order of every table: what needs attention first.
func Order() []Verdict {
	return []Verdict{Failed, Waived, Inconclusive, NotRun, Passed, Observed, NotApplicable}
}

// Failing reports whether the service fails, excused or not: a waiver changes what a release may do, not what the
// service does.
func (v Verdict) Failing() bool { return v == Failed || v == Waived }

// Decided reports whether the responses show that the requirement holds or that it is broken.
func (v Verdict) Decided() bool { return v == Passed || v.Failing() }

// Run is the verdict of a whole run.
type Run string

const (
	Conforms Run = "conforms" // no must is broken, and everything planned was run
	Deviates Run = "deviates" // a must is broken, or with --strict a should
	// NoVerdict: the run cannot tell. Results.Reasons says why.
	NoVerdict Run = "no verdict"
)

// The exit codes of a run by its verdict. ExitUsage is wrong usage or configuration.
const (
	ExitConforms  = 0
	ExitDeviates  = 1
	ExitUsage     = 2
	ExitNoVerdict = 3
)

// Finding is one break of a requirement: what it is about, what was expected and what was received.
type Finding struct {
	Requirement spec.ID `json:"requirement"`
	Exchange    int     `json:"exchange,omitempty"` // the number of the exchange that shows the break
	// After is the number of an earlier exchange on which the break rests: the 429 for which a client did not wait.
	After    int    `json:"after,omitempty"`
	Message  string `json:"message"`
	Expected string `json:"expected,omitempty"`
	Actual   string `json:"actual,omitempty"`
	// Hint says what usually is the reason, and what mends it. Conclude sets it.
	Hint string `json:"hint,omitempty"`
	// Often says on how many of the requests like it the break shows, if not on all: "3 of 9 requests to getPet, about
	// every third".
	Often string `json:"often,omitempty"`
	Cases []Case `json:"cases,omitempty"` // the different ways in which the break shows, the first hundred of them
}

// Observation is an answer of the service to a question that the interface leaves open.
type Observation struct {
	Requirement spec.ID `json:"requirement"`
	// Key distinguishes the observations of one requirement. It never changes, so that releases can be compared:
	// "limit=0".
	Key   string `json:"key"`
	Value string `json:"value"`
}

// Case is one way in which a finding shows: a request of a check, or responses that break a rule in the same way. A
// finding's own message, Expected and Actual describe its first case.
type Case struct {
	// Name distinguishes the requests of a check: "no-key". It is empty for a rule.
	Name string `json:"name,omitempty"`
	// Sender is the check that sent the first of the exchanges; "" if only the whole run shows the case.
	Sender    string         `json:"sender,omitempty"`
	Operation spec.Operation `json:"operation,omitempty"`
	// After are the numbers of the exchanges on which the case rests besides its own: those that created the animals
	// that it is about.
	After     []int  `json:"after,omitempty"`
	Actual    string `json:"actual,omitempty"`
	Exchanges []int  `json:"exchanges,omitempty"`
	// Wanted has the HTTP statuses of which one was expected, and Status is the one received. Wanted is empty and
	// Status 0 if the finding is not about a status.
	Wanted []int `json:"wanted,omitempty"`
	Status int   `json:"status,omitempty"`
}

// mostCases is the largest number of cases that a finding keeps. A run under load may have a hundred thousand.
const mostCases = 100

// with adds a case, or its exchanges to a case that is equal to it.
func with(cases []Case, c Case) []Case {
	i := slices.IndexFunc(cases, func(d Case) bool {
		return d.Name == c.Name && d.Operation == c.Operation && d.Status == c.Status && d.Actual == c.Actual && slices.Equal(d.Wanted, c.Wanted)
	})
	switch {
	case i >= 0:
		for _, n := range c.Exchanges {
			if own := &cases[i].Exchanges; len(*own) == 0 || (*own)[len(*own)-1] != n { // they come in order
				*own = append(*own, n)
			}
		}
	case len(cases) < mostCases:
		c.Exchanges = slices.Clone(c.Exchanges)
		cases = append(cases, c)
	}
	return cases
}

// FirstOfEach keeps the first finding of each requirement, since one defect is one finding, with the cases of all of
// them.
func FirstOfEach(all []Finding) []Finding {
	var first []Finding
	for _, f := range all {
		i := slices.IndexFunc(first, func(g Finding) bool { return g.Requirement == f.Requirement })
		if i < 0 {
			i, first = len(first), append(first, f)
			first[i].Cases = nil
		}
		for _, c := range f.Cases {
			first[i].Cases = with(first[i].Cases, c)
		}
	}
	return first
}
