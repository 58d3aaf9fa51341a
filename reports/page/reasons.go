package page

import (
	"cmp"
	"slices"
	"strings"

	"petconform/reports/cause"
	"petconform/reports/decision"
	"petconform/reports/safe"
	"petconform/spec"
	"petconform/spec/verdict"
)

// reasons are shown with the verdict: what to fix first, what else is broken, and the run's own reasons.
type reasons struct {
	Causes []causeView
	Broken []brokenView
	Said   []string
	// More counts what is left out of Causes.
	More int
}

// causeView is a cause with the check that shows it first. Finding is nil if the page does not show Expected and
// Actual.
type causeView struct {
	cause.Cause
	Anchor  string
	Finding *findingView
}

// brokenView is a broken requirement. Anchor is that of the check with the finding.
type brokenView struct {
	verdict.Requirement
	Anchor string
}

// Bounds of what is shown with the verdict: the causes, those of them with Expected and Actual, and the length of these
// in characters.
const (
	causesShown   = 6
	findingsShown = 3
	findingLength = 160
)

// Reasons are nil when there are none.
func (v *view) Reasons() *reasons {
	var r reasons
	listed := map[spec.ID]bool{}
	for i, c := range v.causes {
		for _, id := range c.Requirements {
			listed[id] = true
		}
		first := c.Places[0]
		view := causeView{Cause: c, Anchor: "check-" + first.Check.ID}
		if i < findingsShown && first.Finding.Expected+first.Finding.Actual != "" {
			view.Finding = &findingView{Finding: first.Finding, Difference: safe.Differ(first.Finding, findingLength)}
		}
		if i < causesShown {
			r.Causes = append(r.Causes, view)
		}
	}
	r.More = len(v.causes) - len(r.Causes)
	for _, b := range v.Deviations() {
		if verdict.Counts(b.Level, v.Results.Strict) && !listed[b.ID] {
			r.Broken = append(r.Broken, b)
		}
	}
	for _, s := range v.Results.Reasons {
		if s.Requirement == "" && !strings.Contains(v.Decision.Sentence, s.Sentence) { // the others are told above
			r.Said = append(r.Said, s.Sentence)
		}
	}
	if len(r.Causes)+len(r.Broken)+len(r.Said) == 0 {
		return nil
	}
	return &r
}

// Deviations returns the broken requirements in the order of the failures, waived ones last.
func (v *view) Deviations() []brokenView {
	var out []brokenView
	for _, r := range v.Results.Requirements {
		if r.Verdict.Failing() {
			out = append(out, v.brokenBy(r))
		}
	}
	at := func(b brokenView) int {
		return slices.IndexFunc(v.Checks, func(c checkView) bool { return "check-"+c.ID == b.Anchor })
	}
	slices.SortStableFunc(out, func(a, b brokenView) int {
		return cmp.Or(rank(a.Verdict)-rank(b.Verdict), at(a)-at(b))
	})
	return out
}

// brokenBy finds the first failing check that names r.
func (v *view) brokenBy(r verdict.Requirement) brokenView {
	for _, c := range v.Checks {
		if !c.Verdict.Failing() {
			break // those that fail come first
		}
		for _, f := range c.Check.Findings {
			if f.Requirement == r.ID {
				return brokenView{r, "check-" + c.ID}
			}
		}
	}
	return brokenView{r, string(r.ID)}
}

// Gates are those that were asked, NotAsked the others.
func (v *view) Gates() []decision.Gate { return v.gates(false) }

// NotAsked are the gates that hold nothing up.
func (v *view) NotAsked() []decision.Gate { return v.gates(true) }

func (v *view) gates(notAsked bool) []decision.Gate {
	return slices.DeleteFunc(slices.Clone(v.Decision.Gates), func(g decision.Gate) bool { return notAsked != (g.Result == decision.NotAsked) })
}
