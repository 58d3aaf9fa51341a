// Package compare compares two judged runs, requirement by requirement: an earlier one and a later one of one target
// (Runs), or runs of two targets, such as production and staging (Targets). One rule holds for both: what only one of
// the runs tested is no difference.
package compare

import (
	"fmt"
	"slices"
	"strings"

	"petconform/spec/exchange"
	"petconform/spec/verdict"
)

// Run is a run to compare.
type Run struct {
	verdict.Results
	// Recording may be nil.
	Recording *exchange.Recording
}

// Diff is what changed from an older run to a newer one, or what distinguishes the target to release (New) from the one
// to compare with (Old).
type Diff struct {
	Old, New verdict.Results
	// Decided is how many musts the newer run decided, and Compared how many of these the older one did too.
	Decided, Compared int
	// Changes are in the order of the kinds.
	Changes []Change
	// Observations are the newer run's answers to open questions, where the older one saw another.
	Observations []Row
	// Verdict is that of SERVICE-5, production and staging behave alike; "" for runs of one target. Why says why it is
	// inconclusive.
	Verdict verdict.Verdict
	Why     string
}

// Kind is what became of a requirement.
type Kind string

// The kinds of changes. NotBefore are failures that rest on requests which the older run did not send, and NotAgain
// those of the older run that rest on requests which the newer one did not send. Neither shows that the service changed,
// so no count has them.
const (
	NewlyFailing Kind = "newly failing"
	Fixed        Kind = "fixed"
	StillFailing Kind = "still failing"
	NotBefore    Kind = "fails now, not tested before"
	NotAgain     Kind = "failed before, not tested now"
	Doubtful     Kind = "passed before, inconclusive now"
)

// Change is a requirement, as the newer run has it, whose verdict is another or that fails in both runs.
type Change struct {
	Kind Kind
	verdict.Requirement
	Was verdict.Verdict
	// Must means that the change breaks or fixes a must.
	Must bool
}

// Of returns the changes of a kind.
func (d Diff) Of(k Kind) []Change {
	return slices.DeleteFunc(slices.Clone(d.Changes), func(c Change) bool { return c.Kind != k })
}

// Regressions returns the musts that fail newly.
func (d Diff) Regressions() []Change {
	return slices.DeleteFunc(d.Of(NewlyFailing), func(c Change) bool { return !c.Must })
}

// Runs compares two runs of one target that the same suite judged.
func Runs(old, now Run) Diff {
	d := Diff{Old: old.Results, New: now.Results, Observations: observations(old.Results, now.Results)}
	before, after := sentIn(old.Recording), sentIn(now.Recording)
	whole := whole(old.Results) && whole(now.Results)
	for _, q := range now.Requirements {
		p, _ := old.Requirement(q.ID)
		c := Change{Requirement: q, Was: p.Verdict, Must: verdict.Counts(q.Level, now.Strict)}
		if c.Must && q.Verdict.Decided() {
			d.Decided++
			if c.Was.Decided() {
				d.Compared++
			}
		}
		is, was := casesOf(q.ID, now.Results), casesOf(q.ID, old.Results)
		if c.Kind = kindOf(c.Was, q.Verdict, before.tested(is, after), after.tested(was, before), whole); c.Kind != "" {
			d.Changes = append(d.Changes, c)
		}
	}
	slices.SortStableFunc(d.Changes, func(a, b Change) int { return order(a.Kind) - order(b.Kind) })
	return d
}

// kindOf returns the kind of a change, or "" if nothing changed. before says that the older run sent what fails in the
// newer one, again the opposite.
func kindOf(was, is verdict.Verdict, before, again, whole bool) Kind {
	switch {
	case was.Failing() && is.Failing():
		return StillFailing
	case is.Failing() && was == verdict.Passed && before:
		return NewlyFailing
	case is.Failing():
		return NotBefore
	case was.Failing() && is == verdict.Passed && again:
		return Fixed
	case was.Failing():
		return NotAgain
	case whole && was == verdict.Passed && is == verdict.Inconclusive:
		return Doubtful
	}
	return ""
}

// Targets compares the run of a target to release, such as staging, with that of another one, such as production. A must
// that only the first one breaks breaks SERVICE-5. What only the second one breaks fails nothing: the release that fixes
// it has to pass.
func Targets(first, second Run) Diff {
	d := Runs(second, first)
	for i, r := range []Run{second, first} {
		if r.Verdict == verdict.NoVerdict && (r.Part == nil || !r.Part.Accepted) {
			d.Verdict = verdict.Inconclusive
			d.Why = fmt.Sprintf("the %s run has no verdict (%s)", []string{"second", "first"}[i], r.Word)
		}
	}
	open := slices.IndexFunc(d.Changes, func(c Change) bool {
		return c.Must && (c.Kind == NotBefore || c.Kind == Doubtful)
	})
	switch {
	case d.Verdict != "":
	case len(d.Regressions()) > 0:
		d.Verdict = verdict.Failed
	case open >= 0:
		d.Verdict, d.Why = verdict.Inconclusive, fmt.Sprintf("%s was not decided at both targets", d.Changes[open].ID)
	case d.Compared == 0:
		d.Verdict, d.Why = verdict.Inconclusive, "the two runs decided no must in common"
	default:
		d.Verdict = verdict.Passed
	}
	return d
}

// whole reports whether a run left nothing out and was not stopped early.
func whole(r verdict.Results) bool {
	return r.Part == nil && (r.Verdict != verdict.NoVerdict || len(r.Inconclusive) > 0)
}

// observations returns the open questions that both runs saw an answer to, where the answers differ. A run that sends
// more sees more values of a kind, such as the codes of a 400; these are no difference if the other run saw some of
// them.
func observations(old, now verdict.Results) (all []Row) {
	for _, is := range now.Observations {
		for _, was := range old.Observations {
			if was.Requirement == is.Requirement && was.Key == is.Key &&
				!someOf(was.Value, is.Value) && !someOf(is.Value, was.Value) {
				all = append(all, Row{is.Requirement, "(open): " + is.Key, was.Value, is.Value})
			}
		}
	}
	return all
}

func someOf(few, many string) bool {
	all := strings.Split(many, ", ")
	return !slices.ContainsFunc(strings.Split(few, ", "), func(one string) bool { return !slices.Contains(all, one) })
}

// OneTarget reports whether two runs are of one target: its address or its environment has the same name in both, or
// both are of the built-in reference service, whose port is another in each run.
func OneTarget(a, b verdict.Target) bool {
	return a.URL == b.URL || a.Environment == b.Environment && a.Environment != "" || a.Reference && b.Reference
}
