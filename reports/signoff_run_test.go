package reports_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"petconform/reports"
	"petconform/spec/verdict"
)

// evidenceOfEach: of the figures of a load nothing is believed, and a sign-off of which one recording is gone or foreign has no
// verdict.
func evidenceOfEach(t *testing.T, signedOff string) {
	t.Helper()
	remove := func(name string) func(dir string) error {
		return func(dir string) error { return os.Remove(filepath.Join(dir, name)) }
	}
	edit := func(name, from, to string) func(dir string) error {
		return func(dir string) error {
			path := filepath.Join(dir, name)
			data, err := os.ReadFile(path)
			if err != nil || !regexp.MustCompile(from).Match(data) {
				return fmt.Errorf("%s has no %s: %w", name, from, err)
			}
			return os.WriteFile(path, regexp.MustCompile(from).ReplaceAll(data, []byte(to)), 0o600)
		}
	}
	for _, row := range []struct {
		name   string
		change func(dir string) error
		want   verdict.Run
		why    string
	}{
		{"as it was", func(string) error { return nil }, verdict.Conforms, ""},
		{"times below zero", edit(reports.ResultsFile, `"p(50|99)": [0-9.]+`, `"p$1": -1`), verdict.Conforms, ""},
		{"no recording of the checks", remove(reports.RecordingFile), verdict.NoVerdict, "is of the run load, but"},
		{"no recording of the load", remove(reports.LoadRecordingFile), verdict.NoVerdict, "is of the run run, but"},
		{"the load of another run", edit(reports.LoadRecordingFile, `"run":"load"`, `"run":"other"`), verdict.NoVerdict, "of the run run+other"},
		{"the load of another format", edit(reports.LoadRecordingFile, `load-recording/3`, `load-recording/2`), verdict.NoVerdict, "the format is"},
	} {
		dir := t.TempDir()
		if err := errors.Join(os.CopyFS(dir, os.DirFS(signedOff)), row.change(dir)); err != nil {
			t.Fatal(err)
		}
		again, err := reports.Opening{}.Open(dir)
		if err != nil {
			t.Fatalf("%s: %v", row.name, err)
		}
		out := reports.Look(again.Input)
		if out.Results.Verdict != row.want || !strings.Contains(out.Results.Reasons.String(), row.why) || (out.Code == 0) != (row.want == verdict.Conforms) {
			t.Errorf("%s: %s, exit code %d, %q; %s and %q are wanted", row.name, out.Results.Verdict, out.Code, out.Results.Reasons, row.want, row.why)
		}
		if bytes.Contains(out.Results.Load, []byte("-1")) {
			t.Errorf("%s: a figure that cannot be in %.500s", row.name, out.Results.Load)
		}
	}
}
