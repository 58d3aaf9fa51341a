package decision

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"petconform/load/judge"
	"petconform/reports/compare"
	"petconform/reports/safe"
	"petconform/spec"
	"petconform/spec/verdict"
)

// latency compares the times of accepted requests with a limit: those of the slowest plan under load, and of the
// slowest operation in the checks.
func latency(f Facts) Gate {
	g := Gate{Name: "latency", Rule: "99 of 100 accepted requests are answered in time, for each plan under load and each operation in the checks.",
		Limit: "none set", Measured: "no limit was set with --p99", Result: NotAsked}
	if f.Policy.P99 <= 0 {
		return g
	}
	g.Limit, g.Result = "at most "+f.Policy.P99.String(), Holds
	late := sentLate(f.Results, f.Policy.P99)
	var measured []string
	for _, slowest := range []struct {
		where string
		compare.Times
	}{{"under load", compare.Slowest(compare.UnderLoad(f.Results))}, {"in the checks", compare.Slowest(compare.InChecks(f.Recording))}} {
		if slowest.N == 0 {
			continue
		}
		what := "p99"
		if slowest.N < 100 { // of so few, the 99th percentile is the slowest
			what = "the slowest"
		}
		measured = append(measured, fmt.Sprintf("%s %s (%s, %s of %s accepted)", slowest.where, slowest.Took(),
			safe.Line(cmp.Or(slowest.Plan, string(slowest.Operation))), what, spec.Number(slowest.N)))
		if time.Duration(slowest.P99*float64(time.Millisecond)) > f.Policy.P99 && (late == "" || slowest.Plan == "") {
			g.Result = Broken
		}
	}
	if late != "" {
		measured = append(measured, safe.Line(late))
		if g.Result == Holds {
			g.Result = Unknown
		}
	}
	if missing := unmeasured(f.Results); missing != "" || len(measured) == 0 {
		if g.Result == Holds {
			g.Result = Unknown
		}
		measured = append(measured, safe.Line(cmp.Or(missing, "no accepted request was measured")))
	}
	g.Measured = strings.Join(measured, "; ")
	return g
}

// lagBudget is how late petconform may send 1 of 100 requests, as a part of the limit: a tenth. Times count from when a
// request was due, so a later sender would be taken for a slow target.
const lagBudget = 10

// sentLate says that the machine of the load was too slow for its times to prove anything.
func sentLate(res verdict.Results, limit time.Duration) string {
	r, _ := judge.ParseReport(res.Load) // unmeasured reports the error
	for _, p := range r.Plans {
		if lag := time.Duration(p.LagMS.P99 * float64(time.Millisecond)); lag > limit/lagBudget {
			return fmt.Sprintf("cannot tell: %s: petconform itself sent 1 of 100 requests %s late or later; run it on a machine that is less busy",
				p.Plan, lag.Round(time.Millisecond))
		}
	}
	return ""
}

// unmeasured says what a load should have measured and did not.
func unmeasured(res verdict.Results) (missing string) {
	r, err := judge.ParseReport(res.Load)
	switch {
	case err != nil:
		return err.Error()
	case r.Schema == "": // no load
		return ""
	case len(r.Plans) == 0:
		return "no plan was loaded"
	}
	for _, p := range r.Plans {
		if p.AcceptedMS.N == 0 {
			missing = p.Plan + ": no request was accepted under load"
		}
	}
	return missing
}
