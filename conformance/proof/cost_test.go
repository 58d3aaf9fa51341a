package proof_test

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"petconform/conformance/checks"
	"petconform/conformance/drive"
	"petconform/conformance/proof"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/history"
	"petconform/spec/verdict"
)

// What a standard run may cost a target.
const (
	mostRequests = 120
	mostCreates  = 30
)

// What a standard run may cost a target that deviates, at the default patience.
const (
	longestWhenBroken      = 15 * time.Second
	mostRequestsWhenBroken = 180
	// mostRequestsWhenCut is for a service that cuts its responses short: each of them may be an outage, and is asked for again.
	mostRequestsWhenCut = 480
)

// cost is what a run against a deviation takes.
type cost struct {
	deviation string
	took      time.Duration
	requests  int
}

// holdCosts holds what the runs against the deviations cost, and logs the distribution and the slowest ten.
func holdCosts(t *testing.T, all []cost) {
	t.Helper()
	var requests []int
	for _, c := range all {
		requests = append(requests, c.requests)
		most := mostRequestsWhenBroken
		if strings.HasPrefix(c.deviation, "cut-short-") {
			most = mostRequestsWhenCut
		}
		if c.took > longestWhenBroken || c.requests > most {
			t.Errorf("%s takes %s and %d requests; at most %s and %d are wanted", c.deviation, c.took, c.requests, longestWhenBroken, most)
		}
	}
	slices.SortFunc(all, func(a, b cost) int { return cmp.Or(cmp.Compare(b.took, a.took), cmp.Compare(a.deviation, b.deviation)) })
	slices.Sort(requests)
	at := func(share int) int { return (len(all) - 1) * share / 100 }
	t.Logf("a deviation takes: median %s and %d requests, 9 of 10 %s and %d, most %s and %d", all[at(50)].took, requests[at(50)],
		all[at(10)].took, requests[at(90)], all[0].took, requests[at(100)])
	for _, c := range all[:min(10, len(all))] {
		t.Logf("  %s: %s, %d requests", c.deviation, c.took, c.requests)
	}
}

// TestPatienceCountsFromTheCreation: a replica that lags for less than the patience conforms, on a plan whose animals are created
// over a minute too; one that lags for longer deviates.
func TestPatienceCountsFromTheCreation(t *testing.T) {
	const lag = 1500 * time.Millisecond // of the freedom replica-lags
	for _, plan := range []spec.Plan{spec.Free, spec.Business} {
		s := proof.Service{Freedoms: []string{"replica-lags"}, Plan: plan, Patience: lag + 10*time.Millisecond}
		lawful(t, s)
		s.Patience = lag / 2
		if r, rec := against(t, s); r.Verdict != verdict.Deviates {
			t.Errorf("%s: a replica lags for %s, and the patience is %s: the run says %s", plan.Name, lag, s.Patience, r.Verdict)
		} else if plan == spec.Business && rec.End.Ended.Sub(rec.Meta.Started) > 2*s.Patience {
			t.Errorf("the run took %s; each read waited on its own", rec.End.Ended.Sub(rec.Meta.Started))
		}
	}
}

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

// withinBudget holds the requests and creations of a standard run against a lawful service. Where listings flicker, eight more and a few
// that are sent again may come on top, as the README says.
func withinBudget(t *testing.T, rec *exchange.Recording) {
	t.Helper()
	creates := len(history.Of(rec).Created())
	most := mostRequests
	if slices.ContainsFunc(rec.Exchanges, func(x exchange.Exchange) bool { return strings.HasPrefix(x.Step, "steady-") }) {
		most += 12
	}
	if n := len(rec.Exchanges); n > most || creates > mostCreates {
		t.Errorf("%d requests and %d creates; at most %d and %d are wanted", n, creates, most, mostCreates)
	}
}

// refusals are lawful variants of a service that refuses whatever is open to refuse.
var refusals = []string{"categories-checked-404", "empty-names-refused", "names-beyond-64-bytes-refused", "control-characters-refused",
	"unknown-members-refused", "media-type-required", "unknown-parameters-refused", "big-bodies-refused", "scheme-in-one-case"}

// TestRefusalsStayWithinTheBudget: what is refused has to be created otherwise, and what is open is left out for it.
func TestRefusalsStayWithinTheBudget(t *testing.T) {
	for _, s := range []proof.Service{{Freedoms: refusals}, {Freedoms: refusals, Animals: 150}, {Freedoms: refusals, Animals: 18},
		{Animals: 150}, {Freedoms: append([]string{"replica-lags"}, refusals...)}} {
		withinBudget(t, lawful(t, s))
	}
	r, _ := against(t, proof.Service{Freedoms: refusals, Animals: 150})
	if !slices.ContainsFunc(r.Checks, func(c verdict.Check) bool { return c.Verdict == verdict.NotRun && strings.Contains(c.Reason, "--deep") }) {
		t.Error("nothing was left out for it, so the budget was not tested")
	}
}

// TestTheRunPlansWhatItSends compares the checks' own figures, which a dry run is told by, with what is sent.
func TestTheRunPlansWhatItSends(t *testing.T) {
	_, rec := against(t, proof.Service{})
	sent := history.Of(rec)
	for _, c := range checks.All() {
		// create-fill sends what the others have left of the animals that it needs.
		if n := len(sent.Of(c.ID)); n > c.Requests+1+c.Animals/10 {
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
		drive.JudgeRecording(rec)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "verdicts/s")
}
