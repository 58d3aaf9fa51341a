package judge

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"petconform/load/record"
	"petconform/spec"
	"petconform/spec/verdict"
)

// Outcome is the result of one phase for one key: the requirements that it proves and that nothing contradicts, if it
// reached them, and else why they are inconclusive.
type Outcome struct {
	Phase
	findings []verdict.Finding
	unsure   []doubt
	// shown are the requirements that hold.
	shown    []spec.ID
	evidence []string
	// exchanges are the numbers of the exchanges that show the result.
	exchanges []int
}

// doubt is the reason why a requirement is inconclusive.
type doubt struct {
	requirement spec.ID
	why         string
}

// Fail adds a finding, unless the requirement has one.
func (o *Outcome) Fail(id spec.ID, at *record.Record, message, expected, actual string) {
	o.Cite(at)
	if !verdict.Names(o.findings, id) {
		o.findings = append(o.findings, verdict.Finding{Requirement: id, Message: message, Expected: expected, Actual: actual, Exchange: at.N})
	}
}

func (o *Outcome) Doubt(id spec.ID, format string, args ...any) {
	o.unsure = append(o.unsure, doubt{id, fmt.Sprintf(format, args...)})
}

func (o *Outcome) Show(format string, args ...any) {
	o.evidence = append(o.evidence, fmt.Sprintf(format, args...))
}

// Cite adds to the exchanges that show the result.
func (o *Outcome) Cite(all ...*record.Record) {
	for _, r := range all {
		o.exchanges = append(o.exchanges, r.N)
	}
}

// Settle adds the requirements that are neither failed nor inconclusive in the phase to those that hold.
func (o *Outcome) Settle(ids ...spec.ID) {
	for _, id := range ids {
		if !o.Open(id) {
			o.shown = append(o.shown, id)
		}
	}
}

// Open reports whether a requirement failed or is inconclusive.
func (o *Outcome) Open(id spec.ID) bool {
	return verdict.Names(o.findings, id) || slices.ContainsFunc(o.unsure, func(d doubt) bool { return d.requirement == id })
}

// check makes the check of a phase of a plan from the outcomes of the plan's keys. It lasts from the first request of a
// key to the last response. If the plan has several keys, a finding names the first that shows it.
func (p *Phase) check(plan []*View) verdict.Check {
	c := verdict.Check{ID: record.CheckID(plan[0].lane.Plan, p.ID), Kind: verdict.Phase, Title: p.Title, Requirements: slices.Clone(p.Proves),
		Exchanges: []int{}, Operation: spec.ListPets, Of: len(plan)}
	var evidence, unsure, skipped []string
	var sent, ended []time.Duration
	for _, v := range plan {
		o := v.outcomes[p.ID]
		for _, f := range o.findings {
			if len(plan) > 1 {
				f.Message = v.lane.Label + ": " + f.Message
			}
			if !verdict.Names(c.Findings, f.Requirement) {
				c.Findings = append(c.Findings, f)
			}
		}
		for _, d := range o.unsure {
			unsure = append(unsure, d.why)
		}
		if len(o.shown) > 0 && len(o.findings)+len(o.unsure) == 0 {
			c.Held++
		}
		if why := v.skipped[p.ID]; why != "" {
			if skipped = append(skipped, why); len(o.findings) == 0 {
				unsure = append(unsure, why)
			}
		}
		if evidence = append(evidence, o.evidence...); len(c.Exchanges) < mostExchanges {
			c.Exchanges = append(c.Exchanges, o.exchanges...)
		}
		for _, r := range v.Of(p.ID) {
			sent, ended = append(sent, r.Sent), append(ended, r.Ended())
		}
	}
	slices.Sort(c.Exchanges)
	c.Exchanges = slices.Compact(c.Exchanges)
	if c.Evidence = joined(evidence); len(sent) > 0 {
		c.MS = (slices.Max(ended) - slices.Min(sent)).Milliseconds()
	}
	c.Reason = joined(unsure)
	switch {
	case len(c.Findings) > 0:
		c.Verdict, c.Reason = verdict.Failed, ""
	case len(skipped) == len(plan) && skipped[0] == record.StoreFull:
		c.Verdict, c.Reason = verdict.NotApplicable, record.StoreFull
	case len(skipped) == len(plan):
		c.Verdict = verdict.NotRun
	case len(unsure) > 0:
		c.Verdict = verdict.Inconclusive
	case c.Held == 0:
		c.Verdict, c.Reason = verdict.NotRun, "nothing was sent for it"
	default:
		c.Verdict = verdict.Passed
	}
	return c
}

// joined joins the first eight different sentences.
func joined(all []string) string {
	var out []string
	for _, s := range all {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return strings.Join(atMost(8, out), "; ")
}

// atMost returns the first most sentences and, if there are more, their number.
func atMost(most int, all []string) []string {
	if len(all) <= most {
		return all
	}
	return append(all[:most:most], fmt.Sprintf("and %d more", len(all)-most))
}
