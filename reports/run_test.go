package reports_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"petconform/conformance/judge"
	"petconform/conformance/proof"
	"petconform/load"
	"petconform/reports"
	"petconform/reports/compare"
	"petconform/reports/internal/test/real"
	"petconform/spec"
	"petconform/spec/verdict"
)

// TestLoadsAreMergedWithTheirOwnRecordings: loads of two plans are one report, but not if a recording is another run's.
func TestLoadsAreMergedWithTheirOwnRecordings(t *testing.T) {
	free, pro := t.TempDir(), t.TempDir()
	runs := map[string]reports.Input{free: real.Load(t, nil), pro: real.Load(t, func(c *load.Config) {
		c.Run, c.Plans, c.OtherKey = "pro", []load.PlanKey{{Plan: spec.Pro, Key: c.OtherKey}}, c.Plans[0].Key
	})}
	for dir, in := range runs {
		reports.NoError(t, reports.Write(dir, in))
	}
	for _, from := range []string{"", `"run":"pro"`} {
		name := filepath.Join(pro, reports.LoadRecordingFile)
		data, err := os.ReadFile(name)
		if from != "" {
			err = errors.Join(err, os.WriteFile(name, bytes.Replace(data, []byte(from), []byte(`"run":"other"`), 1), 0o600))
		}
		reports.NoError(t, err)
		run, err := reports.Opening{}.Open(free, pro)
		switch {
		case from != "":
			if err == nil || !strings.Contains(err.Error(), "of the run other") {
				t.Errorf("with %q replaced: %v; an error that names the other run is wanted", from, err)
			}
		case err != nil || run.Results.Verdict != verdict.Conforms:
			t.Errorf("the runs say %s, %v", run.Results.Verdict, err)
		}
	}
}

// TestRealRun: the report of a real run is written, read, and rendered again to the same bytes. CI keeps the folders.
func TestRealRun(t *testing.T) {
	for kind, run := range map[string]func(*testing.T, ...string) reports.Input{"": real.Check, "signoff": real.SignOff} {
		dir := t.TempDir()
		in := run(t)
		reports.NoError(t, reports.Write(dir, in))
		if out := reports.Look(in); out.Code != verdict.ExitConforms {
			t.Errorf("the decision is %s: %s", out.Word, out.Sentence)
		}
		if _, err := (reports.Opening{}).Open(dir, dir); err == nil || !strings.Contains(err.Error(), "recording of checks") {
			t.Errorf("two recordings of checks: %v; an error is wanted: the folder of the report has one", err)
		}
		again, err := reports.Opening{}.Open(dir)
		reports.NoError(t, err)
		files, err := reports.Render(reports.Look(again))
		reports.NoError(t, err)
		for name, data := range files {
			if written, err := os.ReadFile(filepath.Join(dir, name)); err != nil || !bytes.Equal(written, data) {
				t.Errorf("%s, rendered again, is another (%v)", name, err)
			}
			t.Logf("%s: %d bytes", name, len(data))
		}
		if kind == "signoff" {
			evidenceOfEach(t, dir)
		}
		if keep := os.Getenv("PETCONFORM_REPORT"); keep != "" {
			if err := os.CopyFS(filepath.Join(keep, kind), os.DirFS(dir)); err != nil {
				t.Error(err)
			}
		}
	}
}

// TestChangedSuite: an earlier run is compared as this suite judges its recording, whatever its results.json says. So a change of the
// suite makes nothing newly failing.
func TestChangedSuite(t *testing.T) {
	dir := t.TempDir()
	in := real.Check(t, "auth-no-key-403")
	lenient := in
	lenient.Results.Checks = slices.Clone(lenient.Results.Checks)
	for i := range lenient.Results.Checks {
		lenient.Results.Checks[i].Verdict = verdict.Passed
	}
	reports.NoError(t, reports.Write(dir, lenient))
	before, err := reports.Opening{}.Open(dir)
	reports.NoError(t, err)
	in.Previous = &before
	if d := reports.Look(in).Diff; len(d.Changes) != 1 || d.Changes[0].Kind != compare.StillFailing {
		t.Errorf("%+v; all of it fails still", d.Changes)
	}
}

// TestASequenceIsShown: what generated sequences alone show is told with the shortest of them.
func TestASequenceIsShown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, rec, err := proof.Against(t.Context(), proof.Service{Deviations: []string{"deep-limit-64-refused"}, Explore: 600, Only: []string{judge.ExploreID}})
		reports.NoError(t, err)
		var shown []reports.Line
		for _, c := range reports.Look(reports.Input{Results: r, Recording: rec}).Cards {
			shown = append(shown, c.More...)
		}
		i := slices.IndexFunc(shown, func(l reports.Line) bool { return l.Label == "Sequence" })
		if i < 0 || !strings.Contains(shown[i].Text, "of seed 1, the shortest that fails (1 request; ") || !strings.Contains(shown[i].Text, "GET /pets?limit=64 → 400, ") {
			t.Errorf("want a sequence of one request with limit=64, which is answered 400; got %q", shown)
		}
	})
}

// TestALoadShowsItsRequests: a card of a load has the 429 that was wrong and the request that it misled, as its recording has them,
// also when it was read, and in a sign-off.
func TestALoadShowsItsRequests(t *testing.T) {
	want := regexp.MustCompile(`(?s)After     #\d+ GET /pets.* → 429, .*, at\s+01:0.* UTC,\s+Retry-After: 1, X-RateLimit-Reset: 2000.*Sent      #\d+ GET /pets.* → 429, .*request 1s after`)
	for name, run := range map[string]func(*testing.T, ...string) reports.Input{"load": func(t *testing.T, deviations ...string) reports.Input {
		return real.Load(t, nil, deviations...)
	}, "signoff": real.SignOff} {
		dir, in := t.TempDir(), run(t, "retry-after-1")
		reports.NoError(t, reports.Write(dir, in))
		again, err := reports.Opening{}.Open(dir)
		reports.NoError(t, err)
		for _, in := range []reports.Input{in, again} {
			if card := reports.Look(in).Cards[0]; !want.MatchString(reports.CardText(card, reports.Style{})) || len(card.Evidence) != 2 || card.Curl != nil {
				t.Errorf("%s: %d exchanges are shown; the 429 and the next are wanted in\n%s", name, len(card.Evidence), reports.CardText(card, reports.Style{}))
			}
		}
	}
}
