package compare

import (
	"cmp"
	"fmt"
	"slices"

	"petconform/spec"
	"petconform/spec/verdict"
)

// Drift is how two targets differ, as two runs show it: what decides SERVICE-5, production and staging behave alike.
type Drift struct {
	First  Side `json:"first"`
	Second Side `json:"second"`
	// Verdict is that of SERVICE-5. Why says why there is none.
	Verdict verdict.Verdict `json:"verdict"`
	Why     string          `json:"why,omitempty"`
	// Compared is how many musts both runs decided.
	Compared int `json:"compared"`
	// Failed has what only the first target breaks. A must of these breaks SERVICE-5.
	Failed []Unlike `json:"failed"`
	// Elsewhere has what only the second target breaks. It fails nothing: the release that fixes it has to pass.
	Elsewhere []Unlike `json:"failedElsewhere"`
	// Undecided has what the first target may break and the second one keep: one of the runs did not test it.
	Undecided []Unlike `json:"undecided"`
	// Observations are open questions that the two answer differently, which the interface allows.
	Observations []Observation `json:"observations"`
	Remarks      []string      `json:"remarks,omitempty"`
}

// Unlike is a requirement with its verdicts at the two targets, and what broke it at one of them.
type Unlike struct {
	ID        spec.ID         `json:"id"`
	Level     spec.Level      `json:"level"`
	Statement string          `json:"statement"`
	First     verdict.Verdict `json:"first"`
	Second    verdict.Verdict `json:"second"`
	Shown     string          `json:"shown,omitempty"`
}

// Targets compares runs of two targets. A requirement differs only if both runs sent what shows the failure: a quick run
// sends fewer values than a full one.
func Targets(first, second Run) Drift {
	d := Drift{First: side(first.Results), Second: side(second.Results), Failed: []Unlike{}, Elsewhere: []Unlike{}, Undecided: []Unlike{},
		Observations: observations(first, second), Remarks: remarks(first, second)}
	here, there := sentIn(first.Recording), sentIn(second.Recording)
	for _, q := range first.Requirements {
		p, _ := second.Requirement(q.ID)
		u := Unlike{ID: q.ID, Level: q.Level, Statement: q.Statement, First: q.Verdict, Second: p.Verdict}
		if q.Level == spec.Must && q.Verdict.Decided() && p.Verdict.Decided() {
			d.Compared++
		}
		fails, reason := failure(q.ID, first.Results)
		switch sent := there.tested(fails, here); {
		case q.Verdict.Failing() && p.Verdict == verdict.Passed && sent:
			u.Shown = reason
			d.Failed = append(d.Failed, u)
		case q.Verdict.Failing() && p.Verdict == verdict.Passed:
			u.Shown = "the second target was not sent what shows it at the first: " + reason
			d.Undecided = append(d.Undecided, u)
		case q.Verdict == verdict.Passed && p.Verdict.Failing():
			fails, reason := failure(q.ID, second.Results)
			if u.Shown = reason; here.tested(fails, there) {
				d.Elsewhere = append(d.Elsewhere, u)
			}
		case q.Verdict.Failing() && !p.Verdict.Decided(), q.Verdict == verdict.Inconclusive && p.Verdict == verdict.Passed:
			d.Undecided = append(d.Undecided, u)
		}
	}
	d.Verdict, d.Why = d.decide(first.Results, second.Results)
	return d
}

// decide returns the verdict of SERVICE-5.
func (d Drift) decide(first, second verdict.Results) (verdict.Verdict, string) {
	counts := func(u Unlike) bool { return verdict.Counts(u.Level, first.Strict) }
	for i, r := range []verdict.Results{first, second} {
		if r.Verdict == verdict.NoVerdict && (r.Part == nil || !r.Part.Accepted) {
			return verdict.Inconclusive, fmt.Sprintf("the %s run has no verdict (%s)", []string{"first", "second"}[i], r.Word)
		}
	}
	switch i := slices.IndexFunc(d.Undecided, counts); {
	case slices.ContainsFunc(d.Failed, counts):
		return verdict.Failed, ""
	case i >= 0:
		return verdict.Inconclusive, fmt.Sprintf("%s was not decided at both targets", d.Undecided[i].ID)
	case d.Compared == 0:
		return verdict.Inconclusive, "the two runs decided no must in common"
	}
	return verdict.Passed, ""
}

// failure returns the findings of a run about a requirement as those of one check, and what the first one says.
func failure(id spec.ID, r verdict.Results) (shows verdict.Check, reason string) {
	for _, c := range r.Checks {
		for _, f := range c.Findings {
			if f.Requirement != id {
				continue
			}
			if c.Kind == verdict.Phase {
				shows.Kind = verdict.Phase
			}
			reason = cmp.Or(reason, f.Message+": "+f.Actual)
			shows.Findings = append(shows.Findings, f)
		}
	}
	return shows, reason
}
