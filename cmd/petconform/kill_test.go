package main

import (
	"bytes"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"sync/atomic"
	"testing"
	"time"

	"petconform/conformance"
	"petconform/conformance/judge"
	"petconform/conformance/plan"
	"petconform/conformance/run"
	"petconform/load"
	"petconform/load/record"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/long"
	"petconform/spec/reference"
	"petconform/spec/verdict"
)

// kills is how many runs of check, and of load, are killed.
const kills = 100

// TestKilledRuns kills check and load at any moment. A lawful service is never accused by what they leave behind, and all is there that
// the service answered, but for the requests that were in flight.
func TestKilledRuns(t *testing.T) {
	long.Only(t, "two hundred processes that are killed")
	t.Parallel()
	key := reference.RandomKey("killed", spec.Business)
	for name, c := range map[string]struct {
		args []string
		// inFlight is how many requests may be on their way: of check each slot sends one, and one of them eight at a time.
		inFlight int
		// within is how many requests the run is killed after, at the most.
		within int
		read   func(t *testing.T, recording []byte) (requests int)
	}{
		"check": {[]string{"check"}, 2 * run.DefaultConcurrency, plan.QuickRequests, readKilledCheck},
		"load":  {[]string{"load", "--plan", "Business", "--quick", "--minute", "2s"}, 64, 800, readKilledLoad},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			source := rand.New(rand.NewPCG(3, 4))
			judged := 0
			for i := range kills {
				after := 1 + source.IntN(c.within)
				if killed(t, key, c.args, after, c.inFlight, c.read) {
					judged++
				}
				if t.Failed() {
					t.Fatalf("kill %d, after %d requests", i+1, after)
				}
			}
			t.Logf("%d killed, %d of them with a recording", kills, judged)
			if judged < kills*9/10 {
				t.Errorf("only %d of %d were killed while they sent", judged, kills)
			}
		})
	}
}

// killed runs petconform against a service of its own, kills it after so many requests, and says whether it left a recording.
func killed(t *testing.T, key reference.Key, args []string, after, inFlight int, read func(*testing.T, []byte) (requests int)) bool {
	t.Helper()
	service, err := reference.New(reference.Config{Keys: []reference.Key{key}, Minute: 2 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	var answered atomic.Int32
	due := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		service.ServeHTTP(w, r)
		if int(answered.Add(1)) == after {
			close(due)
		}
	}))
	dir := t.TempDir()
	cmd := command([]string{"PETCONFORM_KEY=" + key.Secret.Reveal(), "HOME=" + dir, "TMPDIR=" + dir}, os.Args[0], append(args, "--target", server.URL+"/v1", "--out", "out")...)
	cmd.Dir = dir
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	through := make(chan error, 1)
	go func() { through <- cmd.Wait() }()
	var ended error
	select {
	case <-due:
		_ = cmd.Process.Kill() // it may have ended
		ended = <-through
	case ended = <-through:
	}
	server.Close()
	if ended == nil {
		return false // through before it was killed
	}
	names, err := filepath.Glob(filepath.Join(dir, "out", "*recording.jsonl"))
	if err != nil || len(names) == 0 {
		return false
	}
	recording, err := os.ReadFile(names[0])
	if err != nil {
		t.Fatal(err)
	}
	requests := read(t, recording)
	if int(answered.Load())-requests > inFlight {
		t.Errorf("%d requests were answered, and %d are recorded; at most %d were in flight", answered.Load(), requests, inFlight)
	}
	return len(recording) > 0
}

func readKilledCheck(t *testing.T, recording []byte) (requests int) {
	t.Helper()
	if len(recording) == 0 {
		return 0
	}
	rec, err := exchange.Read(bytes.NewReader(recording))
	if err != nil {
		t.Errorf("the recording: %v", err)
		return 0
	}
	if rec.Torn || rec.End == nil || rec.End.Stopped != "" { // otherwise it was killed while it wrote the report
		accusesNobody(t, judge.Recording(rec))
	}
	return len(rec.Exchanges)
}

func readKilledLoad(t *testing.T, recording []byte) (requests int) {
	t.Helper()
	if len(recording) == 0 {
		return 0
	}
	rec, err := record.Read(bytes.NewReader(recording))
	if err != nil {
		t.Errorf("the recording: %v", err)
		return 0
	}
	res, err := load.Judge(rec)
	if err != nil {
		t.Fatal(err)
	}
	accusesNobody(t, *res)
	return len(rec.Records)
}

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
