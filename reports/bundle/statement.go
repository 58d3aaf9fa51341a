package bundle

import (
	"bytes"
	"encoding/json"
	"fmt"

	"petconform/reports"
	"petconform/reports/decision"
	"petconform/spec/verdict"
)

// StatementFile is the name of the in-toto statement beside the bundle.
const StatementFile = reports.StatementFile

// The types of an in-toto statement that tells the result of tests.
const (
	statementType = "https://in-toto.io/Statement/v1"
	// PredicateType names the layout of the predicate.
	PredicateType = "https://in-toto.io/attestation/test-result/v0.1"
)

type statement struct {
	Type          string     `json:"_type"`
	Subject       []resource `json:"subject"`
	PredicateType string     `json:"predicateType"`
	Predicate     testResult `json:"predicate"`
}

type resource struct {
	Name   string            `json:"name"`
	Digest map[string]string `json:"digest"`
}

type testResult struct {
	Result        string     `json:"result"`
	Configuration []resource `json:"configuration"`
	PassedTests   []string   `json:"passedTests,omitempty"`
	WarnedTests   []string   `json:"warnedTests,omitempty"`
	FailedTests   []string   `json:"failedTests,omitempty"`
}

// Subject is what was tested, where its digest is known: an image, a package.
type Subject struct{ Name, SHA256 string }

// Statement returns the result of the run as an in-toto statement, for cosign (attest-blob --statement) and for admission
// policies. Its subject is what was tested, if its digest is given, or else the bundle's list of digests. Its configuration names
// the files from which the result was made.
func (f Files) Statement(tested ...Subject) ([]byte, error) {
	res, err := reports.ParseResults(f[reports.ResultsFile])
	if err != nil {
		return nil, fmt.Errorf("%s: %w", reports.ResultsFile, err)
	}
	var release struct {
		Decision decision.Word `json:"decision"`
	}
	if err := json.Unmarshal(f[reports.ReleaseFile], &release); err != nil {
		return nil, fmt.Errorf("%s: %w", reports.ReleaseFile, err)
	}
	s := statement{Type: statementType, PredicateType: PredicateType, Predicate: testResult{Result: resultOf(release.Decision), Configuration: []resource{}}}
	for _, t := range tested {
		s.Subject = append(s.Subject, named(t.Name, t.SHA256))
	}
	if len(s.Subject) == 0 {
		s.Subject = []resource{named(SumsFile, f.Subject())}
	}
	for _, name := range f.names() {
		s.Predicate.Configuration = append(s.Predicate.Configuration, named(name, digest(f[name])))
	}
	s.Predicate.Configuration = append(s.Predicate.Configuration, named("ledger.yaml", res.LedgerDigest))
	for _, c := range res.Checks {
		switch c.Verdict {
		case verdict.Passed:
			s.Predicate.PassedTests = append(s.Predicate.PassedTests, c.ID)
		case verdict.Failed, verdict.Waived, verdict.Inconclusive:
			if c.Verdict == verdict.Failed && res.Breaks(c) {
				s.Predicate.FailedTests = append(s.Predicate.FailedTests, c.ID)
				continue
			}
			s.Predicate.WarnedTests = append(s.Predicate.WarnedTests, c.ID)
		}
	}
	return indented(s)
}

func indented(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetIndent("", "  ")
	err := enc.Encode(v)
	return b.Bytes(), err
}

func named(name, sha256 string) resource {
	return resource{name, map[string]string{"sha256": sha256}}
}

// resultOf: what is not released for sure has failed, for a policy that knows three words.
func resultOf(w decision.Word) string {
	switch w {
	case decision.Release:
		return "PASSED"
	case decision.ReleaseWithWaivers:
		return "WARNED"
	}
	return "FAILED"
}
