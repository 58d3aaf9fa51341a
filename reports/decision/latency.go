package decision

import (
	"fmt"
	"strings"
	"time"

	"petconform/reports/safe"
	"petconform/spec"
	"petconform/spec/verdict"
)

// lagBudget is how late petconform may send 1 of 100 requests, as a part of the limit: a tenth. Times count from when a
// request was due, so a later sender would be taken for a slow target.
const lagBudget = 10

// latency compares the times of accepted requests of each plan with a limit. They count from when each request was due:
// a frozen target puts off requests, which would not be slow if their times were counted from their sending.
func latency(f Facts) Gate {
	limit := f.Policy.P99
	switch {
	case limit <= 0:
		return unweighed("no limit was set with --p99", false)
	case len(f.Load.Plans) == 0:
		return unweighed("no plan was loaded", true)
	}
	g := Gate{Result: verdict.Passed, Required: true}
	of := func(ms float64) time.Duration {
		return time.Duration(ms * float64(time.Millisecond)).Round(10 * time.Microsecond)
	}
	said := []string{"at most " + limit.String()}
	for _, p := range f.Load.Plans {
		is, text := verdict.Passed, fmt.Sprintf("%s %s (p99 of %s accepted)", p.Plan, of(p.DueMS.P99), spec.Number(p.DueMS.N))
		switch lag := of(p.LagMS.P99); {
		case lag > limit/lagBudget:
			is, text = verdict.Inconclusive, fmt.Sprintf("%s: petconform itself sent 1 of 100 requests %s late or later; run it on a "+
				"machine that is less busy", p.Plan, lag.Round(time.Millisecond))
		case p.DueMS.N == 0:
			is, text = verdict.Inconclusive, p.Plan+": no request was accepted under load"
		case of(p.DueMS.P99) > limit:
			is = verdict.Failed
		}
		if said = append(said, text); g.Result != verdict.Failed && is != verdict.Passed {
			g.Result = is
		}
	}
	g.Measured = safe.Line(strings.Join(said, "; "))
	return g
}
