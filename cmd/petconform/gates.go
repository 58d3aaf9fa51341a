package main

import (
	"time"

	"petconform/reports"
)

// partFlags says how a partial run ends.
type partFlags struct {
	AcceptPart bool `name:"accept-part" help:"Exit with 0 if a partial run (--only, --skip, --read-only, --quick, --phase; a client that did not meet every must) leaves nothing broken or undecided. Every output still calls it a part."`
}

func (p partFlags) apply(in *reports.Input) { in.Policy.AcceptPart = p.AcceptPart }

// gateFlags say what a release needs beyond conformance.
type gateFlags struct {
	P99  *time.Duration `name:"p99" help:"Gate: 99 of 100 accepted requests take at most this long, of each plan under load and of each operation in the checks. Default: no gate." placeholder:"TIME"`
	Need []string       `name:"need" help:"Gate: what the decision on a release requires: load (a load run), comparison (an earlier run)." enum:"load,comparison" placeholder:"NAME"`
}

// check refuses values that would make a gate without effect.
func (g gateFlags) check() error {
	if g.P99 != nil && *g.P99 <= 0 {
		return usage("--p99 is %s; use a time above 0, like 300ms", *g.P99)
	}
	return nil
}

// apply adds the gates to those of the run, which a report that is written again keeps.
func (g gateFlags) apply(in *reports.Input) {
	if g.P99 != nil {
		in.Policy.P99 = *g.P99
	}
	for _, name := range g.Need {
		in.Policy.Load = in.Policy.Load || name == "load"
		in.Policy.Comparison = in.Policy.Comparison || name == "comparison"
	}
}
