package compare

import (
	"cmp"
	"slices"
	"time"

	"petconform/load/judge"
	"petconform/reports/safe"
	"petconform/spec/exchange"
	"petconform/spec/verdict"
)

// mostPast is how many earlier runs a trend has: ten runs with the present one.
const mostPast = 9

// History is the chain of runs that ends with old, oldest first: old says which runs were before it, and is then one of
// them.
func History(old verdict.Results, rec *exchange.Recording) []verdict.Past {
	chain := append(slices.Clone(old.History), PastOf(old, rec))
	return chain[max(0, len(chain)-mostPast):]
}

// PastOf is what a trend shows of a run.
func PastOf(res verdict.Results, rec *exchange.Recording) verdict.Past {
	p := verdict.Past{Since: *runOf(res), Word: cmp.Or(res.Word, res.InWords())}
	if p.Claimed = res.Unjudged != ""; p.Claimed {
		p.Word = "claimed, not judged again"
		return p
	}
	for _, r := range res.Requirements {
		if r.Verdict.Failing() && verdict.Counts(r.Level, res.Strict) {
			p.Broken++
		}
	}
	for _, c := range res.Checks {
		if c.Verdict.Failing() {
			p.Failing++
		}
	}
	p.P99MS = float64(Slowest(InChecks(rec)).Took()) / float64(time.Millisecond)
	p.Requests = res.Requests
	load, _ := judge.ParseReport(res.Load)
	for _, l := range load.Plans {
		p.Plans = append(p.Plans, verdict.PastPlan{Plan: safe.Line(l.Plan), PerMinute: l.PerMinute, Most: l.MostInWindow, P99MS: l.AcceptedMS.P99})
	}
	return p
}
