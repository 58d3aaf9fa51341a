package main

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"petconform/conformance"
	"petconform/conformance/judge"
	"petconform/conformance/run"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/reference"
	"petconform/spec/verdict"
)

// accusesNobody wants no verdict of a recording that breaks off, and no requirement to have failed.
func accusesNobody(t *testing.T, res verdict.Results) {
	t.Helper()
	if res.Verdict != verdict.NoVerdict {
		t.Errorf("no verdict is wanted, not %s: %v", res.Verdict, res.Reasons)
	}
	for _, q := range res.Requirements {
		if q.Verdict == verdict.Failed {
			t.Errorf("%s is accused", q.ID)
		}
	}
}

// TestSignals: each signal that ends a run in order leaves a recording with its last line, a report, and exit code 3.
func TestSignals(t *testing.T) {
	key := reference.RandomKey("signalled", spec.Business)
	service, err := reference.New(reference.Config{Keys: []reference.Key{key}})
	if err != nil {
		t.Fatal(err)
	}
	for _, signal := range signals {
		begun := make(chan struct{}, 1000)
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			begun <- struct{}{}
			time.Sleep(100 * time.Millisecond)
			service.ServeHTTP(w, r)
		}))
		dir := t.TempDir()
		cmd := command([]string{"PETCONFORM_KEY=" + key.Secret.Reveal()}, os.Args[0], "check", "--target", server.URL+"/v1", "--out", "out")
		cmd.Dir = dir
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		for range 5 {
			<-begun
		}
		if err := cmd.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait() // its exit code says how it ended
		server.Close()
		if code := cmd.ProcessState.ExitCode(); code != verdict.ExitNoVerdict {
			t.Errorf("%s: exit code %d, %d is wanted", signal, code, verdict.ExitNoVerdict)
		}
		data, err := os.ReadFile(filepath.Join(dir, "out", "recording.jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		if rec, err := exchange.Read(bytes.NewReader(data)); err != nil || rec.End == nil || rec.End.Stopped != "interrupted" {
			t.Errorf("%s: the recording has no last line, or another: %v", signal, err)
		}
		if _, err := os.Stat(filepath.Join(dir, "out", "report.html")); err != nil {
			t.Errorf("%s: %v", signal, err)
		}
	}
}

// TestCutRecordings cuts a recording of a lawful service at two hundred places: none of what is left accuses it, and none conforms.
func TestCutRecordings(t *testing.T) {
	t.Parallel()
	key := reference.RandomKey("cut", spec.Business)
	service, err := reference.New(reference.Config{Keys: []reference.Key{key}})
	if err != nil {
		t.Fatal(err)
	}
	cfg := conformance.Serving(service, key.Secret.Reveal())
	var whole bytes.Buffer
	cfg.Recording = &whole
	if _, err := run.Send(t.Context(), cfg); err != nil {
		t.Fatal(err)
	}
	data := bytes.TrimRight(whole.Bytes(), "\n")
	for i := range 200 {
		at := len(data) * i / 200
		rec, err := exchange.Read(bytes.NewReader(data[:at]))
		if err != nil {
			if !regexp.MustCompile(`empty|line 1`).MatchString(err.Error()) {
				t.Errorf("cut at %d: %v", at, err)
			}
			continue
		}
		accusesNobody(t, judge.Recording(rec))
	}
}
