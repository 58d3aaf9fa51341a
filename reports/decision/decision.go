// Package decision decides on a release by gates. It fails closed: a gate whose facts are not known does not pass.
package decision

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"petconform/load/judge"
	"petconform/reports/compare"
	"petconform/reports/waiver"
	"petconform/spec"
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

// Facts is what a decision rests on.
type Facts struct {
	// Results have the waivers applied.
	Results verdict.Results
	// Load is the load block of Results.
	Load judge.Report
	// Recording may be nil.
	Recording *exchange.Recording
	// Diff is nil when there is nothing to compare with.
	Diff    *compare.Diff
	Waivers []waiver.Use
	Policy  Policy
	// WrongUsage says that wrong usage or configuration ended the run.
	WrongUsage bool
}

// Decision is the decision on a release, with the gates that led to it.
type Decision struct {
	Word Word `json:"decision"`
	// Headline says what was tested: CONFORMS for a check, RATE LIMITS HOLD for a load, RELEASE for a sign-off, and what
	// kind of run it was if that is not the usual one. It has no flag.
	Headline string `json:"headline"`
	Sentence string `json:"sentence"`
	// Code is the exit code: 0, 1, 2 or 3.
	Code      int      `json:"exitCode"`
	Gates     []Gate   `json:"gates"`
	NotTested []Reason `json:"notTested,omitempty"`
}

// Decide applies the gates to the facts.
func Decide(f Facts) Decision {
	d := Decision{Gates: gates(f), NotTested: notTested(f)}
	d.Word, d.Code = outcome(f, d.Gates)
	d.Headline, d.Sentence = headline(f, d), sentence(f, d)
	return d
}

// Accepted reports whether the run is a part that holds, and was accepted as one (--accept-part).
func (d Decision) Accepted() bool { return d.Word == NoVerdict && d.Code == verdict.ExitConforms }

// outcome returns the word and the exit code of a run. No other place decides one. A partial run has no verdict; its exit
// code is 0 if it holds and --accept-part was given.
func outcome(f Facts, gates []Gate) (Word, int) {
	accepted := f.Results.Part != nil && f.Results.Part.Accepted
	undecided := f.Results.Verdict == verdict.NoVerdict && !excused(f.Results)
	switch {
	case f.WrongUsage:
		return NoVerdict, verdict.ExitUsage
	case undecided && !accepted:
		return NoVerdict, verdict.ExitNoVerdict
	case has(gates, verdict.Failed):
		return DoNotRelease, verdict.ExitDeviates
	case has(gates, verdict.Inconclusive), has(gates, verdict.NotRun) && !accepted:
		return NoVerdict, verdict.ExitNoVerdict
	case undecided, has(gates, verdict.NotRun):
		return NoVerdict, verdict.ExitConforms
	case has(gates, verdict.Waived):
		return ReleaseWithWaivers, verdict.ExitConforms
	}
	return Release, verdict.ExitConforms
}

// excused reports whether only inconclusive requirements keep the run from conforming, and waivers excuse all of them.
func excused(res verdict.Results) bool {
	return len(res.Inconclusive) > 0 && !slices.ContainsFunc(res.Inconclusive, func(id spec.ID) bool {
		q, _ := res.Requirement(id)
		return q.Verdict != verdict.Waived
	})
}

// headline returns what a person reads first.
func headline(f Facts, d Decision) string {
	r, words := f.Results, wordFor(f, d)
	if strings.Contains(r.Reasons.String(), "the run was aborted") {
		words += ", aborted"
	}
	if day := r.AnotherDay(); day != "" {
		words += ", as of " + day
	}
	if s := f.Load.MinuteS; s > 0 && s != 60 { // production may behave differently
		words += fmt.Sprintf(", on scaled time (a minute lasts %s)", time.Duration(s*float64(time.Second)))
	}
	if r.Target.Reference && !r.OfClient() {
		words += ", of the built-in reference service"
	}
	return words
}

