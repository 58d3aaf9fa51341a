package proof_test

import (
	"slices"
	"sync"
	"testing"

	"petconform/conformance/proof"
	"petconform/spec"
	"petconform/spec/long"
	"petconform/spec/reference/deviations"
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
