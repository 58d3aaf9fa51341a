package proof_test

import (
	"strings"
	"testing"

	"petconform/conformance/proof"
	"petconform/spec"
	"petconform/spec/long"
	"petconform/spec/reference/deviations"
	"petconform/spec/verdict"
)

// lags are the freedoms of services that show a new animal later.
var lags = []string{"list-lags", "get-lags", "replica-lags", "one-replica-lags", "misses-cached-briefly"}

// TestALagBesideADeviation: what a run waits for because of a deviation is not spent on the lag of the same service: the deviation is
// named, and nothing that only lags is accused. So are those that the run tells at once by what no lag explains. One replica of several
// may go unnamed: the reads that would meet it again are spent on the lag.
func TestALagBesideADeviation(t *testing.T) {
	type pair struct {
		lag string
		deviations.Deviation
	}
	var pairs []pair
	for _, d := range proof.Standard() {
		for _, lag := range lags {
			if waitsFor(d.Name) != "" || strings.HasPrefix(d.Name, "limit-defaults-") || strings.HasPrefix(d.Name, "limit-1-") {
				pairs = append(pairs, pair{lag, d})
			}
		}
	}
	pairs = long.Rows(t, pairs, func(p pair) []string { return append(long.Broken(p.Deviation), p.lag) })
	each(t, pairs, func(p pair) string { return p.lag + "+" + p.Name }, func(t *testing.T, p pair) {
		r, _ := against(t, proof.Service{Deviations: []string{p.Name}, Freedoms: []string{p.lag}})
		row := proof.Weigh(p.Deviation, r)
		for _, id := range row.Undeclared {
			t.Errorf("%s is named, and is not what the deviation breaks:\n%s", id, textOf(r, id))
		}
		if few := waitsFor(p.Name) == oneOfSeveral; !few && (r.Verdict != verdict.Deviates || len(row.Missed) > 0) {
			t.Errorf("the run says %q and names %v; %v are not named: %v", r.Verdict, r.Failed(spec.Must), row.Missed, r.Reasons)
		}
	})
}
