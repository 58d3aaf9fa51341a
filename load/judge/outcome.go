package judge

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"petconform/load/record"
	"petconform/spec"
	"petconform/spec/verdict"
)

// noResponse is why a requirement was not tested that a phase could have shown.
const noResponse = "no response of the load shows it"

// Outcome is the result of one phase for one key.
type Outcome struct {
	Phase
	// whole is the check of the phase, and each has one for each requirement that it proves, in the order of Proves: a
	// phase with a finding may show another requirement.
	whole verdict.Check
	each  []verdict.Check
	// skipped is why the phase did not run or broke off, or "".
	skipped string
	// key names the key in findings, if the plan has several, and sent is the number of its requests.
	key  string
	sent int
}

// outcome is that of a phase before anything is judged. Its check lasts from the first request to the last response.
func (v *View) outcome(p Phase) *Outcome {
	o := &Outcome{Phase: p, skipped: v.skipped[p.ID]}
	o.whole = verdict.Check{ID: record.CheckID(v.lane.Plan, p.ID), Kind: verdict.Phase, Title: p.Title,
		Operation: spec.ListPets, Requirements: slices.Clone(p.Proves), Exchanges: []int{}, Of: 1}
	if v.lane.Label != v.lane.Plan {
		o.key = v.lane.Label + ": "
	}
	all := v.Of(p.ID)
	if o.sent = len(all); o.sent > 0 {
		last := slices.MaxFunc(all, func(a, b *record.Record) int { return cmp.Compare(a.Ended(), b.Ended()) })
		o.whole.MS = (last.Ended() - all[0].Sent).Milliseconds()
	}
	for _, id := range p.Proves {
		o.each = append(o.each, verdict.Check{ID: o.whole.ID, Requirements: []spec.ID{id}, Decides: id,
			Verdict: verdict.NotRun, Reason: cmp.Or(o.skipped, noResponse)})
	}
	return o
}

// of returns the check of a requirement that the phase proves.
func (o *Outcome) of(id spec.ID) *verdict.Check { return &o.each[slices.Index(o.Proves, id)] }

// Fail adds a finding about a requirement that the phase proves, and returns that of the phase.
func (o *Outcome) Fail(id spec.ID, at *record.Record, message, expected, actual string) *verdict.Finding {
	o.Cite(at)
	c, f := o.of(id), verdict.Finding{Requirement: id, Message: o.key + message, Expected: expected, Actual: actual,
		Exchange: at.N}
	c.Verdict, c.Findings = verdict.Failed, append(c.Findings, f)
	o.whole.Findings = append(o.whole.Findings, f)
	return &o.whole.Findings[len(o.whole.Findings)-1]
}

// Doubt says why a requirement is inconclusive. The first reason counts, and none does if the requirement failed.
func (o *Outcome) Doubt(id spec.ID, format string, args ...any) {
	if c := o.of(id); c.Verdict == verdict.NotRun || c.Verdict == verdict.Passed {
		c.Verdict, c.Reason = verdict.Inconclusive, fmt.Sprintf(format, args...)
	}
}

// Settle says that requirements hold which neither failed nor are inconclusive. It reports whether all of them hold.
func (o *Outcome) Settle(ids ...spec.ID) bool {
	all := true
	for _, id := range ids {
		c := o.of(id)
		if c.Verdict == verdict.NotRun {
			c.Verdict = verdict.Passed
		}
		all = all && c.Verdict == verdict.Passed
	}
	return all
}

// Show adds a sentence to the evidence.
func (o *Outcome) Show(format string, args ...any) {
	if o.whole.Evidence != "" {
		o.whole.Evidence += "; "
	}
	o.whole.Evidence += fmt.Sprintf(format, args...)
}

// Cite adds to the exchanges that show the result.
func (o *Outcome) Cite(all ...*record.Record) {
	for _, r := range all {
		o.whole.Exchanges = append(o.whole.Exchanges, r.N)
	}
}

// check is the check of the phase, whose verdict is the worst of its requirements.
func (o *Outcome) check() verdict.Check {
	c, shown := o.whole, false
	var unsure []string
	for _, one := range o.each {
		shown = shown || one.Verdict == verdict.Passed
		if one.Verdict == verdict.Inconclusive {
			unsure = spec.With(unsure, one.Reason)
		}
	}
	switch c.Reason = strings.Join(unsure, "; "); {
	case len(c.Findings) > 0:
		c.Verdict, c.Reason = verdict.Failed, ""
	case o.skipped == record.StoreFull:
		c.Verdict, c.Reason = verdict.NotApplicable, o.skipped
	case o.skipped != "":
		c.Verdict, c.Reason = verdict.NotRun, strings.Join(append(unsure, o.skipped), "; ")
	case len(unsure) > 0:
		c.Verdict = verdict.Inconclusive
	case shown:
		c.Verdict, c.Held = verdict.Passed, 1
	default: // if it was sent, no other key of the plan stands for it
		c.Verdict, c.Reason, c.Of = verdict.NotRun, noResponse, min(1, o.sent)
	}
	return c
}

// mostExchanges is the largest number of exchanges that a check lists: 100. The evidence of a rule has the number that
// held.
const mostExchanges = 100

// complete completes a check to which those of all keys and parts were added: it has one finding of a requirement and
// the first mostExchanges, and that of a phase passes if it does for each key of the plan.
func complete(c *verdict.Check) {
	c.Findings = verdict.FirstOfEach(c.Findings)
	slices.Sort(c.Exchanges)
	c.Exchanges = slices.Compact(c.Exchanges)
	c.Exchanges = c.Exchanges[:min(len(c.Exchanges), mostExchanges)]
	switch {
	case c.Verdict == verdict.Passed && c.Held < c.Of:
		c.Verdict, c.Reason = verdict.Inconclusive, "it did not pass for each key"
	case c.Kind == verdict.Passive && c.Verdict.Decided():
		c.Evidence = c.Measured()
	}
}
