// Package real makes runs against the reference service, in process and in a time that passes at once. Only tests
// import it.
package real

import (
	"bytes"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"petconform/conformance/judge"
	"petconform/conformance/run"
	"petconform/load"
	"petconform/load/record"
	"petconform/reports"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/reference"
	"petconform/spec/reference/inprocess"
)

const (
	// Build is what the runs tested, and Tool the version that sent them.
	Build = "2.14.0"
	Tool  = "petconform test"
	// Pause lies between the check and the load of a sign-off.
	Pause   = time.Hour
	latency = 5 * time.Millisecond
)

// Started is when each run starts, in the time that passes at once.
var Started = time.Date(2000, time.January, 1, 0, 0, 0, 0, time.UTC)

var base = &url.URL{Scheme: "https", Host: "staging.pets.example", Path: "/v1"}

// Key is the secret of the checks, which no file may have.
var Key = reference.RandomKey("reports", spec.Business)

// Check makes a run of checks, with a deviation or without, and leaves its recording in dir.
func Check(t *testing.T, dir string, deviations ...string) (in reports.Input) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) { in = check(t, dir, deviations...) })
	return in
}

// Load makes a load run of the Free plan, with a deviation or without, and leaves its recording in dir.
func Load(t *testing.T, dir string, deviations ...string) (in reports.Input) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) { in = loaded(t, dir, deviations...) })
	return in
}

// SignOff makes a check and, after Pause, a load of the Free plan, with a deviation or without.
func SignOff(t *testing.T, dir string, deviations ...string) (in reports.Input) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		checked := check(t, dir)
		time.Sleep(Pause)
		var err error
		if in, err = reports.Merge(checked, loaded(t, dir, deviations...)); err != nil {
			t.Fatal(err)
		}
	})
	in.Redactor = exchange.NewRedactor(Key.Secret)
	return in
}

func service(t *testing.T, deviations []string, keys ...reference.Key) http.Handler {
	t.Helper()
	s, err := reference.New(reference.Config{Keys: keys, Deviations: deviations, Seed: 5})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func check(t *testing.T, dir string, deviations ...string) reports.Input {
	t.Helper()
	var recorded bytes.Buffer
	rec, err := run.Send(t.Context(), run.Config{Base: base, Key: Key.Secret, CategoryID: 1, MaxCreates: 30, Build: Build, Run: "run", Seed: 7,
		Concurrency: 8, AsOf: time.Now().UTC(), Patience: time.Second, Timeout: 10 * time.Second, MaxWait: time.Minute, Tool: Tool, Recording: &recorded,
		Transport: inprocess.Transport{Handler: service(t, deviations, Key), Latency: latency}})
	if err != nil {
		t.Fatal(err)
	}
	put(t, dir, reports.RecordingFile, recorded.Bytes())
	return reports.Input{Results: judge.Recording(rec), Recording: rec, Redactor: exchange.NewRedactor(Key.Secret)}
}

func loaded(t *testing.T, dir string, deviations ...string) reports.Input {
	t.Helper()
	var recorded bytes.Buffer
	key, other := reference.RandomKey("load", spec.Free), reference.RandomKey("other", spec.Pro)
	s := service(t, deviations, key, other)
	_, err := load.Run(t.Context(), load.Config{Base: base, Plans: []load.PlanKey{{Plan: spec.Free, Key: key.Secret}}, OtherKey: other.Secret,
		LockDir: t.TempDir(), Connect: func() http.RoundTripper { return inprocess.Transport{Handler: s, Latency: latency} },
		Run: "load", Seed: 7, Tool: Tool, AsOf: time.Now().UTC(), CategoryID: 1, Recording: &recorded, Target: record.Target{Build: Build}})
	if err != nil {
		t.Fatal(err)
	}
	put(t, dir, reports.LoadRecordingFile, recorded.Bytes())
	rec, err := record.Read(bytes.NewReader(recorded.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	res, err := load.Judge(rec)
	if err != nil {
		t.Fatal(err)
	}
	return reports.Input{Results: *res}
}

func put(t *testing.T, dir, name string, data []byte) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
		t.Fatal(err)
	}
}
