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
		if time.Duration(slowest.P99*float64(time.Millisecond)) > f.Policy.P99 {
			g.Result = Broken
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
