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

// outcome returns the word and the exit code of a run, by the worst result of a required gate. No other place decides
// one. What failed in a run without a verdict proves nothing. A partial run has no verdict either; its exit code is 0
// if it holds and is accepted.
func outcome(f Facts, gates []Gate) (Word, int) {
	accepted := f.Results.Part != nil && f.Results.Part.Accepted
	has := func(v verdict.Verdict) bool {
		return slices.ContainsFunc(gates, func(g Gate) bool { return g.Required && g.Result == v })
	}
	switch {
	case f.WrongUsage:
		return NoVerdict, verdict.ExitUsage
	case !accepted && undecided(f.Results):
	case has(verdict.Failed):
		return DoNotRelease, verdict.ExitDeviates
	case has(verdict.Inconclusive):
	case has(verdict.NotRun) && accepted:
		return NoVerdict, verdict.ExitConforms
	case has(verdict.NotRun):
	case has(verdict.Waived):
		return ReleaseWithWaivers, verdict.ExitConforms
	case has(verdict.Passed):
		return Release, verdict.ExitConforms
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
	case d.holds(r):
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

// holds reports whether the run is a part that leaves nothing broken or undecided, by no gate either.
func (d Decision) holds(r verdict.Results) bool {
	undecided := func(g Gate) bool { return g.Required && g.Result == verdict.Inconclusive }
	return r.Part != nil && d.Word == NoVerdict && r.Part.Holds && !slices.ContainsFunc(d.Gates, undecided)
}

// sentence says what was tested and what came of it. A gate that failed without a must is named.
func sentence(f Facts, d Decision) string {
	r := f.Results
	open := d.measured(func(g Gate) bool { // the others say why the first one is open
		return g.Required && !g.Result.Decided() && g.Name != rules[0].name
	})
	beyond := d.measured(func(g Gate) bool { return g.Result == verdict.Failed && len(g.Broken) == 0 })
	why := strings.Join(open, " and ")
	switch own := r.OwnReasons(); {
	case d.Word != NoVerdict && len(beyond) > 0:
		return tested(r) + ". Failed: " + strings.Join(beyond, " and ") + "."
	case d.Word != NoVerdict:
		return tested(r) + "."
	case d.holds(r):
		return "A part of the run: " + r.Counted() + ". A part is not enough for a release; with --accept-part, one that " +
			"holds exits with 0."
	case r.NothingJudged(), len(own) > 0, len(open) == 0:
		why = cmp.Or(own.String(), r.Reasons.String())
	}
	if why = strings.TrimSuffix(why, "."); !strings.HasSuffix(why, "?") {
		why += "."
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

func (d Decision) measured(selected func(Gate) bool) (all []string) {
	for _, g := range d.Gates {
		if selected(g) {
			all = append(all, g.Name+" ("+g.Measured+")")
		}
	}
	return all
}

// Mark is what is shown with a word, so that colour is never the only sign. Class is good, bad, mind (needs attention)
// or none.
type Mark struct{ Glyph, Class string }

var marks = map[any]Mark{
	verdict.Passed: {"✓", "good"}, verdict.Failed: {"✗", "bad"}, verdict.Waived: {"≈", "mind"}, verdict.Inconclusive: {"?", "mind"},
	verdict.NotRun: {"–", "none"}, verdict.Observed: {"○", "none"}, verdict.NotApplicable: {"–", "none"},
	Release: {"✓", "good"}, ReleaseWithWaivers: {"≈", "mind"}, DoNotRelease: {"✗", "bad"}, NoVerdict: {"?", "mind"},
}

// Shown is a verdict in the five words for a person, and observed.
func Shown(v verdict.Verdict) verdict.Verdict {
	if v == verdict.NotApplicable {
		return verdict.NotRun
	}
	return v
}

// MarkOf returns the mark of a verdict.Verdict or a Word.
func MarkOf(word any) Mark { return cmp.Or(marks[word], Mark{"?", "none"}) }

// Mark is that of the word; that of a part which holds and was accepted is good.
func (d Decision) Mark() Mark {
	if d.Accepted() {
		return MarkOf(verdict.Passed)
	}
	return MarkOf(d.Word)
}
