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
	// mostWhenLagging is for a service of which replicas disagree, and for one that lags in another respect too: reads are repeated.
	mostWhenLagging = 136
)

// What a standard run may cost a target that deviates, at the default patience.
const (
	longestWhenBroken      = 15 * time.Second
	mostRequestsWhenBroken = 180
	// mostRequestsWhenCut is for a service that cuts its responses short: each of them may be an outage, and is asked for again.
	mostRequestsWhenCut = 480
)

// soon is how long the verdict on a deviation takes at most that nothing has to be waited for.
const soon = time.Second

const oneOfSeveral = "one of several replicas may lag, and catch up"

// waited are the deviations on which the verdict takes longer than soon, with what could explain their first responses.
var waited = map[string]string{
	"a lagging replica may lack new animals in listings": `list-cached-for-ever list-without-foreign-names list-without-the-newest list-10-at-most
		list-without-namesakes list-without-large-categories list-without-every-third list-without-sold list-without-statusless list-shows-half
		limit-beyond-50-cut limit-one-less limit-1-empty list-50-at-most-newest-first list-cached-for-any-limit`,
	"a lagging replica or index may lack new animals in filtered listings": `filter-misses-the-newest filter-after-limit filter-finds-ascii-names
		filter-finds-small-categories filter-finds-10-at-most limit-defaults-to-10-when-filtered filter-finds-no-pending filter-finds-nothing filter-is-not
		filter-knows-new-animals-only filter-with-limit-finds-nothing filter-cached-for-ever filter-finds-no-sold
		list-cached-for-any-status`,
	"getPet may be answered by a lagging replica": `get-works-once get-pending-hidden get-miss-remembered get-404 get-first-created-unknown get-ids-of-32-bits
		get-ids-through-float get-sold-hidden get-first-of-the-store-unknown get-knows-new-animals-only pet-id-unsigned`,
	"a replica that lags may lack new animals wherever it is asked": "store-forgets-every-fourth store-keeps-the-last-three store-keeps-the-last-fifteen namesake-replaces-the-first",
	oneOfSeveral: `get-every-third-unknown list-every-third-without-new list-every-third-empty
		list-every-fifth-empty list-every-tenth-empty get-of-one-replica-removed filter-after-limit-by-one-replica`,
	"a closed connection may be an outage, which ends": `closed-on-unknown-animal closed-on-limit-100 closed-on-emoji closed-on-empty-body
		closed-on-broken-json`,
	"a counter may be published once a second": "rate-remaining-stands",
}

// waitsAtTimes wait or not, by the order in which the service takes simultaneous requests.
var waitsAtTimes = []string{"limit-1-empty", "list-cached-for-any-limit", "list-cached-for-any-status"}

// waitsFor returns what a deviation waits for, "" if for nothing.
func waitsFor(deviation string) string {
	for why, names := range waited {
		if slices.Contains(strings.Fields(names), deviation) {
			return why
		}
	}
	return ""
}

// cost is what a run against a deviation takes.
type cost struct {
	deviation string
	took      time.Duration
	requests  int
}

// holdCosts holds what the runs against the deviations cost, and logs the distribution and each that takes longer than soon.
func holdCosts(t *testing.T, all []cost) {
	t.Helper()
	if len(all) == 0 {
		t.Fatal("-run selects no deviation; want TestEachDeviationIsNamed/each/NAME")
	}
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
	for _, c := range all {
		if why := waitsFor(c.deviation); why == "" && c.took > soon {
			t.Errorf("%s takes %s, and nothing is known that it has to wait for", c.deviation, c.took)
		} else if why != "" && c.took <= soon && !slices.Contains(waitsAtTimes, c.deviation) {
			t.Errorf("%s takes %s; it need not wait because %s", c.deviation, c.took, why)
		}
	}
	slices.SortFunc(all, func(a, b cost) int { return cmp.Or(cmp.Compare(b.took, a.took), cmp.Compare(a.deviation, b.deviation)) })
	slices.Sort(requests)
	at := func(share int) int { return (len(all) - 1) * share / 100 }
	t.Logf("a deviation takes: median %s and %d requests, 9 of 10 %s and %d, most %s and %d", all[at(50)].took, requests[at(50)],
		all[at(10)].took, requests[at(90)], all[0].took, requests[at(100)])
	for _, c := range all {
		if c.took > soon {
			t.Logf("  %s: %s, %d requests, since %s", c.deviation, c.took, c.requests, waitsFor(c.deviation))
		}
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
	for _, latency := range []time.Duration{time.Millisecond, 150 * time.Millisecond} {
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

// withinBudget holds the requests and creations of a standard run against a lawful service.
func withinBudget(t *testing.T, rec *exchange.Recording) {
	t.Helper()
	most := mostRequests
	if slices.ContainsFunc(rec.Exchanges, func(x exchange.Exchange) bool { return strings.HasPrefix(x.Step, "soon-") }) {
		most = mostWhenLagging
	}
	within(t, rec, most)
}

func within(t *testing.T, rec *exchange.Recording, most int) {
	t.Helper()
	creates := len(history.Of(rec).Created())
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
		{Animals: 150}} {
		withinBudget(t, lawful(t, s))
	}
	within(t, lawful(t, proof.Service{Freedoms: append([]string{"replica-lags"}, refusals...)}), mostWhenLagging)
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
