package decision

import (
	"fmt"
	"strings"
	"time"

	"petconform/reports/compare"
	"petconform/reports/safe"
	"petconform/spec"
	"petconform/spec/verdict"
)

// latency compares the times of accepted requests with a limit: those of the slowest plan under load, and of the
// slowest operation in the checks.
func latency(f Facts) Gate {
	g := Gate{Name: "latency", Rule: "99 of 100 accepted requests are answered in time, for each plan under load and each operation in the checks.",
		Limit: "none set", Measured: "no limit was set with --p99", Result: verdict.NotRun}
	if f.Policy.P99 <= 0 {
		return g
	}
	g.Limit, g.Result, g.Required = "at most "+f.Policy.P99.String(), verdict.Passed, true
	late := sentLate(f)
	var measured []string
	for _, slowest := range []struct {
		where string
		late  bool
		compare.Times
	}{{"under load", late != "", compare.Slowest(compare.UnderLoad(f.Load))}, {"in the checks", false, compare.Slowest(compare.InChecks(f.Recording))}} {
		if slowest.N == 0 {
			continue
		}
		what := "p99"
		if slowest.N < 100 { // of so few, the 99th percentile is the slowest
			what = "the slowest"
		}
		measured = append(measured, fmt.Sprintf("%s %s (%s, %s of %s accepted)", slowest.where, slowest.Took(),
			safe.Line(slowest.Of), what, spec.Number(slowest.N)))
		if time.Duration(slowest.P99*float64(time.Millisecond)) > f.Policy.P99 && !slowest.late {
			g.Result = verdict.Failed
		}
	}
	missing := unmeasured(f)
	if missing == "" && len(measured) == 0 {
		missing = "no accepted request was measured"
	}
	for _, why := range []string{late, missing} {
		if why == "" {
			continue
		}
		if g.Result == verdict.Passed {
			g.Result = verdict.Inconclusive
		}
		measured = append(measured, safe.Line(why))
	}
	g.Measured = strings.Join(measured, "; ")
	return g
}

// lagBudget is how late petconform may send 1 of 100 requests, as a part of the limit: a tenth. Times count from when a
// request was due, so a later sender would be taken for a slow target.
const lagBudget = 10

// sentLate says that the machine of the load was too slow for its times to prove anything.
func sentLate(f Facts) string {
	for _, p := range f.Load.Plans {
		if lag := time.Duration(p.LagMS.P99 * float64(time.Millisecond)); lag > f.Policy.P99/lagBudget {
			return fmt.Sprintf("%s: petconform itself sent 1 of 100 requests %s late or later; run it on a machine that is less busy",
				p.Plan, lag.Round(time.Millisecond))
		}
	}
	return ""
}

// unmeasured says what a load should have measured and did not.
func unmeasured(f Facts) (missing string) {
	switch {
	case f.BadLoad != nil:
		return f.BadLoad.Error()
	case f.Load.Schema != "" && len(f.Load.Plans) == 0:
		return "no plan was loaded"
	}
	for _, p := range f.Load.Plans {
		if p.AcceptedMS.N == 0 {
			missing = p.Plan + ": no request was accepted under load"
		}
	}
	return missing
}
