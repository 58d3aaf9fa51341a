package conformance

import (
	"flag"
	"strings"
	"testing"

	"petconform/conformance/check"
	"petconform/conformance/drive"
	"petconform/spec/verdict"
)

// Test runs the checks and rules as subtests of t, one for each:
//
//	func TestInterface(t *testing.T) { conformance.Test(t, conformance.Serving(handler, "a-key")) }
//
// A subtest fails when a must is broken, and is skipped when the run cannot tell. t itself fails unless the verdict is
// "conforms". With go test -run, only what the subtests need is sent, and t logs that the run is a part; it fails if the part
// leaves something broken or inconclusive.
func Test(t *testing.T, cfg Config) {
	t.Helper()
	s := newSuite(cfg)
	if !filtered() {
		s.plan = drive.Whole(cfg)
	}
	if err := s.begin(t.Context()); err != nil {
		t.Fatal(err)
	}
	var judged []check.Judgement
	for _, one := range s.subjects {
		t.Run(one.ID, func(t *testing.T) {
			j, _ := s.judge(t.Context(), one)
			judged = append(judged, j)
			if failure, skip := s.ending(j); failure != "" {
				t.Error(failure)
			} else if skip != "" {
				t.Skip(skip)
			}
		})
	}
	s.finish(t.Context(), judged, nil)
	switch r := s.Results(); {
	case len(judged) == 0:
		t.Fatal("nothing was selected: no check or rule has that name")
	case r.Part != nil && r.Part.Holds:
		t.Log(r.InWords())
	case r.Verdict != verdict.Conforms:
		t.Error(r.InWords() + ": " + r.Reasons.String())
	}
}

// filtered reports whether go test selects among the subtests.
func filtered() bool {
	for _, name := range []string{"test.run", "test.skip"} {
		if f := flag.Lookup(name); f != nil && strings.Contains(f.Value.String(), "/") {
			return true
		}
	}
	return false
}
