package main

import (
	"time"

	"petconform/reports"
	"petconform/reports/decision"
)

// gateFlags say what a release is asked for beyond conformance.
type gateFlags struct {
	P99   time.Duration `name:"p99" help:"Gate: longest time for 99 of 100 accepted requests. Default: none." placeholder:"TIME"`
	P99Of string        `name:"p99-of" help:"Where --p99 is measured: load (each plan), checks (each operation), or any, both where both were run." enum:"load,checks,any" default:"any"`
	Need  []string      `name:"need" help:"Gate: what a release needs, or there is no verdict: load, comparison." enum:"load,comparison" placeholder:"NAME"`
}

// check refuses what would be a gate that nothing is held against.
func (g gateFlags) check() error {
	switch {
	case g.P99 < 0:
		return usage("--p99 %s: a time like 300ms is wanted", g.P99)
	case g.P99 == 0 && g.P99Of != "any":
		return usage("--p99-of %s says where a time is measured; --p99 has to say which time", g.P99Of)
	}
	return nil
}

// apply adds the gates to those that the run was made with already: a report that is written again keeps them.
func (g gateFlags) apply(in *reports.Input) {
	if g.P99 > 0 {
		in.Policy.P99, in.Policy.P99Of = g.P99, decision.Where(g.P99Of)
		if g.P99Of == "any" {
			in.Policy.P99Of = decision.Anywhere
		}
	}
	for _, name := range g.Need {
		in.Policy.Load = in.Policy.Load || name == "load"
		in.Policy.Comparison = in.Policy.Comparison || name == "comparison"
	}
}
