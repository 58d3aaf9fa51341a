// Package compare compares two judged runs: an earlier one and a later one of one target (Runs), or runs of two targets,
// such as staging and production (Targets). One rule holds for both: what only one of the runs tested is no difference.
package compare

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"petconform/load/judge"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/verdict"
)

// Run is a run to compare.
type Run struct {
	verdict.Results
	// Recording may be nil. Load is the load block of the results.
	Recording *exchange.Recording
	Load      judge.Report
}

// Diff is what changed from an older run to a newer one.
type Diff struct {
	Old Side `json:"old"`
	New Side `json:"new"`
	// Claimed says why one of the runs was not judged, so that nothing is compared. Otherwise both were, by the same
	// suite.
	Claimed string `json:"claimed,omitempty"`
	// Decided is how many checks the newer run decided, and Compared how many of these the older one did too.
	Decided  int `json:"-"`
	Compared int `json:"-"`

	NewlyFailing []Change `json:"newlyFailing"`
	Fixed        []Change `json:"fixed"`
	StillFailing []Change `json:"stillFailing"`
	// Other has the other changes of verdict between two whole runs, such as a check that is inconclusive now.
	Other []Change `json:"other"`
	// NotBefore has the failures that rest on requests which the older run did not send, and NotAgain those of the older
	// run that rest on requests which the newer one did not send. Neither shows that the service changed, so no count
	// has them.
	NotBefore    []Change      `json:"notTestedBefore,omitempty"`
	NotAgain     []Change      `json:"notTestedAgain,omitempty"`
	Observations []Observation `json:"observations"`
	// Times are lines on response times, then and now.
	Times []string `json:"times,omitempty"`
	// Remarks say what makes the two runs hard to compare.
	Remarks []string `json:"remarks,omitempty"`
}

// Side names one of the two runs.
type Side struct {
	Run         string      `json:"run"`
	Verdict     verdict.Run `json:"verdict"`
	Build       string      `json:"build,omitempty"`
	Target      string      `json:"target"`
	Environment string      `json:"environment,omitempty"`
	Started     time.Time   `json:"started"`
}

// Change is a check whose verdict is another, or that fails in both runs.
type Change struct {
	Check        string          `json:"check"`
	Title        string          `json:"title"`
	Requirements []spec.ID       `json:"requirements"`
	Was          verdict.Verdict `json:"was"`
	Is           verdict.Verdict `json:"is"`
	// Must means that the change breaks or fixes a must.
	Must bool `json:"must"`
}

// Observation is an open question that the two runs answer differently.
type Observation struct {
	Requirement spec.ID `json:"requirement"`
	Key         string  `json:"key"`
	Was         string  `json:"was"`
	Is          string  `json:"is"`
}

// Regressions returns the newly failing checks of a must.
func (d Diff) Regressions() (all []Change) {
	for _, c := range d.NewlyFailing {
		if c.Must {
			all = append(all, c)
		}
	}
	return all
}

// Runs compares two runs of one target that the same suite judged.
func Runs(old, now Run) Diff {
	d := Diff{Old: side(old.Results), New: side(now.Results), NewlyFailing: []Change{}, Fixed: []Change{}, StillFailing: []Change{}, Other: []Change{}}
	for i, r := range []Run{old, now} {
		if r.Unjudged != "" {
			d.Claimed = fmt.Sprintf("the %s run is claimed, not judged again: %s", []string{"older", "newer"}[i], r.Unjudged)
			return d
		}
	}
	before, after := sentIn(old.Recording), sentIn(now.Recording)
	for _, is := range now.Checks {
		was, _ := old.Check(is.ID)
		if is.Verdict.Decided() {
			d.Decided++
			if was.Verdict.Decided() {
				d.Compared++
			}
		}
		c := Change{Check: is.ID, Title: is.Title, Requirements: is.Requirements, Was: was.Verdict, Is: is.Verdict, Must: now.Breaks(is)}
		if list := d.listOf(c, before.tested(is, after), after.tested(was, before), whole(old.Results) && whole(now.Results)); list != nil {
			*list = append(*list, c)
		}
	}
	d.Observations = observations(old, now)
	d.Remarks = remarks(old, now)
	d.Times = slices.Concat(times(InChecks(old.Recording), InChecks(now.Recording)), times(UnderLoad(old.Load), UnderLoad(now.Load)))
	return d
}

