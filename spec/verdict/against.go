package verdict

import (
	"slices"

	"petconform/spec"
)

// Against is the comparison of a run with a run of the same requests against a second target. "Here" is the target of
// the run, "there" the second one.
type Against struct {
	// Here and There name the two targets, by environment or address.
	Here  string `json:"here"`
	There string `json:"there"`

	Target  Target `json:"target"`
	Run     string `json:"run"`
	Verdict Run    `json:"verdict"`
	Word    string `json:"word"`
	// Requests and Created are those of the second target.
	Requests int       `json:"requests"`
	Created  []Created `json:"created"`

	// Requirements are the musts and shoulds that hold at one of the two and are broken at the other. Compared is the
	// number of requirements that were decided at both, and Inconclusive lists those that were decided at one only.
	Requirements []Unlike  `json:"requirements"`
	Compared     int       `json:"compared"`
	Inconclusive []spec.ID `json:"untold,omitempty"`
	// Answers are open questions that the two answer differently. None of them is a deviation.
	Answers []Answers `json:"answers"`
}

// Unlike is a requirement with its two verdicts, and what broke it where it is broken.
type Unlike struct {
	ID        spec.ID    `json:"id"`
	Level     spec.Level `json:"level"`
	Statement string     `json:"statement"`
	Here      Verdict    `json:"here"`
	There     Verdict    `json:"there"`
	Broken    string     `json:"broken,omitempty"`
	// Exchange is the number of the exchange that shows the break, in the recording of the target where it is broken; 0
	// if no single exchange does.
	Exchange int `json:"exchange,omitempty"`
}

// BrokenAt names the target where the requirement is broken.
func (u Unlike) BrokenAt(a Against) string {
	if u.Here == Failed {
		return a.Here
	}
	return a.There
}

// Answers are the answers of two targets to a question that the interface leaves open. Requirement is empty if the
// ledger has no entry for it.
type Answers struct {
	Requirement spec.ID `json:"requirement,omitempty"`
	Question    string  `json:"question"`
	Here        string  `json:"here"`
	There       string  `json:"there"`
}

// Add adds a check to results that have a verdict, and sums them again.
func (r *Results) Add(c Check) {
	r.Checks = append(slices.Clone(r.Checks), c)
	r.Requirements = Requirements(spec.TheLedger().Requirements, r.Checks, r.AsOf)
	r.Conclude(r.validity)
}
