// Package compare compares two judged runs: an earlier one and a later one of one target (Runs), what changed and
// whether the service or the suite caused it; or runs of two targets (Targets), such as staging and production.
package compare

import (
	"slices"
	"time"

	"petconform/spec"
	"petconform/spec/verdict"
)

// Diff is what changed from an older run to a newer one.
type Diff struct {
	Old Side `json:"old"`
	New Side `json:"new"`
	// Claimed says why one of the runs was not judged, so that nothing is compared. Otherwise both were, by the same
	// suite.
	Claimed string `json:"claimed,omitempty"`
	// Decided is how many checks the newer run decided, and Compared how many of these the older one did too.
	Decided, Compared int `json:"-"`

	NewlyFailing []Change `json:"newlyFailing"`
	Fixed        []Change `json:"fixed"`
	// Untested has the failures that rest on requests which the older run did not send, and NotAgain those of the older
	// run that rest on requests which the newer one did not send. Neither shows that the service changed.
	Untested     []Change `json:"notTestedBefore,omitempty"`
	NotAgain     []Change `json:"notTestedAgain,omitempty"`
	StillFailing []Change `json:"stillFailing"`
	// Other has the other changes of verdict, such as a check that no longer ran, or that is no longer inconclusive.
	Other        []Change      `json:"other"`
	Added        []Change      `json:"added"`
	Removed      []Change      `json:"removed"`
	Observations []Observation `json:"observations"`
	Latency      []Latency     `json:"latency"`
	// Remarks say what makes the two runs hard to compare.
	Remarks []string `json:"remarks,omitempty"`
}

// Side names one of the two runs.
type Side struct {
	Run     string      `json:"run"`
	Kind    string      `json:"kind"`
	Verdict verdict.Run `json:"verdict"`
	Build   string      `json:"build,omitempty"`
	Target  string      `json:"target"`
	// Environment is the name of the target's environment, if the run has one.
	Environment string    `json:"environment,omitempty"`
	Tool        string    `json:"tool"`
	Ledger      string    `json:"ledgerDigest"`
	Started     time.Time `json:"started"`
}

// Change is a check whose verdict is another, or that one of the runs does not have.
type Change struct {
	Check        string          `json:"check"`
	Title        string          `json:"title"`
	Requirements []spec.ID       `json:"requirements"`
	Was          verdict.Verdict `json:"was,omitempty"`
	Is           verdict.Verdict `json:"is,omitempty"`
	// Must means that the change breaks or fixes a must.
	Must bool `json:"must"`
}

// Observation is an open question whose answer changed. Was or Is is empty if that run did not observe it.
type Observation struct {
	Requirement spec.ID `json:"requirement"`
	Key         string  `json:"key"`
	Was         string  `json:"was,omitempty"`
	Is          string  `json:"is,omitempty"`
}

// Regressed reports whether a check of a must fails that did not fail before. A check that the older run did not have
// does not count.
func (d Diff) Regressed() bool { return len(d.Regressions()) > 0 }

// Regressions returns the newly failing checks of a must.
func (d Diff) Regressions() []Change {
	var out []Change
	for _, c := range d.NewlyFailing {
		if c.Must {
			out = append(out, c)
		}
	}
	return out
}

// Runs compares two runs that the same suite judged.
func Runs(old, now verdict.Results) Diff {
	d := Diff{Old: side(old), New: side(now),
		NewlyFailing: []Change{}, Fixed: []Change{}, StillFailing: []Change{}, Other: []Change{}, Added: []Change{}, Removed: []Change{}}
	switch {
	case old.Unjudged != "":
		d.Claimed = "the older run is claimed, not judged again: " + old.Unjudged
		return d
	case now.Unjudged != "":
		d.Claimed = "the newer run is claimed, not judged again: " + now.Unjudged
		return d
	}
	plansThen, plansNow := plans(old), plans(now)
	for _, c := range now.Checks {
		was, known := old.Check(c.ID)
		if c.Verdict.Decided() {
			d.Decided++
			if was.Verdict.Decided() {
				d.Compared++
			}
		}
		switch {
		case known:
			d.add(c, was, now)
		case loaded(c, plansThen):
			d.Added = append(d.Added, change(c, "", c.Verdict, now))
		}
	}
	for _, c := range old.Checks {
		if _, kept := now.Check(c.ID); !kept && loaded(c, plansNow) {
			d.Removed = append(d.Removed, change(c, c.Verdict, "", old))
		}
	}
	d.Observations = observations(old.Observations, now.Observations)
	d.Remarks = slices.Concat(remarks(old, now), ordered(old, now), otherPlans(plansThen, plansNow))
	return d
}

// add adds a check to the list for what became of it.
func (d *Diff) add(is, was verdict.Check, now verdict.Results) {
	c := change(is, was.Verdict, is.Verdict, now)
	switch {
	case was.Verdict.Failing() && is.Verdict.Failing():
		d.StillFailing = append(d.StillFailing, c)
	case is.Verdict.Failing():
		d.NewlyFailing = append(d.NewlyFailing, c)
	case was.Verdict.Failing() && is.Verdict == verdict.Passed:
		d.Fixed = append(d.Fixed, c)
	case was.Verdict != is.Verdict:
		d.Other = append(d.Other, c)
	}
}

func change(c verdict.Check, was, is verdict.Verdict, res verdict.Results) Change {
	return Change{Check: c.ID, Title: c.Title, Requirements: c.Requirements, Was: was, Is: is, Must: res.Breaks(c)}
}

func side(r verdict.Results) Side {
	return Side{r.Run, r.Kind, r.Verdict, r.Target.Build, r.Target.URL, r.Target.Environment, r.Tool, r.LedgerDigest, r.Started}
}
