package verdict

import (
	"slices"

	"petconform/spec"
)

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

// mostOfActual is the largest length of Case.Actual, in characters.
const mostOfActual = 120

// with adds a case, or its exchanges to a case that is equal to it.
func with(cases []Case, c Case) []Case {
	if text := []rune(c.Actual); len(text) > mostOfActual {
		c.Actual = string(text[:mostOfActual-1]) + "…"
	}
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
