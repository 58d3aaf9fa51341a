package conformance

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"petconform/conformance/run"
	"petconform/spec"
	"petconform/spec/verdict"
)

// Test runs the checks and rules as subtests of t, one for each:
//
//	func TestInterface(t *testing.T) { conformance.Test(t, conformance.Serving(handler, "a-key")) }
//
// A subtest fails when a must is broken, with the request, what was expected and what came, and is skipped when the run
// cannot tell. t itself fails unless the verdict is "conforms". With go test -artifacts its folder keeps the recording,
// unless cfg has another. With go test -run or cfg.Skip, only what the subtests need is sent, and t logs that the run is a part; it fails if
// the part leaves something broken or inconclusive.
func Test(t *testing.T, cfg Config) {
	t.Helper()
	if cfg.Recording == nil {
		f, err := os.Create(filepath.Join(t.ArtifactDir(), "recording.jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		cfg.Recording = f
	}
	s := newSuite(cfg)
	if !filtered() {
		s.plan = run.Whole(cfg)
	}
	if err := s.begin(t.Context()); err != nil {
		t.Fatal(spec.Visible(err.Error()))
	}
	for _, one := range s.subjects {
		t.Run(one.ID, func(t *testing.T) {
			j, err := s.judge(t.Context(), one)
			if err != nil {
				t.Skip(err)
			}
			if failure, skip := s.ending(j); failure != "" {
				t.Errorf("%s  Rerun:    go test -run '^%s$'", failure, strings.ReplaceAll(t.Name(), "/", "$/^"))
			} else if skip != "" {
				t.Skip(skip)
			}
		})
	}
	s.finish(t.Context(), nil)
	switch r := s.Results(); {
	case len(s.judged) == 0:
		t.Fatal("nothing was selected: no check or rule has that name")
	case r.Part != nil && r.Part.Holds:
		t.Log(r.InWords())
	case r.Verdict != verdict.Conforms:
		t.Errorf("%s: %s\ngo test -artifacts keeps the recording; petconform judge writes the report of it", r.InWords(), spec.Visible(r.Reasons.String()))
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
