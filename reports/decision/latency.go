package decision

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"petconform/reports/safe"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/verdict"
)

// times are those of the n accepted requests of a plan or an operation.
type times struct {
	of  string
	n   int
	p99 time.Duration
}

// lagBudget is how late petconform may send 1 of 100 requests, as a part of the limit: a tenth. Times count from when a
// request was due, so a later sender would be taken for a slow target.
const lagBudget = 10

// latency compares the times of accepted requests with a limit: those of the slowest plan under load, and of the
// slowest operation in the checks.
func latency(f Facts) Gate {
	limit := f.Policy.P99
	if limit <= 0 {
		return unweighed("no limit was set with --p99", false)
	}
	g := Gate{Result: verdict.Passed, Required: true}
	measured := []string{"at most " + limit.String()}
	under, open := underLoad(f, limit)
	for i, all := range [][]times{under, inChecks(f.Recording)} {
		if len(all) == 0 {
			continue
		}
		slowest := slices.MaxFunc(all, func(a, b times) int { return cmp.Compare(a.p99, b.p99) })
		what := "p99"
		if slowest.n < 100 { // of so few, the 99th percentile is the slowest
			what = "the slowest"
		}
		measured = append(measured, fmt.Sprintf("%s %s (%s, %s of %s accepted)", []string{"under load", "in the checks"}[i],
			slowest.p99.Round(10*time.Microsecond), safe.Line(slowest.of), what, spec.Number(slowest.n)))
		if slowest.p99 > limit {
			g.Result = verdict.Failed
		}
	}
	if len(measured) == 1 && len(open) == 0 {
		open = []string{"no accepted request was measured"}
	}
	if len(open) > 0 && g.Result == verdict.Passed {
		g.Result = verdict.Inconclusive
	}
	g.Measured = safe.Line(strings.Join(append(measured, open...), "; "))
	return g
}

// underLoad returns the times of each plan, from when each request was due: a frozen target puts off requests, which
// would not be slow if their times were counted from their sending. open says which plans it cannot tell.
func underLoad(f Facts, limit time.Duration) (all []times, open []string) {
	if loaded(f) && len(f.Load.Plans) == 0 {
		open = append(open, "no plan was loaded")
	}
	of := func(ms float64) time.Duration { return time.Duration(ms * float64(time.Millisecond)) }
	for _, p := range f.Load.Plans {
		switch lag := of(p.LagMS.P99); {
		case lag > limit/lagBudget:
			open = append(open, fmt.Sprintf("%s: petconform itself sent 1 of 100 requests %s late or later; run it on a machine "+
				"that is less busy", p.Plan, lag.Round(time.Millisecond)))
		case p.DueMS.N == 0:
			open = append(open, p.Plan+": no request was accepted under load")
		default:
			all = append(all, times{p.Plan, p.DueMS.N, of(p.DueMS.P99)})
		}
	}
	return all, open
}

// inChecks returns the times of each operation, over the complete responses to a valid key, without 429s. rec may be
// nil.
func inChecks(rec *exchange.Recording) (all []times) {
	if rec == nil {
		return nil
	}
	took := map[spec.Operation][]time.Duration{}
	for _, x := range rec.Exchanges {
		if x.Answered() && !x.Limited() && x.Auth.Valid() {
			took[x.Operation] = append(took[x.Operation], x.Done)
		}
	}
	for _, op := range spec.Operations() {
		if sorted := slices.Sorted(slices.Values(took[op])); len(sorted) > 0 {
			all = append(all, times{string(op), len(sorted), sorted[int(math.Ceil(0.99*float64(len(sorted))))-1]})
		}
	}
	return all
}
