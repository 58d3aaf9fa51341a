package proof_test

import (
	"testing"

	"petconform/conformance/proof"
	"petconform/spec/long"
	"petconform/spec/reference/deviations"
	"petconform/spec/verdict"
)

// lags are the freedoms of services that show a new animal later.
var lags = []string{"list-lags", "get-lags", "replica-lags", "one-replica-lags", "misses-cached-briefly"}

// TestALagBesideADeviation: the deviation of a service that also lags is named, and nothing that only lags is accused. One replica of
// several may go unnamed: the reads that would meet it again are spent on the lag.
func TestALagBesideADeviation(t *testing.T) {
	type pair struct {
		lag string
		deviations.Deviation
	}
	var pairs []pair
	for i, d := range proof.Standard() {
		pairs = append(pairs, pair{lags[i%len(lags)], d})
	}
	pairs = long.Rows(t, pairs, func(p pair) []string { return append(long.Broken(p.Deviation), p.lag) })
	each(t, pairs, func(p pair) string { return p.lag + "+" + p.Name }, func(t *testing.T, p pair) {
		r, _ := against(t, proof.Service{Deviations: []string{p.Name}, Freedoms: []string{p.lag}})
		row := proof.Weigh(p.Deviation, r)
		for _, id := range row.Undeclared {
			t.Errorf("%s is named, and is not what the deviation breaks:\n%s", id, textOf(r, id))
		}
		if r.Verdict == verdict.Conforms || len(row.Missed) > 0 {
			t.Errorf("the run says %q and names %v; %v are not named: %v", r.Verdict, row.Named, row.Missed, r.Reasons)
		}
	})
}
