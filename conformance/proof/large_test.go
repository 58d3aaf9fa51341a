package proof_test

import (
	"slices"
	"testing"

	"petconform/conformance/proof"
	"petconform/spec"
)

// TestARefusedAnimalIsFoundInALargeStore: a page of 100 can't show it, the ids between the run's own do.
func TestARefusedAnimalIsFoundInALargeStore(t *testing.T) {
	for _, animals := range []int{0, 150} {
		r, _ := against(t, proof.Service{Deviations: []string{"kept-despite-category-type"}, Animals: animals})
		if !slices.Contains(r.Failed(spec.Must), "CREATE-12") {
			t.Errorf("among %d animals: %v %v; CREATE-12 is wanted", animals, r.Verdict, r.Reasons)
		}
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
