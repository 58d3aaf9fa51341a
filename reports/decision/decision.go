// Package decision decides on a release by gates. It fails closed: a gate whose facts are not known does not hold.
package decision

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"petconform/reports/compare"
	"petconform/reports/waiver"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/verdict"
)

// Word is what a report says of a release.
type Word string

// The four words. A client is no release: there the first three are ClientConforms, ClientWithWaivers and
// ClientDeviates.
const (
	Release            Word = "RELEASE"
	ReleaseWithWaivers Word = "RELEASE WITH WAIVERS"
	DoNotRelease       Word = "DO NOT RELEASE"
	NoVerdict          Word = "NO VERDICT"

	ClientConforms    Word = "CONFORMS"
	ClientWithWaivers Word = "CONFORMS WITH WAIVERS"
	ClientDeviates    Word = "DEVIATES"
)

// ofClient has the word for a client in the place of that for a release.
var ofClient = map[Word]Word{Release: ClientConforms, ReleaseWithWaivers: ClientWithWaivers, DoNotRelease: ClientDeviates,
	NoVerdict: NoVerdict}

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
	// Check requires a check run, and Load a load run. A run of the kind signoff or load always requires a load.
	Check bool `json:"check,omitempty"`
	Load  bool `json:"load,omitempty"`
	// P99 is the longest time that 99 of 100 accepted requests may take, of each plan under load and of each operation
	// in the checks, as far as they were measured. 0 means no limit.
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
	var all []string
	if p.P99 > 0 {
		all = append(all, "--p99 "+p.P99.String())
	}
	if p.Check {
		all = append(all, "--need check")
	}
	if p.Load {
		all = append(all, "--need load")
	}
	if p.Comparison {
		all = append(all, "--need comparison")
	}
	if len(all) == 0 {
		return "conformance alone"
	}
	return strings.Join(all, " ")
}

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
	// Scanned says that every file is searched for keys before it is written.
	Scanned bool
	// WrongUsage says that wrong usage or configuration ended the run.
	WrongUsage bool
}

// Decision is the decision on a release, with the gates that led to it.
type Decision struct {
	Word Word `json:"decision"`
	// Headline is one word with what the run does not cover: "CONFORMS, rate limits not tested". The word is the
	// decision on a sign-off, and where the decision and the verdict of the run differ (see Beside); else it is the
	// verdict.
	Headline string `json:"headline"`
	Sentence string `json:"sentence"`
	// Code is the exit code: 0, 1, 2 or 3.
	Code  int    `json:"exitCode"`
	Gates []Gate `json:"gates"`
}

// Decide applies the gates to the facts.
func Decide(f Facts) Decision {
	d := Decision{Gates: []Gate{valid(f), coverage(f), conformance(f), rateLimits(f), latency(f), comparison(f), waivers(f), secrets(f)}}
	if f.Results.OfClient() {
		d.Gates = []Gate{valid(f), coverage(f), conformance(f), comparison(f), waivers(f), secrets(f)}
	}
	if f.Results.NothingJudged() {
		cannotTell(d.Gates[1:])
	}
	d.Word, d.Code = word(f, d.Gates), code(f, d.Gates)
	d.Headline = headline(f, d)
	d.Sentence = sentence(f, d)
	if f.Results.OfClient() {
		d.Word = ofClient[d.Word]
		d.Headline = string(d.Word)
	}
	return d
}

// cannotTell sets the gates that rest on what was judged in a run that judged nothing. The first gate says why.
func cannotTell(gates []Gate) {
	for i := range gates {
		if g := &gates[i]; g.Name != waiversGate && g.Name != secretsGate && g.Result != NotAsked {
			g.Result, g.Measured = Unknown, nothingJudged
		}
	}
}

const nothingJudged = "nothing was judged"

// Accepted reports whether the run is a part that holds, and was accepted as one (--accept-part).
func (d Decision) Accepted() bool { return d.Word == NoVerdict && d.Code == verdict.ExitConforms }

// partHolds stands in the headline in place of the word.
const partHolds = "PART HOLDS"

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
	case f.Results.Verdict == verdict.NoVerdict && !excused(f.Results):
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

// excused reports whether only inconclusive requirements keep the run from conforming, and waivers excuse all of them.
func excused(res verdict.Results) bool {
	waived := map[spec.ID]bool{}
	for _, r := range res.Requirements {
		waived[r.ID] = r.Verdict == verdict.Waived
	}
	return len(res.Inconclusive) > 0 && !slices.ContainsFunc(res.Inconclusive, func(id spec.ID) bool { return !waived[id] })
}

// code returns the exit code of a run. No other place decides one. A partial run has no verdict, unless --accept-part
// was given and it holds.
func code(f Facts, gates []Gate) int {
	accepted := f.Results.Part != nil && f.Results.Part.Accepted
	switch {
	case f.WrongUsage:
		return verdict.ExitUsage
	case f.Results.Verdict == verdict.NoVerdict && !accepted && !excused(f.Results):
		return verdict.ExitNoVerdict
	case has(gates, Broken):
		return verdict.ExitDeviates
	case has(gates, Unknown), has(gates, Part) && !accepted:
		return verdict.ExitNoVerdict
	}
	return verdict.ExitConforms
}

func sentence(f Facts, d Decision) string {
	switch d.Word {
	case Release:
		return "Every required gate holds: " + scope(f) + "."
	case ReleaseWithWaivers:
		n := 0
		for _, w := range f.Waivers {
			if w.State == waiver.Used {
				n++
			}
		}
		return fmt.Sprintf("Every required gate holds, except for what %s excused: %s.", spec.Count(n, "waiver"), scope(f))
	case DoNotRelease:
		broken := "Broken: " + measured(with(d.Gates, Broken)) + "."
		if f.Results.OfClient() {
			broken += " " + scope(f) + "."
		}
		return broken
	}
	open := with(d.Gates, Unknown)
	switch p := f.Results.Part; {
	case p != nil && p.Accepted && len(open) == 0:
		return p.String() + ". The part was accepted (--accept-part); it is not enough for a release."
	case p != nil && p.Holds && len(open) == 0:
		return p.String() + ". What was not judged may be broken; with --accept-part, a part that holds exits with 0."
	}
	if open = append(open, with(d.Gates, Part)...); len(open) == 0 || f.Results.NothingJudged() {
		return "The run has no verdict: " + f.Results.Reasons.String() + "."
	}
	return "No decision is possible. Open gates: " + measured(open) + "."
}

func measured(gates []Gate) string {
	parts := make([]string, len(gates))
	for i, g := range gates {
		parts[i] = g.Name + " (" + g.Measured + ")"
	}
	return strings.Join(parts, " and ")
}
