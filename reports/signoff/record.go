// Package signoff records who prepared and who approved a release, and signs what they put their name to.
package signoff

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Step is one of the two steps of a sign-off.
type Step string

// The steps, in their order.
const (
	Prepared Step = "prepared"
	Approved Step = "approved"
)

// Steps lists the two in their order.
func Steps() []Step { return []Step{Prepared, Approved} }

// Meaning says what a name under a step stands for.
func (s Step) Meaning() string {
	switch s {
	case Prepared:
		return "I ran this, and the report is what the run found."
	case Approved:
		return "I accept the remaining risk, and decide on the release."
	}
	return ""
}

type Decision string

const (
	Agree    Decision = "agree"
	Disagree Decision = "disagree"
)

// Record is one person's step.
type Record struct {
	Step     Step     `json:"step"`
	Decision Decision `json:"decision"`
	Meaning  string   `json:"meaning"`
	Name     string   `json:"name"`
	Role     string   `json:"role"`
	Comment  string   `json:"comment,omitempty"`
	// EvenThough repeats what the bundle says when it is approved although it is no release.
	EvenThough string `json:"evenThough,omitempty"`
	// Subject is the SHA-256, in hexadecimal, of what is signed: the bundle's SHA256SUMS.
	Subject string    `json:"subjectSha256"`
	At      time.Time `json:"at"`
}

// New returns a record with the time in UTC, in whole seconds, and the error of Validate.
func New(step Step, decision Decision, name, role, subject string, at time.Time) (Record, error) {
	r := Record{Step: step, Decision: decision, Meaning: step.Meaning(), Name: strings.TrimSpace(name),
		Role: strings.TrimSpace(role), Subject: subject, At: at.UTC().Truncate(time.Second)}
	return r, r.Validate()
}

// Validate returns an error unless the record has a known step and decision, a name, a role, a time, and a subject of
// 64 characters.
func (r Record) Validate() error {
	switch {
	case r.Step.Meaning() == "":
		return fmt.Errorf("step %q is not prepared or approved", r.Step)
	case r.Decision != Agree && r.Decision != Disagree:
		return fmt.Errorf("decision %q is not agree or disagree", r.Decision)
	case r.Name == "" || r.Role == "":
		return errors.New("the name or the role is missing")
	case len(r.Subject) != 64:
		return fmt.Errorf("the digest of what is signed has %d characters instead of 64 hexadecimal digits", len(r.Subject))
	case r.At.IsZero():
		return errors.New("the time of the decision is missing")
	}
	return nil
}

// Bytes returns the record as it is stored and signed: indented JSON with a line break at its end.
func (r Record) Bytes() ([]byte, error) {
	data, err := json.MarshalIndent(r, "", "  ")
	return append(data, '\n'), err
}

// Parse reads a record. It returns an error if data is not JSON or the record is not valid.
func Parse(data []byte) (Record, error) {
	var r Record
	if err := json.Unmarshal(data, &r); err != nil {
		return r, fmt.Errorf("not a sign-off record in JSON: %w", err)
	}
	return r, r.Validate()
}
