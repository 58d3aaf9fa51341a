package proof_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"petconform/conformance"
	"petconform/conformance/proof"
	"petconform/spec"
	"petconform/spec/verdict"
)

// What a standard run may cost a target.
const (
	mostRequests = 120
	mostCreates  = 30
)

// TestTheCostOfAStandardRun holds what one run costs a target, whatever its latency and its plan.
func TestTheCostOfAStandardRun(t *testing.T) {
	for _, latency := range []time.Duration{time.Millisecond, 100 * time.Millisecond} {
		r, rec := against(t, proof.Service{Latency: latency})
		took := rec.End.Ended.Sub(rec.Meta.Started)
		t.Logf("%s an exchange: %d requests, %d creates, %s", latency, r.Requests, len(r.Created), took)
		if r.Requests > mostRequests || len(r.Created) > mostCreates {
			t.Errorf("%d requests and %d creates; at most %d and %d are wanted", r.Requests, len(r.Created), mostRequests, mostCreates)
		}
		if took > 3*time.Second {
			t.Errorf("a run against a target that answers after %s took %s; less than 3 s is wanted", latency, took)
		}
	}
	r, rec := against(t, proof.Service{Plan: spec.Free})
	t.Logf("a Free key: %d requests in %s", r.Requests, rec.End.Ended.Sub(rec.Meta.Started).Round(time.Second))
	if r.Verdict != verdict.Conforms {
		t.Errorf("a Free key gets %q: %v", r.Verdict, r.Reasons)
	}
}

// TestTheRunPlansWhatItSends compares the checks' own figures, which a dry run is told by, with what is sent.
func TestTheRunPlansWhatItSends(t *testing.T) {
	_, rec := against(t, proof.Service{})
	for _, c := range conformance.Checks() {
		if n := len(rec.Of(c.ID)); n > c.Requests+1 {
			t.Errorf("%s says %d requests and sends %d", c.ID, c.Requests, n)
		}
	}
}

// BenchmarkRun times a whole run in real time: sending, recording and judging.
func BenchmarkRun(b *testing.B) {
	for _, latency := range []time.Duration{time.Microsecond, 100 * time.Millisecond} {
		b.Run(fmt.Sprintf("latency=%s", latency), func(b *testing.B) {
			for b.Loop() {
				if _, _, err := proof.Against(context.Background(), proof.Service{Latency: latency}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkJudge times the judge alone, on one recording.
func BenchmarkJudge(b *testing.B) {
	_, rec, err := proof.Against(context.Background(), proof.Service{Latency: time.Microsecond})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		conformance.JudgeRecording(rec)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "verdicts/s")
}
