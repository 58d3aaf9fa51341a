package reports_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"petconform/reports"
	"petconform/reports/internal/test/real"
	"petconform/spec/verdict"
)

// TestRealRun: the report of a real run is written, read, and rendered again to the same bytes.
func TestRealRun(t *testing.T) {
	dir := t.TempDir()
	in := real.Check(t, dir)
	if in.Results.Verdict != verdict.Conforms {
		t.Fatalf("the reference service: %s, %v", in.Results.Verdict, in.Results.Reasons)
	}
	if err := reports.Write(dir, in); err != nil {
		t.Fatal(err)
	}
	if out := reports.Look(in); out.Code != verdict.ExitConforms {
		t.Errorf("the decision is %s: %s", out.Word, out.Sentence)
	}
	again, err := reports.Opening{}.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	files, err := reports.Render(reports.Look(again.Input))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		written, err := os.ReadFile(filepath.Join(dir, f.Name))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(written, f.Data) {
			t.Errorf("%s, rendered again, is another", f.Name)
		}
		t.Logf("%s: %d bytes", f.Name, len(f.Data))
	}
	if keep := os.Getenv("PETCONFORM_REPORT"); keep != "" { // a folder that CI keeps
		if err := os.CopyFS(keep, os.DirFS(dir)); err != nil {
			t.Error(err)
		}
	}
}

// TestOneDeviation: two runs that differ by one deviation are told apart by it, and by nothing else.
func TestOneDeviation(t *testing.T) {
	before, after := t.TempDir(), t.TempDir()
	old := real.Check(t, before)
	in := real.Check(t, after, "auth-no-key-403")
	in.Previous = &old
	out := reports.Look(in)
	if len(out.Diff.NewlyFailing) == 0 || len(out.Diff.Fixed) > 0 || out.Code != verdict.ExitDeviates {
		t.Errorf("newly failing %v, fixed %v, code %d", out.Diff.NewlyFailing, out.Diff.Fixed, out.Code)
	}
	for _, c := range out.Diff.NewlyFailing {
		if !slices.Contains(c.Requirements, "AUTH-2") {
			t.Errorf("%s is newly failing; checks of AUTH-2 alone are wanted", c.Check)
		}
	}
}

// TestChangedSuite: an earlier run is compared as this suite judges its recording, whatever its results.json says. So a change of the
// suite makes nothing newly failing.
func TestChangedSuite(t *testing.T) {
	dir := t.TempDir()
	old := real.Check(t, dir, "auth-no-key-403")
	lenient := old
	lenient.Results.Checks = slices.Clone(lenient.Results.Checks)
	for i := range lenient.Results.Checks {
		lenient.Results.Checks[i].Verdict = verdict.Passed
	}
	if err := reports.Write(dir, lenient); err != nil {
		t.Fatal(err)
	}
	before, err := reports.Opening{}.Open(dir)
	if err != nil || len(before.Differs) == 0 {
		t.Fatalf("%v; what results.json says otherwise is wanted in %q", err, before.Differs)
	}
	in := old
	in.Previous = &before.Input
	if out := reports.Look(in); len(out.Diff.StillFailing) == 0 || len(out.Diff.NewlyFailing) > 0 {
		t.Errorf("newly failing %+v; all of it fails still", out.Diff.NewlyFailing)
	}
}