// wordFor returns the word for a run of its kind. A run that deviates in nothing but a gate beyond conformance is told
// not to be released, whatever its kind, and so is a check that is to have a load: a sign-off that ended before its
// load.
func wordFor(f Facts, d Decision) string {
	r := f.Results
	switch beside := d.Beside(r) != ""; {
	case r.Part != nil && !beside:
		return r.InWords()
	case r.Kind == "signoff", d.Word == DoNotRelease && (f.Policy.Load || beside):
		return string(d.Word)
	case d.Word == Release:
		return r.Holds()
	case d.Word == ReleaseWithWaivers:
		return r.Holds() + " WITH WAIVERS"
	case d.Word == DoNotRelease:
		return "DEVIATES"
	}
	return string(d.Word)
}

// said are the verdicts that each word of a decision says too.
var said = map[Word]verdict.Run{Release: verdict.Conforms, DoNotRelease: verdict.Deviates, NoVerdict: verdict.NoVerdict}

// Beside returns the verdict of the run in words, if the decision says something else of the release: because of a
// waiver, or of a gate beyond conformance. Else it returns "", since one word tells both.
func (d Decision) Beside(r verdict.Results) string {
	if of := r.Verdict; of == said[d.Word] || d.Word == NoVerdict && of != verdict.Conforms && of != verdict.Deviates {
		return ""
	}
	return r.InWords()
}

// sentence says what was tested and what came of it.
func sentence(f Facts, d Decision) string {
	open := slices.DeleteFunc(slices.Clone(d.Gates), func(g Gate) bool { return !g.Required || g.Result.Decided() })
	p := f.Results.Part
	switch {
	case d.Word != NoVerdict:
		return tested(f) + "." + beyond(d.Gates)
	case f.Results.NothingJudged(), len(open) == 0:
		return ended("No verdict: " + f.Results.Reasons.String())
	case p != nil && p.Accepted:
		return "A part of the run: " + f.Results.Counted() + ". The part was accepted (--accept-part); it is not enough for a release."
	case p != nil && p.Holds:
		return "A part of the run: " + f.Results.Counted() + ". What was left out may fail; with --accept-part, a part that holds exits with 0."
	case len(f.Results.OwnReasons()) > 0:
		return ended("No verdict: " + f.Results.OwnReasons().String())
	case len(open) > 1 && open[0].Name == d.Gates[0].Name:
		open = open[1:] // the others say why the first one is open
	}
	return "No verdict: " + measured(open) + "."
}

// beyond names the gates that failed and that the counts of the musts do not speak of.
func beyond(gates []Gate) string {
	failed := slices.DeleteFunc(slices.Clone(gates), func(g Gate) bool {
		return g.Result != verdict.Failed || g.Name == rateLimitsGate || g.Name == conformanceGate && !strings.Contains(g.Measured, "deviates")
	})
	if len(failed) == 0 {
		return ""
	}
	return " Failed: " + measured(failed) + "."
}

// ended ends a sentence that may have its own mark.
func ended(s string) string {
	if strings.HasSuffix(s, "?") || strings.HasSuffix(s, ".") {
		return s
	}
	return s + "."
}

// tested counts the musts that were tested, by their results.
func tested(f Facts) string {
	r := f.Results
	by, all := r.Tally()
	musts := verdict.Binding(r.Strict)
	if r.OfClient() {
		musts += " of clients"
	}
	n := by[verdict.Passed] + by[verdict.Failed] + by[verdict.Waived] + by[verdict.Inconclusive]
	text := fmt.Sprintf("%d of %d %s were tested by %s", n, all, musts, r.Traffic())
	if n == by[verdict.Passed] {
		return text + ", and all passed"
	}
	parts := []string{fmt.Sprintf("%d passed", by[verdict.Passed])}
	for _, v := range []verdict.Verdict{verdict.Failed, verdict.Waived, verdict.Inconclusive} {
		if ids := having(r, v); len(ids) > 0 {
			parts = append(parts, fmt.Sprintf("%d %s (%s)", len(ids), v, list(ids)))
		}
	}
	return text + ": " + strings.Join(parts, ", ")
}

func measured(gates []Gate) string {
	parts := make([]string, len(gates))
	for i, g := range gates {
		parts[i] = g.Name + " (" + g.Measured + ")"
	}
	return strings.Join(parts, " and ")
}
