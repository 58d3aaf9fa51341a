package reports_test

import (
	"bytes"
	"context"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"petconform/load"
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
		_, err = load.Run(context.Background(), load.Config{Base: base, Plans: []load.PlanKey{{Plan: spec.Free, Key: key.Secret}}, OtherKey: other.Secret,
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
	rec, err := load.Read(bytes.NewReader(data))
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
	check := run(t, dir)
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
	if keep := os.Getenv("PETCONFORM_REPORT"); keep != "" {
		if err := os.CopyFS(filepath.Join(keep, "signoff"), os.DirFS(dir)); err != nil {
			t.Error(err)
		}
	}
}
