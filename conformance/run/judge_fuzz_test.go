package run_test

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"

	"petconform/conformance/explore"
	"petconform/conformance/judge"
	"petconform/conformance/proof"
	"petconform/conformance/run"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/history"
)

// good is a recording of a service that keeps the interface, with an exploration in it.
func good(f *testing.F) *exchange.Recording {
	f.Helper()
	_, rec, err := proof.Against(f.Context(), proof.Service{Explore: 40, Concurrency: 2, Patience: 50 * time.Millisecond, Latency: time.Microsecond,
		Plan: spec.Plan{Name: "Enterprise", PerMinute: 900_000, PerDay: 9_000_000}, Change: func(cfg *run.Config) { cfg.MaxCreates = 40 }})
	noError(f, err)
	return rec
}

// judged has the recording judged by all there is, and sees to it that the outcome can be written.
func judged(t *testing.T, rec *exchange.Recording) {
	t.Helper()
	r := judge.Recording(rec)
	if _, err := json.Marshal(r); err != nil {
		t.Fatalf("the results cannot be written: %v", err)
	}
	for _, c := range r.Checks {
		for _, found := range c.Findings {
			if _, known := spec.TheLedger().Find(found.Requirement); !known {
				t.Errorf("%s names %q, which is no requirement", c.ID, found.Requirement)
			}
		}
	}
	for _, c := range explore.Cards(history.Of(rec)) {
		if len(c.Exchanges) == 0 || len(c.Findings) == 0 {
			t.Errorf("a sequence of %d requests has %d findings", len(c.Exchanges), len(c.Findings))
		}
	}
}

// FuzzJudgeBytes: arbitrary bytes are a recording that can be judged, or an error. Its inputs are long; with
// -fuzzminimizetime 10x the time goes into new ones.
func FuzzJudgeBytes(f *testing.F) {
	rec := good(f)
	var file bytes.Buffer
	w, err := exchange.NewWriter(&file, rec.Meta)
	for _, x := range rec.Exchanges[:3] {
		err = w.Write(x)
	}
	noError(f, err)
	f.Add(file.Bytes())
	f.Add(bytes.ReplaceAll(file.Bytes(), []byte(`"check":"`), []byte(`"check":"explore","step":"1/1 list","was":"`)))
	f.Add([]byte(`{"meta":{"format":"petconform/recording/1","planned":["list-all","explore","limit-kept","list-created"]}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<17 {
			return
		}
		if rec, err := exchange.Read(bytes.NewReader(data)); err == nil {
			judged(t, rec)
		}
	})
}
