package reports_test

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"petconform/conformance"
	"petconform/reports"
	"petconform/reports/compare"
	"petconform/spec"
	"petconform/spec/client"
	"petconform/spec/exchange"
	"petconform/spec/reference"
	"petconform/spec/verdict"
)

// run makes a real run against the reference service, with a deviation or without, and leaves its recording in dir.
func run(t *testing.T, dir string, deviations ...string) reports.Input {
	t.Helper()
	key := reference.RandomKey("reports", spec.Business)
	service, err := reference.New(reference.Config{Keys: []reference.Key{key}, Deviations: deviations})
	if err != nil {
		t.Fatal(err)
	}
	srv := httptest.NewServer(http.Handler(service))
	t.Cleanup(srv.Close)
	base, err := url.Parse(srv.URL + "/v1")
	if err != nil {
		t.Fatal(err)
	}
	var recorded bytes.Buffer
	rec, err := conformance.Send(t.Context(), conformance.Config{Base: base, Key: key.Secret, CategoryID: 1, MaxCreates: 30,
		Concurrency: 8, AsOf: time.Now().UTC(), Seed: 7, Run: "run", Patience: time.Second, Timeout: 10 * time.Second, MaxWait: time.Minute,
		Transport: client.NewTransport(client.DefaultConnections), Tool: "petconform test", Recording: &recorded})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, reports.RecordingFile), recorded.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return reports.Input{Results: conformance.JudgeRecording(rec), Recording: rec, Redactor: exchange.NewRedactor(key.Secret)}
}

// TestRealRun: the report of a real run is written, read, and rendered again to the same bytes.
func TestRealRun(t *testing.T) {
	dir := t.TempDir()
	in := run(t, dir)
	if in.Results.Verdict != verdict.Conforms {
		t.Fatalf("the reference service: %s, %v", in.Results.Verdict, in.Results.Reasons)
	}
	if err := reports.Write(dir, in); err != nil {
		t.Fatal(err)
	}
	if out := reports.Weigh(in); out.Decision.Code != verdict.ExitConforms {
		t.Errorf("the decision is %s: %s", out.Decision.Word, out.Decision.Sentence)
	}
	again, err := reports.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	files, err := reports.Render(again)
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
	old := run(t, before)
	in := run(t, after, "auth-no-key-403")
	in.Previous = &old
	again := conformance.JudgeRecording(old.Recording)
	in.Rejudged = &again
	out := reports.Weigh(in)
	if len(out.Diff.NewlyFailing) == 0 || len(out.Diff.Fixed) > 0 || out.Decision.Code != verdict.ExitDeviates {
		t.Errorf("newly failing %v, fixed %v, code %d", out.Diff.NewlyFailing, out.Diff.Fixed, out.Decision.Code)
	}
	for _, c := range out.Diff.NewlyFailing {
		if !slices.Contains(c.Requirements, "AUTH-2") || c.Cause != compare.ByService {
			t.Errorf("%s is newly failing by the %s; checks of AUTH-2 alone are wanted, by the service", c.Check, c.Cause)
		}
	}
}

// TestChangedSuite: a check that says of the old recording what it says of the new one is a change of the suite.
func TestChangedSuite(t *testing.T) {
	old := run(t, t.TempDir(), "auth-no-key-403")
	lenient := old.Results
	lenient.Checks = slices.Clone(lenient.Checks)
	for i := range lenient.Checks {
		lenient.Checks[i].Verdict = verdict.Passed
	}
	before := old
	before.Results = lenient
	in := old
	in.Previous, in.Rejudged = &before, &old.Results
	out := reports.Weigh(in)
	if len(out.Diff.NewlyFailing) == 0 || out.Diff.Regressed() {
		t.Errorf("%+v; failures that are put down to the suite are wanted", out.Diff.NewlyFailing)
	}
}