// listOf returns the list for a change, or nil if nothing changed. before says that the older run sent what fails in
// the newer one, again the opposite.
func (d *Diff) listOf(c Change, before, again, whole bool) *[]Change {
	switch was, is := c.Was, c.Is; {
	case was.Failing() && is.Failing():
		return &d.StillFailing
	case is.Failing() && was == verdict.Passed && before:
		return &d.NewlyFailing
	case is.Failing():
		return &d.NotBefore
	case was.Failing() && is == verdict.Passed && again:
		return &d.Fixed
	case was.Failing():
		return &d.NotAgain
	case was != is && whole && tested(was) && tested(is):
		return &d.Other
	}
	return nil
}

// tested reports whether a run sent what a verdict rests on.
func tested(v verdict.Verdict) bool {
	return v == verdict.Passed || v == verdict.Inconclusive || v == verdict.Observed
}

// whole reports whether a run left nothing out and was not stopped early.
func whole(r verdict.Results) bool {
	return r.Part == nil && (r.Verdict != verdict.NoVerdict || len(r.Inconclusive) > 0)
}

func side(r verdict.Results) Side {
	return Side{r.Run, r.Verdict, r.Target.Build, r.Target.URL, r.Target.Environment, r.Started}
}

// observations returns the open questions that both runs saw an answer to, where the answers differ. A run that sends
// more sees more values of a kind, such as the codes of a 400; these are no difference if the other run saw some of them.
func observations(old, now Run) []Observation {
	out := []Observation{}
	sameSize := old.Recording == nil || now.Recording == nil || old.Recording.Meta.Deep == now.Recording.Meta.Deep && whole(old.Results) == whole(now.Results)
	for _, is := range now.Observations {
		for _, was := range old.Observations {
			if was.Requirement == is.Requirement && was.Key == is.Key && was.Value != is.Value && (sameSize || !someOf(was.Value, is.Value) && !someOf(is.Value, was.Value)) {
				out = append(out, Observation{is.Requirement, is.Key, was.Value, is.Value})
			}
		}
	}
	slices.SortStableFunc(out, func(a, b Observation) int {
		return cmp.Or(cmp.Compare(a.Requirement, b.Requirement), cmp.Compare(a.Key, b.Key))
	})
	return out
}

// someOf reports whether all values of a list are in another one.
func someOf(few, many string) bool {
	all := strings.Split(many, ", ")
	return !slices.ContainsFunc(strings.Split(few, ", "), func(one string) bool { return !slices.Contains(all, one) })
}

// remarks name what else differs between the runs, so that nobody puts it down to the service.
func remarks(old, now Run) (all []string) {
	add := func(differs bool, format string, args ...any) {
		if differs {
			all = append(all, fmt.Sprintf(format, args...))
		}
	}
	add(old.Kind != now.Kind, "one run is of the kind %s, the other one of the kind %s", old.Kind, now.Kind)
	add(old.LedgerDigest != now.LedgerDigest, "the ledgers differ, so the two runs were judged by different statements")
	add(old.Tool != now.Tool, "two versions of petconform made the runs: %s and %s", old.Tool, now.Tool)
	add(old.Strict != now.Strict, "one of the runs is strict (should counts as must), the other is not")
	add(now.Started.Before(old.Started) && OneTarget(old.Target, now.Target), "the newer run started before the older one")
	for _, p := range plansOf(old, now) {
		add(true, "the older run loaded the plan %s, and the newer one did not", p)
	}
	for _, p := range plansOf(now, old) {
		add(true, "the newer run loaded the plan %s, and the older one did not", p)
	}
	return all
}

// plansOf are the plans that one run loaded and the other one did not.
func plansOf(one, other Run) (names []string) {
	for _, p := range one.Load.Plans {
		if !slices.ContainsFunc(other.Load.Plans, func(q judge.PlanReport) bool { return q.Plan == p.Plan }) {
			names = append(names, p.Plan)
		}
	}
	return names
}

// OneTarget reports whether two runs are of one target: its address or its environment has the same name in both, or
// both are of the built-in reference service, whose port is another in each run.
func OneTarget(a, b verdict.Target) bool {
	return a.URL == b.URL || a.Environment == b.Environment && a.Environment != "" || a.Reference && b.Reference
}
