package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"petconform/conformance"
	"petconform/conformance/judge"
	"petconform/conformance/run"
	"petconform/reports"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/reference"
	"petconform/spec/verdict"
)

// TestImpossibleRecording: figures that can't be are refused when a recording is read, with the line that has them.
func TestImpossibleRecording(t *testing.T) {
	recording, err := os.ReadFile(filepath.Join(runIn(t), "out", reports.RecordingFile))
	if err != nil {
		t.Fatal(err)
	}
	whole := string(recording)
	for from, to := range map[string]string{
		`"status":200`:     `"status":0`,
		`"doneNs":`:        `"doneNs":-`,
		`"size":`:          `"size":-1`,
		`"firstByteNs":`:   `"firstByteNs":9000000`,
		`"proto":"HTTP/1.`: `"status":99,"proto":"HTTP/1.`,
		`{"n":2,`:          `{"n":1,`,
	} {
		damaged := strings.Replace(whole, from, to, 1)
		if damaged == whole {
			t.Fatalf("the recording has no %s", from)
		}
		if _, err := exchange.Read(strings.NewReader(damaged)); err == nil || !strings.Contains(err.Error(), "line ") && !strings.Contains(err.Error(), "number 1") {
			t.Errorf("%s: %v; an error that names the line is wanted", to, err)
		}
	}
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
