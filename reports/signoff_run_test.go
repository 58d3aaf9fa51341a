package reports_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"petconform/load"
	"petconform/load/record"
	"petconform/reports"
	"petconform/reports/bundle"
	"petconform/spec"
	"petconform/spec/reference"
	"petconform/spec/reference/inprocess"
	"petconform/spec/verdict"
)

// loadRun makes a real load run of the Free plan against the reference service, in a minute that passes at once, and leaves its
// recording in dir.
func loadRun(t *testing.T, dir string, target verdict.Target) reports.Input {
	t.Helper()
	var recorded bytes.Buffer
	synctest.Test(t, func(t *testing.T) {
		key, other := reference.RandomKey("load", spec.Free), reference.RandomKey("other", spec.Pro)
		service, err := reference.New(reference.Config{Keys: []reference.Key{key, other}, Seed: 5})
		if err != nil {
			t.Fatal(err)
		}
		base, err := url.Parse(target.URL)
		if err != nil {
			t.Fatal(err)
		}
		_, err = load.Run(context.Background(), load.Config{Base: base, Plans: []load.PlanKey{{Plan: spec.Free, Key: key.Secret}}, OtherKey: other.Secret, LockDir: t.TempDir(),
			Connect: func() http.RoundTripper { return inprocess.Transport{Handler: service, Latency: 5 * time.Millisecond} },
			Run:     "load", Seed: 7, Tool: "petconform test", AsOf: time.Now().UTC(), CategoryID: 1, Recording: &recorded})
		if err != nil {
			t.Fatal(err)
		}
	})
	if err := os.WriteFile(filepath.Join(dir, reports.LoadRecordingFile), recorded.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	res, err := judgeLoad(recorded.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return reports.Input{Results: res}
}

func judgeLoad(data []byte) (verdict.Results, error) {
	rec, err := record.Read(bytes.NewReader(data))
	if err != nil {
		return verdict.Results{}, err
	}
	res, err := load.Judge(rec)
	if err != nil {
		return verdict.Results{}, err
	}
	return *res, nil
}

// TestSignOffRun goes the whole way: check and load, one report, the bundle, its verification by judging both recordings again.
func TestSignOffRun(t *testing.T) {
	dir := t.TempDir()
	check := checked(t, dir)
	under := loadRun(t, dir, check.Results.Target)
	in, err := reports.Merge(check, under)
	if err != nil {
		t.Fatal(err)
	}
	if err := reports.Write(dir, in); err != nil {
		t.Fatal(err)
	}
	out := reports.Weigh(in)
	if out.Decision.Code != verdict.ExitConforms {
		t.Errorf("%s: %s", out.Decision.Word, out.Decision.Sentence)
	}
	files, err := bundle.Collect(dir, "", in)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, bundle.File)
	var archive bytes.Buffer
	if err := files.Pack(&archive); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, archive.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	back, err := bundle.Unpack(path)
	if err != nil {
		t.Fatal(err)
	}
	v := bundle.Verify(t.Context(), back, bundle.Options{})
	if !v.OK() {
		t.Errorf("problems %q, unchecked %q", v.Problems, v.Unchecked)
	}
	evidenceOfEach(t, dir)
	if keep := os.Getenv("PETCONFORM_REPORT"); keep != "" {
		if err := os.CopyFS(filepath.Join(keep, "signoff"), os.DirFS(dir)); err != nil {
			t.Error(err)
		}
	}
}

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
		{"no recording of the checks", remove(reports.RecordingFile), verdict.NoVerdict, "no recording of the run run"},
		{"no recording of the load", remove(reports.LoadRecordingFile), verdict.NoVerdict, "no recording of the run load"},
		{"the load of another run", edit(reports.LoadRecordingFile, `"run":"load"`, `"run":"other"`), verdict.NoVerdict, "of the run other"},
		{"the load of another format", edit(reports.LoadRecordingFile, `load-recording/2`, `load-recording/1`), verdict.NoVerdict, "the format is"},
	} {
		dir := t.TempDir()
		if err := errors.Join(os.CopyFS(dir, os.DirFS(signedOff)), row.change(dir)); err != nil {
			t.Fatal(err)
		}
		again, err := reports.Opening{}.Open(dir)
		if err != nil {
			t.Fatalf("%s: %v", row.name, err)
		}
		out := reports.Weigh(again.Input)
		if out.Results.Verdict != row.want || !strings.Contains(out.Results.Reasons.String(), row.why) || (out.Decision.Code == 0) != (row.want == verdict.Conforms) {
			t.Errorf("%s: %s, exit code %d, %q; %s and %q are wanted", row.name, out.Results.Verdict, out.Decision.Code, out.Results.Reasons, row.want, row.why)
		}
		if bytes.Contains(out.Results.Load, []byte("-1")) {
			t.Errorf("%s: a figure that cannot be in %.500s", row.name, out.Results.Load)
		}
	}
}
