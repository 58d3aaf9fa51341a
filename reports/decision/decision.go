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

// Facts is what a decision rests on.
type Facts struct {
	// Results have the waivers applied.
	Results verdict.Results
	// Load is the load block of Results.
	Load judge.Report
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

// outcomes are the word and the exit code by the worst result of a required gate, worst first.
var outcomes = []struct {
	worst verdict.Verdict
	word  Word
	code  int
}{
	{verdict.Failed, DoNotRelease, verdict.ExitDeviates},
	{verdict.Inconclusive, NoVerdict, verdict.ExitNoVerdict},
	{verdict.NotRun, NoVerdict, verdict.ExitNoVerdict},
	{verdict.Waived, ReleaseWithWaivers, verdict.ExitConforms},
	{verdict.Passed, Release, verdict.ExitConforms},
}

// outcome returns the word and the exit code of a run. No other place decides one. What failed in a run without a
// verdict proves nothing. A partial run has no verdict either; its exit code is 0 if it holds and is accepted.
func outcome(f Facts, gates []Gate) (Word, int) {
	accepted := f.Results.Part != nil && f.Results.Part.Accepted
	if f.WrongUsage {
		return NoVerdict, verdict.ExitUsage
	} else if !accepted && undecided(f.Results) {
		return NoVerdict, verdict.ExitNoVerdict
	}
	for _, o := range outcomes {
		if slices.ContainsFunc(gates, func(g Gate) bool { return g.Required && g.Result == o.worst }) {
			if o.worst == verdict.NotRun && accepted {
				o.code = verdict.ExitConforms
			}
			return o.word, o.code
		}
	}
	return NoVerdict, verdict.ExitNoVerdict
}

// undecided reports whether a run has no verdict, for another reason than inconclusive requirements which waivers
// excuse, all of them.
func undecided(r verdict.Results) bool {
	return r.Verdict != verdict.Conforms && r.Verdict != verdict.Deviates && (len(r.Inconclusive) == 0 ||
		slices.ContainsFunc(r.Inconclusive, func(id spec.ID) bool {
			q, _ := r.Requirement(id)
			return q.Verdict != verdict.Waived
		}))
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

// wordFor returns the word for a run of its kind. A run in which no must fails, but a gate beyond conformance does, is
// told not to be released, whatever its kind, and so is a check that is to have a load: a sign-off that ended before its
// load.
func wordFor(f Facts, d Decision) string {
	r, deviates := f.Results, slices.ContainsFunc(d.Gates, func(g Gate) bool { return g.Result == verdict.Failed && len(g.Broken) > 0 })
	switch part := r.Part != nil; {
	case part && d.Word == NoVerdict && r.Part.Holds:
		return "PART HOLDS"
	case part && d.Word == NoVerdict:
		return "NO VERDICT, PART"
	case part && deviates:
		return "PART DEVIATES"
	case d.Word == NoVerdict, r.Kind == "signoff", d.Word == DoNotRelease && (f.Policy.Load || !deviates):
		return string(d.Word)
	case d.Word == DoNotRelease:
		return "DEVIATES"
	case d.Word == ReleaseWithWaivers:
		return r.Holds() + " WITH WAIVERS"
	}
	return r.Holds()
}

// said are the verdicts that a word says too.
var said = map[Word]verdict.Run{Release: verdict.Conforms, DoNotRelease: verdict.Deviates, NoVerdict: verdict.NoVerdict}

// Beside returns the verdict of the run in words, if the decision says something else of the release: because of a
// waiver, or of a gate beyond conformance. Else it returns "", since one word tells both.
func (d Decision) Beside(r verdict.Results) string {
	if of := r.Verdict; of == said[d.Word] || d.Word == NoVerdict && of != verdict.Conforms && of != verdict.Deviates {
		return ""
	}
	return r.InWords()
}

// sentence says what was tested and what came of it. A gate that failed without a must is named.
func sentence(f Facts, d Decision) string {
	r := f.Results
	open := slices.DeleteFunc(slices.Clone(d.Gates), func(g Gate) bool { return !g.Required || g.Result.Decided() })
	beyond := slices.DeleteFunc(slices.Clone(d.Gates), func(g Gate) bool { return g.Result != verdict.Failed || len(g.Broken) > 0 })
	switch own := r.OwnReasons(); {
	case d.Word != NoVerdict && len(beyond) > 0:
		return tested(r) + ". Failed: " + measured(beyond) + "."
	case d.Word != NoVerdict:
		return tested(r) + "."
	case r.NothingJudged(), len(open) == 0:
		return noVerdict(cmp.Or(own.String(), r.Reasons.String()))
	case r.Part != nil && r.Part.Accepted:
		return "A part of the run: " + r.Counted() + ". The part was accepted (--accept-part); it is not enough for a release."
	case r.Part != nil && r.Part.Holds:
		return "A part of the run: " + r.Counted() + ". What was left out may fail; with --accept-part, a part that holds exits with 0."
	case len(own) > 0:
		return noVerdict(own.String())
	case len(open) > 1 && open[0].Name == d.Gates[0].Name:
		open = open[1:] // the others say why the first one is open
	}
	return noVerdict(measured(open))
}

// noVerdict ends a sentence with why, which may have its own mark.
func noVerdict(why string) string {
	if !strings.HasSuffix(why, "?") {
		why = strings.TrimSuffix(why, ".") + "."
	}
	return "No verdict: " + why
}

// tested counts the musts that were tested, by their results.
func tested(r verdict.Results) string {
	m, musts := mustsOf(r), verdict.Binding(r.Strict)
	if r.OfClient() {
		musts += " of clients"
	}
	_, all := r.Tally()
	n := len(m[verdict.Passed]) + len(m[verdict.Failed]) + len(m[verdict.Waived]) + len(m[verdict.Inconclusive])
	text := fmt.Sprintf("%d of %d %s were tested by %s", n, all, musts, r.Traffic())
	if n == len(m[verdict.Passed]) {
		return text + ", and all passed"
	}
	return text + ": " + m.counted(verdict.Failed, verdict.Waived, verdict.Inconclusive)
}

func measured(gates []Gate) string {
	parts := make([]string, len(gates))
	for i, g := range gates {
		parts[i] = g.Name + " (" + g.Measured + ")"
	}
	return strings.Join(parts, " and ")
}

// Mark is what is shown with a word, so that colour is never the only sign. Class is good, bad, mind (needs attention)
// or none.
type Mark struct{ Glyph, Class string }

var marks = map[any]Mark{
	verdict.Passed: {"✓", "good"}, verdict.Failed: {"✗", "bad"}, verdict.Waived: {"≈", "mind"}, verdict.Inconclusive: {"?", "mind"},
	verdict.NotRun: {"–", "none"}, verdict.Observed: {"○", "none"}, verdict.NotApplicable: {"–", "none"},
	Release: {"✓", "good"}, ReleaseWithWaivers: {"≈", "mind"}, DoNotRelease: {"✗", "bad"}, NoVerdict: {"?", "mind"},
}

// MarkOf returns the mark of a verdict.Verdict or a Word.
func MarkOf(word any) Mark {
	if m, known := marks[word]; known {
		return m
	}
	return Mark{"?", "none"}
}

// Mark is that of the word; that of a part which holds and was accepted is good.
func (d Decision) Mark() Mark {
	if d.Accepted() {
		return MarkOf(verdict.Passed)
	}
	return MarkOf(d.Word)
}
