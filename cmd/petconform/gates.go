package main

import (
	"time"

	"petconform/reports"
	"petconform/reports/decision"
)

// gateFlags say what a release needs beyond conformance.
type gateFlags struct {
	P99   *time.Duration `name:"p99" help:"Gate: 99 of 100 accepted requests take at most this long. Default: no gate." placeholder:"TIME"`
	P99Of string         `name:"p99-of" help:"Where to measure --p99: load (each plan), checks (each operation), or any (all that ran)." enum:"load,checks,any" default:"any"`
	Need  []string       `name:"need" help:"Gate: what the decision on a release requires: load (a load run), comparison (an earlier run)." enum:"load,comparison" placeholder:"NAME"`
}

// check refuses values that would make a gate without effect.
func (g gateFlags) check() error {
	switch {
	case g.P99 != nil && *g.P99 <= 0:
		return usage("--p99 is %s; use a time above 0, like 300ms", *g.P99)
	case g.P99 == nil && g.P99Of != "any":
		return usage("--p99-of %s says where to measure a time, but --p99 has to say which time; add a --p99 like 300ms", g.P99Of)
	}
	return nil
}

// apply adds the gates to those of the run, which a report that is written again keeps.
func (g gateFlags) apply(in *reports.Input) {
	if g.P99 != nil {
		in.Policy.P99, in.Policy.P99Of = *g.P99, decision.Where(g.P99Of)
		if g.P99Of == "any" {
			in.Policy.P99Of = decision.Anywhere
		}
	}
	for _, name := range g.Need {
		in.Policy.Load = in.Policy.Load || name == "load"
		in.Policy.Comparison = in.Policy.Comparison || name == "comparison"
	}
}
