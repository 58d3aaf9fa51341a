package proof_test

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"petconform/conformance/proof"
	"petconform/spec"
	"petconform/spec/long"
	"petconform/spec/reference/deviations"
	"petconform/spec/reference/freedoms"
	"petconform/spec/verdict"
)

// lags are the freedoms of services that show a new animal later.
var lags = []string{"list-lags", "get-lags", "replica-lags", "one-replica-lags", "misses-cached-briefly"}

// alsoWhereItLags are the requirements that a deviation breaks beside a lag: a replica that lags misses an animal that
// exists, and getPet answers that as it answers any miss.
var alsoWhereItLags = map[string]spec.ID{"miss-204": "GET-1", "miss-500": "GET-1"}

// TestALagBesideADeviation: of a service that deviates and lags, nothing is named but the deviation and what follows from it. A quick
// run sends each read once, and some again, so that a lag may hide a few deviations.
func TestALagBesideADeviation(t *testing.T) {
	type pair struct {
		lag string
		deviations.Deviation
	}
	var pairs []pair
	for i, d := range standard() {
		pairs = append(pairs, pair{lags[i%len(lags)], d})
	}
	pairs = long.Rows(t, pairs, func(p pair) []string { return append(long.Broken(p.Deviation), p.lag) })
	var mu sync.Mutex
	named, all := 0, 0
	each(t, pairs, func(p pair) string { return p.lag + "+" + p.Name }, func(t *testing.T, p pair) {
		r, _ := against(t, proof.Service{Deviations: []string{p.Name}, Freedoms: []string{p.lag}})
		missed, undeclared := weigh(p.Deviation, r)
		for _, id := range undeclared {
			q, _ := spec.TheLedger().Find(id)
			follows := slices.ContainsFunc(p.Breaks, func(id spec.ID) bool { return slices.Contains(q.Follows, id) || slices.Contains(q.Repeats, id) })
			if !follows && alsoWhereItLags[p.Name] != id {
				t.Errorf("%s is named, and is not what the deviation breaks:\n%s", id, textOf(r, id))
			}
		}
		mu.Lock()
		defer mu.Unlock()
		if all++; len(missed) == 0 {
			named++
		}
	})
	t.Logf("%d of %d named", named, all)
	if named*100 < all*90 {
		t.Errorf("%d of %d are named beside a lag; nine of ten are wanted", named, all)
	}
}

// TestARefusedAnimalIsFoundInALargeStore: a page of 100 can't show it, the ids between the run's own do.
func TestARefusedAnimalIsFoundInALargeStore(t *testing.T) {
	r, _ := against(t, proof.Service{Deviations: []string{"kept-despite-category-type"}, Animals: 150})
	if !slices.Contains(r.Failed(spec.Must), "CREATE-12") {
		t.Errorf("%v %v; CREATE-12 is wanted", r.Verdict, r.Reasons)
	}
}

// TestAStaleReplicaIsFoundInALargeStore: the run does not wait for what it then leaves out, since no page has room for all.
func TestAStaleReplicaIsFoundInALargeStore(t *testing.T) {
	r, _ := against(t, proof.Service{Deviations: []string{"get-every-third-unknown"}, Animals: 150, Concurrency: 1})
	if !slices.Contains(r.Failed(spec.Must), "GET-1") {
		t.Errorf("%s %v; GET-1 is wanted", r.Verdict, r.Reasons)
	}
}

// TestLagInALargeStore: a page that is full may be one of a replica that lags, which shows new animals later, within the budget.
func TestLagInALargeStore(t *testing.T) {
	for _, lag := range []string{"list-lags", "replica-lags"} {
		withinBudget(t, lawful(t, proof.Service{Freedoms: []string{lag, "newest-first"}, Animals: 700}))
		withinBudget(t, lawful(t, proof.Service{Freedoms: []string{lag}, Animals: 150}))
	}
}

// TestIrregularIDsInALargeStore: where no page shows new animals and ids leave gaps, a standard run can't tell what refused requests
// left, and does not ask for some of the ids only. A deep run asks for all.
func TestIrregularIDsInALargeStore(t *testing.T) {
	s := proof.Service{Freedoms: []string{"ids-irregular"}, Animals: 700}
	r, rec := against(t, s)
	withinBudget(t, rec)
	if !slices.Equal(r.Inconclusive, []spec.ID{"CREATE-12", "AUTH-6"}) {
		t.Errorf("%s, %v could not be told; CREATE-12 and AUTH-6 are wanted", r.Verdict, r.Inconclusive)
	}
	s.Deep = true
	lawful(t, s)
	s.Deviations = []string{"kept-despite-category-type"}
	if r, _ := against(t, s); !slices.Contains(r.Failed(spec.Must), "CREATE-12") {
		t.Errorf("%s %v; CREATE-12 is wanted", r.Verdict, r.Reasons)
	}
}

// TestAnExplorationInALargeStore: it creates animals after the checks have listed theirs. Where ids are random, only those listings
// tell what refused requests left.
func TestAnExplorationInALargeStore(t *testing.T) {
	random := []string{"ids-random", "newest-first"}
	lawful(t, proof.Service{Animals: 5_000, Deep: true}) // an id without its last digit is another animal's
	lawful(t, proof.Service{Freedoms: random, Animals: 150, Explore: 60})
	lawful(t, proof.Service{Freedoms: random, Animals: 150, Deep: true})
}

// TestOddAnimalsOfOthersAreNotLeftBehind: where ids count down, what was there before has ids beyond the run's own.
func TestOddAnimalsOfOthersAreNotLeftBehind(t *testing.T) {
	lawful(t, proof.Service{Freedoms: []string{"ids-near-the-end", "odd-animals"}})
}

// TestALateRemaining: on every kind of limiter it counts 10 s later, and a bucket may be full again by then.
func TestALateRemaining(t *testing.T) {
	for _, f := range freedoms.All() {
		if f.Part == "limiter" {
			lawful(t, proof.Service{Freedoms: []string{f.Name, "remaining-every-10s"}})
			lawful(t, proof.Service{Freedoms: []string{f.Name, "remaining-every-10s"}, Plan: spec.Free})
		}
	}
}

// TestRetryAfterInMilliseconds: another client of the key brings the 429 that a run paces itself to avoid. RATE-5 is
// named, and not only that the run would have to wait for hours.
func TestRetryAfterInMilliseconds(t *testing.T) {
	s := proof.Service{Plan: spec.Free, Freedoms: []string{"others-use-the-key"}}
	r, _ := against(t, s)
	if named := r.Failed(spec.Must); len(named) > 0 {
		t.Errorf("a lawful service is said to break %v", named)
	}
	s.Deviations = []string{"retry-after-milliseconds"}
	r, _ = against(t, s)
	if named := r.Failed(spec.Must); !slices.Equal(named, []spec.ID{"RATE-5"}) || r.Verdict != verdict.Deviates {
		t.Errorf("%s, %v; RATE-5 alone is wanted: %v", r.Verdict, named, r.Reasons)
	}
	if text := textOf(r, "RATE-5"); !strings.Contains(text, "a thousand times") {
		t.Errorf("the finding is %q", text)
	}
}
