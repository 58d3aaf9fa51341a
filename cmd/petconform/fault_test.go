package main

import (
	"context"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"petconform/conformance"
	"petconform/reports"
	"petconform/spec/exchange"
	"petconform/spec/history"
	"petconform/spec/rules"
	"petconform/spec/verdict"
)

// TestPanicWhileJudging: a check or a rule that panics leaves the others judged, and the run without a verdict.
func TestPanicWhileJudging(t *testing.T) {
	dir := t.TempDir()
	if code := run(context.Background(), []string{"check", "--out", dir}, streams{io.Discard, io.Discard}); code != 0 {
		t.Fatalf("the reference service: exit code %d", code)
	}
	in, err := reports.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	sel, err := conformance.Select(nil, nil, false)
	if err != nil {
		t.Fatal(err)
	}
	for name, plant := range map[string]func(*conformance.Selection) string{
		"a check": func(s *conformance.Selection) string {
			s.Judged = slices.Clone(s.Judged)
			s.Judged[3].Judge = func(*conformance.Judge) { panic("planted") }
			return s.Judged[3].ID
		},
		"a rule": func(s *conformance.Selection) string {
			s.Rules = slices.Clone(s.Rules)
			i := slices.IndexFunc(s.Rules, func(r rules.Rule) bool { return r.Each != nil })
			s.Rules[i].Each = func(history.Exchange) rules.Reading { panic("planted") }
			return s.Rules[i].ID
		},
	} {
		t.Run(name, func(t *testing.T) {
			planted := sel
			id := plant(&planted)
			res, f := judgeSent(in.Recording, planted)
			if f == nil || !strings.Contains(f.Error(), id) || !strings.Contains(f.stack, "planted") {
				t.Errorf("the fault is %v; one that names %s and holds the panic is wanted", f, id)
			}
			if res.Verdict != verdict.NoVerdict || len(res.Checks) != len(in.Results.Checks)-1 {
				t.Errorf("%s, %d checks; no verdict and the %d others are wanted", res.Verdict, len(res.Checks), len(in.Results.Checks)-1)
			}
		})
	}
}

// TestImpossibleRecording: figures that can't be are refused when a recording is read, with the line that has them.
func TestImpossibleRecording(t *testing.T) {
	dir := t.TempDir()
	if code := run(context.Background(), []string{"check", "--out", dir, "--only", "LIST-5"}, streams{io.Discard, io.Discard}); code != verdict.ExitNoVerdict {
		t.Fatalf("a part of the reference service: exit code %d", code)
	}
	recordings, err := readRecordings(filepath.Join(dir, reports.RecordingFile))
	if err != nil {
		t.Fatal(err)
	}
	whole := string(recordings[reports.RecordingFile])
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
