package decision

import (
	"cmp"
	"fmt"
	"time"

	"petconform/load/judge"
	"petconform/reports/compare"
	"petconform/reports/safe"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/verdict"
)

// timing is the 99th percentile of the times of n accepted requests.
type timing struct {
	// where says which requests they were, of a plan or an operation.
	where, of string
	took      time.Duration
	n         int
}

// String describes a timing. If there are fewer than a hundred responses, it calls the 99th percentile the slowest, which it is.
func (t timing) String() string {
	what := "p99"
	if t.n < 100 {
		what = "the slowest"
	}
	return fmt.Sprintf("%s %s (%s, %s of %s accepted)", t.where, t.took.Round(10*time.Microsecond), safe.Line(t.of), what, spec.Number(t.n))
}

// latency compares the times of accepted requests with a limit: those of the slowest plan under load, and of the slowest
// operation in the checks.
func latency(f Facts) Gate {
	g := Gate{Name: "latency", Rule: "99 of 100 accepted requests are answered in time, for each plan under load and each operation in the checks.",
		Limit: "none set", Measured: "no limit was set with --p99", Result: NotAsked}
	if f.Policy.P99 <= 0 {
		return g
	}
	g.Limit = "at most " + f.Policy.P99.String()
	all, missing := timings(f)
	g.Result, g.Measured = Holds, ""
	for _, t := range all {
		g.Measured += t.String() + "; "
		if t.took > f.Policy.P99 {
			g.Result = Broken
		}
	}
	if missing != "" || len(all) == 0 {
		if g.Result == Holds {
			g.Result = Unknown
		}
		g.Measured += safe.Line(cmp.Or(missing, "no accepted request was measured")) + "; "
	}
	g.Measured = g.Measured[:len(g.Measured)-len("; ")]
	return g
}

// timings returns the slowest plan and the slowest operation that were measured, and what a load run should have measured and did not.
func timings(f Facts) (all []timing, missing string) {
	if len(f.Results.Load) > 0 && string(f.Results.Load) != "null" {
		t, none := underLoad(f.Results)
		if t.n > 0 {
			all = append(all, t)
		}
		missing = none
	}
	if t := inChecks(f.Recording); t.n > 0 {
		all = append(all, t)
	}
	return all, missing
}

// underLoad returns the slowest plan. It is unknown if a plan has no accepted request, or if the load cannot be read.
func underLoad(res verdict.Results) (worst timing, missing string) {
	r, err := judge.ParseReport(res.Load)
	if err != nil {
		return worst, err.Error()
	}
	for _, p := range r.Plans {
		if p.AcceptedMS.N == 0 {
			missing = p.Plan + ": no request was accepted under load"
			continue
		}
		took := time.Duration(p.AcceptedMS.P99 * float64(time.Millisecond))
		if took >= worst.took {
			worst = timing{"under load", p.Plan, took, p.AcceptedMS.N}
		}
	}
	if len(r.Plans) == 0 {
		missing = "no plan was loaded"
	}
	return worst, missing
}

// inChecks returns the slowest operation.
func inChecks(rec *exchange.Recording) timing {
	op, took, n := compare.Slowest(rec)
	return timing{"in the checks", string(op), took, n}
}
