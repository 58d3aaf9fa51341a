package conformance

import (
	"flag"
	"fmt"
	"strings"
	"testing"

	"petconform/spec/verdict"
)

// Test runs the checks and rules as subtests of t, one for each:
//
//	func TestInterface(t *testing.T) { conformance.Test(t, conformance.Serving(handler, "a-key")) }
//
// A subtest fails when a must is broken, and is skipped when the run cannot tell. t itself fails unless the verdict is
// "conforms". With go test -run, only what the subtests need is sent, and t logs that the run is a part.
func Test(t *testing.T, cfg Config) {
	t.Helper()
	all := subjects(cfg)
	from := &target{cfg: cfg}
	if !filtered() {
		from.plan(wholePlan(cfg))
	}
	if err := from.reach(t.Context()); err != nil {
		t.Fatal(err)
	}
	var judged []Judgement
	for _, one := range all {
		t.Run(one.id, func(t *testing.T) {
			h, err := from.exchanges(t.Context(), one)
			if err != nil {
				t.Fatal(err)
			}
			j := one.judge(h)
			judged = append(judged, j)
			switch v := j.Check; v.Verdict {
			case verdict.Failed:
				if breaks(v, cfg.Strict) {
					t.Error(Text(v))
				}
			case verdict.Inconclusive, verdict.NotRun, verdict.NotApplicable:
				t.Skipf("%s: %s", v.Verdict, v.Reason)
			}
		})
	}
	if len(judged) == 0 {
		t.Fatal("nothing was selected: no check or rule has that name")
	}
	s := &Suite{cfg: cfg, subjects: all, source: from}
	s.finish(t.Context(), judged, nil)
	switch r := s.Results(); {
	case r.Verdict == verdict.Conforms:
	case len(judged) > 0 && len(judged) < len(all) && !t.Failed():
		t.Logf("PART: %d of %d checks and rules", len(judged), len(all))
	default:
		t.Error(strings.ToUpper(string(r.Verdict)) + ": " + fmt.Sprint(strings.Join(r.Reasons, "; ")))
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
