package decision

import (
	"cmp"
	"strings"
	"time"
)

// Policy is what a release is asked for beyond conformance.
type Policy struct {
	// Check requires a check run, and Load a load run. A run of the kind signoff or load always requires a load.
	Check bool `json:"check,omitempty"`
	Load  bool `json:"load,omitempty"`
	// P99 is the longest time that 99 of 100 accepted requests of each plan may take under load. 0 means no limit.
	P99 time.Duration `json:"p99Ns,omitempty"`
	// Comparison requires an earlier run to compare with.
	Comparison bool `json:"comparison,omitempty"`
	// AcceptPart gives a partial run that holds the exit code 0. The decision is still not RELEASE.
	AcceptPart bool `json:"acceptPart,omitempty"`
}

// SignOff is what every release that people sign is asked for.
var SignOff = Policy{Check: true, Load: true}

// With asks for what either policy asks for.
func (p Policy) With(q Policy) Policy {
	p.Check, p.Load, p.Comparison = p.Check || q.Check, p.Load || q.Load, p.Comparison || q.Comparison
	p.AcceptPart = p.AcceptPart && q.AcceptPart
	if p.P99 == 0 || q.P99 > 0 && q.P99 < p.P99 {
		p.P99 = q.P99
	}
	return p
}

// Gates names the gates by their flags.
func (p Policy) Gates() string {
	words := ""
	if p.P99 > 0 {
		words = " --p99 " + p.P99.String()
	}
	for i, need := range []bool{p.Check, p.Load, p.Comparison} {
		if need {
			words += " --need " + []string{"check", "load", "comparison"}[i]
		}
	}
	return cmp.Or(strings.TrimPrefix(words, " "), "conformance alone")
}
