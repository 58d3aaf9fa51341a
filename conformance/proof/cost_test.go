package proof_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"petconform/conformance/plan"
	"petconform/conformance/proof"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/history"
	"petconform/spec/long"
	"petconform/spec/verdict"
)

// What a quick run may cost a target.
const (
	mostCreates = 30
	// mostWhenBroken is for a service that deviates: parts of rows are sent, and reads are repeated.
	mostWhenBroken = 200
	// longestWhenBroken is twice the patience, for animals of other clients, and what the rest takes.
	longestWhenBroken = 25 * time.Second
)

// withinBudget holds the requests and creations of a quick run against a lawful service.
func withinBudget(t *testing.T, rec *exchange.Recording) {
	t.Helper()
	most := plan.QuickRequests
	if slices.ContainsFunc(rec.Exchanges, func(x exchange.Exchange) bool { return plan.Asked(x.Step) != x.Step }) {
		most = plan.QuickWhenLagging
	}
	if n, creates := len(rec.Exchanges), len(history.Of(rec).Created()); n > most || creates > mostCreates {
		t.Errorf("%d requests and %d creates; at most %d and %d are wanted", n, creates, most, mostCreates)
	}
}

// TestPatienceCountsFromTheCreation: a replica that lags for less than the patience conforms, on a plan whose animals are created
// over a minute too; one that lags for longer deviates.
func TestPatienceCountsFromTheCreation(t *testing.T) {
	const lag = 1500 * time.Millisecond // of the freedom replica-lags
	for _, p := range []spec.Plan{spec.Free, spec.Business} {
		s := proof.Service{Freedoms: []string{"replica-lags"}, Plan: p, Patience: lag + 10*time.Millisecond}
		lawful(t, s)
		s.Patience = lag / 2
		if p == spec.Free { // its requests are so far apart that none meets the lag after the patience
			continue
		}
		if r, rec := against(t, s); r.Verdict != verdict.Deviates {
			t.Errorf("%s: a replica lags for %s, and the patience is %s: the run says %s", p.Name, lag, s.Patience, r.Verdict)
		} else if rec.End.Ended.Sub(rec.Meta.Started) > 2*s.Patience {
			t.Errorf("the run took %s; each read waited on its own", rec.End.Ended.Sub(rec.Meta.Started))
		}
	}
}

// TestTheCostOfAQuickRun holds what one run costs a target, whatever its latency.
func TestTheCostOfAQuickRun(t *testing.T) {
	for _, latency := range []time.Duration{time.Millisecond, 150 * time.Millisecond} {
		r, rec := against(t, proof.Service{Latency: latency})
		took := rec.End.Ended.Sub(rec.Meta.Started)
		t.Logf("%s an exchange: %d requests, %d creates, %s", latency, r.Requests, len(r.Created), took)
		if withinBudget(t, rec); took > 4*time.Second {
			t.Errorf("a run against a target that answers after %s took %s; less than 4 s is wanted", latency, took)
		}
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
}

// TestTenRunsTellTheSame: ten runs give ten times the same verdict and name the same requirements.
func TestTenRunsTellTheSame(t *testing.T) {
	services := []proof.Service{{}, {Freedoms: refusals}, {Freedoms: []string{"replica-lags"}}, {Freedoms: []string{"ids-random"}, Animals: 150},
		{Deviations: everythingTaken}}
	for _, names := range []string{"name-boolean-accepted", "error-page-on-400 invalid-422", "get-works-once miss-200-null", "list-without-every-third",
		"filter-finds-nothing list-10-at-most rate-reset-past gateway-415-text"} {
		services = append(services, proof.Service{Deviations: strings.Fields(names)})
	}
	runs := long.Times(t, 3, 10)
	each(t, services, func(s proof.Service) string { return strings.Join(append(s.Deviations, s.Freedoms...), " and ") }, func(t *testing.T, s proof.Service) {
		var first string
		for n := range runs {
			r, _ := against(t, s)
			said := fmt.Sprint(r.Verdict, r.Failed(spec.Must, spec.Should))
			if n == 0 {
				first = said
			} else if said != first {
				t.Errorf("run %d says %s, the first one %s", n+1, said, first)
			}
		}
	})
}

// BenchmarkRun times a run, with its judge.
func BenchmarkRun(b *testing.B) {
	for b.Loop() {
		if _, _, err := proof.Against(context.Background(), proof.Service{Latency: time.Microsecond}); err != nil {
			b.Fatal(err)
		}
	}
}

// everythingTaken are the deviations of a server that looks neither at keys nor at bodies.
var everythingTaken = []string{"name-not-required", "category-not-required", "name-number-accepted", "name-null-accepted", "name-array-accepted",
	"name-boolean-accepted", "name-object-accepted", "category-text-accepted", "category-boolean-accepted", "category-null-accepted", "category-array-accepted",
	"category-fraction-cut", "category-overflow-largest", "status-any-accepted", "status-number-accepted", "status-boolean-accepted", "status-array-accepted",
	"body-text-behind-ignored", "body-comments-ignored", "body-trailing-comma-ignored", "body-nan-as-0", "body-array-of-one-accepted",
	"auth-no-key-accepted", "auth-any-key-accepted", "auth-bare-key-accepted"}

// TestTheBudgetOfCreations: a server that takes everything uses up the creations, and every requirement has had its first request by then.
// What was given up is told.
func TestTheBudgetOfCreations(t *testing.T) {
	r, _ := against(t, proof.Service{Deviations: everythingTaken})
	if n := len(r.Created); n > mostCreates {
		t.Errorf("%d animals were created, at most %d are wanted", n, mostCreates)
	}
	named := r.Failed(spec.Must)
	for _, id := range []spec.ID{"CREATE-6", "CREATE-7", "CREATE-8", "CREATE-9", "CREATE-10", "CREATE-11", "AUTH-2", "AUTH-3", "AUTH-4"} {
		if !slices.Contains(named, id) {
			t.Errorf("%s is not named", id)
		}
	}
	for _, q := range r.Requirements {
		if slices.Contains([]spec.ID{"CREATE-1", "CREATE-3", "CREATE-4", "CREATE-14", "CREATE-15"}, q.ID) && q.Verdict == verdict.NotRun {
			t.Errorf("%s did not run", q.ID)
		}
	}
	if !slices.ContainsFunc(r.Warnings, func(w string) bool {
		return strings.Contains(w, "did not send all cases: ") && strings.Contains(w, "create-body-invalid (")
	}) {
		t.Errorf("what was given up is not told: %v", r.Warnings)
	}
}
