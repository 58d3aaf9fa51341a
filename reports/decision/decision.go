// Package decision weighs a run against the gates of a release. It fails closed: what is not known is not held.
package decision

import (
	"fmt"
	"strings"
	"time"

	"petconform/reports/compare"
	"petconform/reports/plain"
	"petconform/reports/waiver"
	"petconform/spec/exchange"
	"petconform/spec/verdict"
)

// Word is what a report says of a release.
type Word string

// The four words.
const (
	Release            Word = "RELEASE"
	ReleaseWithWaivers Word = "RELEASE WITH WAIVERS"
	DoNotRelease       Word = "DO NOT RELEASE"
	NoVerdict          Word = "NO VERDICT"
)

// Result is what is said of a gate.
type Result string

// The results of a gate. Part is a run that leaves something out by choice: no release rests on it, but it is no fault.
const (
	Holds    Result = "holds"
	Excused  Result = "waived"
	Broken   Result = "broken"
	Unknown  Result = "cannot tell"
	Part     Result = "part only"
	NotAsked Result = "not asked"
)

// Gate is one rule that a release has to pass.
type Gate struct {
	// Name is the same in every report, so that a history of gates can be kept.
	Name     string `json:"name"`
	Rule     string `json:"rule"`
	Limit    string `json:"limit"`
	Measured string `json:"measured"`
	Result   Result `json:"result"`
}

// Policy is what a release is asked for beyond conformance.
type Policy struct {
	// Load says that a release needs the rate limits proved. A run of the kind signoff or load always does.
	Load bool `json:"load,omitempty"`
	// P99 is the longest that 99 of 100 accepted requests may take; 0 asks for nothing.
	P99 time.Duration `json:"p99Ns,omitempty"`
	// P99Of says where that is measured: under load on each plan, in the checks on each operation. Empty means wherever
	// something was measured.
	P99Of Where `json:"p99Of,omitempty"`
	// Comparison says that a release needs an earlier run to be compared with.
	Comparison bool `json:"comparison,omitempty"`
}

// Where says which requests are timed.
type Where string

// The places. A load has thousands of answers of one operation, the checks have a few of each.
const (
	Anywhere  Where = ""
	UnderLoad Where = "load"
	InChecks  Where = "checks"
)

// Facts is what a decision rests on.
type Facts struct {
	// Results have the waivers applied.
	Results verdict.Results
	// Recording may be nil.
	Recording *exchange.Recording
	// Diff is nil when there is nothing to compare with.
	Diff    *compare.Diff
	Waivers []waiver.Use
	Policy  Policy
	// Scanned says that everything that is written is looked through for keys first; a report with one in it is not written.
	Scanned bool
}

// Decision is a word, the sentence that goes with it and the gates that it comes from.
type Decision struct {
	Word     Word   `json:"decision"`
	Sentence string `json:"sentence"`
	// Code is the exit code that tells it.
	Code  int    `json:"exitCode"`
	Gates []Gate `json:"gates"`
}

// Decide weighs the facts.
func Decide(f Facts) Decision {
	d := Decision{Gates: []Gate{valid(f), coverage(f), conformance(f), rateLimits(f), latency(f), comparison(f), waivers(f), secrets(f)}}
	d.Word = word(f, d.Gates)
	d.Sentence = sentence(f, d)
	d.Code = code(f, d.Gates)
	return d
}

func has(gates []Gate, r Result) bool { return len(with(gates, r)) > 0 }

func with(gates []Gate, r Result) []Gate {
	var out []Gate
	for _, g := range gates {
		if g.Result == r {
			out = append(out, g)
		}
	}
	return out
}

func word(f Facts, gates []Gate) Word {
	switch {
	case f.Results.Verdict == verdict.NoVerdict:
		return NoVerdict
	case has(gates, Broken):
		return DoNotRelease
	case has(gates, Unknown), has(gates, Part):
		return NoVerdict
	case has(gates, Excused):
		return ReleaseWithWaivers
	}
	return Release
}

// code is 0 also for a part that was asked for: whoever runs one check while mending it wants to know of that check.
func code(f Facts, gates []Gate) int {
	switch {
	case f.Results.Verdict == verdict.NoVerdict:
		return verdict.ExitNoVerdict
	case has(gates, Broken):
		return verdict.ExitDeviates
	case has(gates, Unknown):
		return verdict.ExitNoVerdict
	}
	return verdict.ExitConforms
}

func sentence(f Facts, d Decision) string {
	switch d.Word {
	case Release:
		return "Every gate that was asked holds: " + scope(f) + "."
	case ReleaseWithWaivers:
		n := 0
		for _, w := range f.Waivers {
			if w.State == waiver.Used {
				n++
			}
		}
		return fmt.Sprintf("Every gate that was asked holds, but for what %s excused: %s.", plain.Count(n, "waiver"), scope(f))
	case DoNotRelease:
		return "Broken: " + tell(with(d.Gates, Broken)) + "."
	}
	open := append(with(d.Gates, Unknown), with(d.Gates, Part)...)
	if len(open) == 0 {
		return "The run says of itself that it cannot tell: " + strings.Join(f.Results.Reasons, "; ") + "."
	}
	return "Nothing can be said for a release: " + tell(open) + "."
}

func tell(gates []Gate) string {
	parts := make([]string, len(gates))
	for i, g := range gates {
		parts[i] = g.Name + " (" + g.Measured + ")"
	}
	return strings.Join(parts, " and ")
}

// scope says how far the word reaches: without load phases it says nothing of the rate limits.
func scope(f Facts) string {
	n := tally(f.Results)
	words := fmt.Sprintf("%d of %d musts are shown to hold", n.passed, n.bound)
	switch open := len(n.loadOpen); {
	case open > 0 && loaded(f):
		words += "; not shown under load: " + list(n.loadOpen)
	case open > 0:
		words += fmt.Sprintf("; %d wait for a load run", open)
	}
	if len(n.unread) > 0 {
		words += fmt.Sprintf("; nothing came to read %s from", list(n.unread))
	}
	if n.inconclusive > 0 {
		words += fmt.Sprintf("; %d are inconclusive", n.inconclusive)
	}
	return words
}
