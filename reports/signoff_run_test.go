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

// evidenceOfEach: of the figures of a load nothing is believed, and a sign-off of which one recording is gone or foreign is
// no run.
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
		why    string // "" if the run conforms as before
	}{
		{"as it was", func(string) error { return nil }, ""},
		{"times below zero", edit(reports.ResultsFile, `"p(50|99)": [0-9.]+`, `"p$1": -1`), ""},
		{"no recording of the checks", remove(reports.RecordingFile), "is of the run load, but"},
		{"no recording of the load", remove(reports.LoadRecordingFile), "is of the run run, but"},
		{"the load of another run", edit(reports.LoadRecordingFile, `"run":"load"`, `"run":"other"`), "of the run run+other"},
		{"the load of another format", edit(reports.LoadRecordingFile, `load-recording/[0-9]+`, `load-recording/0`), "the format is"},
	} {
		dir := t.TempDir()
		reports.NoError(t, errors.Join(os.CopyFS(dir, os.DirFS(signedOff)), row.change(dir)))
		again, err := reports.Opening{}.Open(dir)
		if (err == nil) != (row.why == "") || err != nil && !strings.Contains(err.Error(), row.why) {
			t.Errorf("%s: %v; %q is wanted", row.name, err, row.why)
		}
		if err != nil {
			continue
		}
		out := reports.Look(again)
		if out.Code != verdict.ExitConforms {
			t.Errorf("%s: %s, exit code %d", row.name, out.Results.Verdict, out.Code)
		}
		if bytes.Contains(out.Results.Load, []byte("-1")) {
			t.Errorf("%s: a figure that cannot be in %.500s", row.name, out.Results.Load)
		}
	}
}
