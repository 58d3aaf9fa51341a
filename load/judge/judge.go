package judge

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"petconform/load/limiter"
	"petconform/load/record"
	"petconform/spec"
	"petconform/spec/verdict"
)

// Phase is what the judge needs of a phase of a load run.
type Phase struct {
	ID    record.Phase
	Title string
	// Proves are the requirements that the phase tests.
	Proves []spec.ID
	// Within is the phase that sends the requests of this one. After is a phase without which this one leaves something
	// undecided: whether what it adds is the cause of what it finds.
	Within, After record.Phase
	// Spends says that its rounds spend an allowance, so that its requests are judged as bursts.
	Spends bool
	// Adds says that the phase adds something to those before it: operations and connections, requests at the same time,
	// or another limit. The kinds of limiter are then asked again.
	Adds bool
	// BanKey says that only the ban key runs the phase, so that its waits are not those of a client that backs off.
	BanKey bool
	// Breaks are the requirements that a contradiction breaks if the first of its sort is in this phase. What is not
	// among them breaks in it what it breaks anywhere.
	Breaks map[limiter.What][]spec.ID
	// Shows adds to the outcome what the phase shows of a key that nothing contradicts. Without it the phase shows
	// nothing, so that a run with it has no verdict.
	Shows func(*View, *Outcome)
}

// Results judges a recording. known are all phases in their order. The same recording always has the same results.
func Results(rec *record.Recording, known []Phase) (*verdict.Results, error) {
	all := views(rec, known)
	for _, v := range all {
		v.rule()
	}
	res := verdict.Of(rec.Meta, rec.End)
	res.Kind, res.Requests = "load", len(rec.Records)
	answeredBy(rec, &res.Target)
	res.Checks = phases(all)
	for _, v := range all {
		res.Observations = append(res.Observations, v.observed...)
	}
	for _, plan := range plans(all) {
		res.Observations = append(res.Observations, plan[0].observe()...)
	}
	checks, seen := byRules(rec, all)
	res.Checks, res.Observations = append(res.Checks, checks...), append(res.Observations, seen...)
	res.Created = created(rec)
	res.Requirements = sum(all, res.Checks, rec.Meta.AsOf)
	res.Warnings = warnings(rec, all)
	conclude(rec, all, &res)
	var err error
	res.Load, err = json.Marshal(figures(rec, all))
	return &res, err
}

// phases makes a check of each phase of each plan, which passes if it does for each key of the plan.
func phases(all []*View) (checks []verdict.Check) {
	for _, v := range all {
		for _, o := range v.planned() {
			checks = verdict.MergeCheck(checks, o.check(v))
		}
	}
	for i := range checks {
		c := &checks[i]
		c.Findings = verdict.FirstOfEach(c.Findings)
		if c.Verdict == verdict.Passed && c.Held < c.Of {
			c.Verdict, c.Reason = verdict.Inconclusive, "it did not pass for each key"
		}
		clip(c)
	}
	return checks
}

// mostExchanges is the largest number of exchanges that a check lists: 100. The evidence of a rule has the number that
// held.
const mostExchanges = 100

// clip lists the first mostExchanges of a check.
func clip(c *verdict.Check) {
	slices.Sort(c.Exchanges)
	c.Exchanges = slices.Compact(c.Exchanges)
	c.Exchanges = c.Exchanges[:min(len(c.Exchanges), mostExchanges)]
}

// plans groups the keys by their plan.
func plans(all []*View) [][]*View {
	var out [][]*View
	for _, v := range all {
		i := slices.IndexFunc(out, func(have []*View) bool { return have[0].lane.Plan == v.lane.Plan })
		if i < 0 {
			i, out = len(out), append(out, nil)
		}
		out[i] = append(out[i], v)
	}
	return out
}

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
	// skipped is why the phase did not run or broke off, or "".
	skipped string
}

// doubt is the reason why a requirement is inconclusive.
type doubt struct {
	requirement spec.ID
	why         string
}

// Fail adds a finding.
func (o *Outcome) Fail(id spec.ID, at *record.Record, message, expected, actual string) {
	o.Cite(at)
	o.findings = append(o.findings, verdict.Finding{Requirement: id, Message: message, Expected: expected, Actual: actual,
		Exchange: at.N})
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

// check makes the check of a phase for a key. It lasts from the first request to the last response.
func (o *Outcome) check(v *View) verdict.Check {
	c := verdict.Check{ID: record.CheckID(v.lane.Plan, o.ID), Kind: verdict.Phase, Title: o.Title, Operation: spec.ListPets,
		Requirements: slices.Clone(o.Proves), Exchanges: append([]int{}, o.exchanges...), Evidence: joined(o.evidence), Of: 1}
	for _, f := range o.findings {
		if v.lane.Label != v.lane.Plan {
			f.Message = v.lane.Label + ": " + f.Message
		}
		c.Findings = append(c.Findings, f)
	}
	var unsure []string
	for _, d := range o.unsure {
		unsure = append(unsure, d.why)
	}
	if all := v.Of(o.ID); len(all) > 0 {
		last := slices.MaxFunc(all, func(a, b *record.Record) int { return cmp.Compare(a.Ended(), b.Ended()) })
		c.MS = (last.Ended() - all[0].Sent).Milliseconds()
	}
	switch {
	case len(c.Findings) > 0:
		c.Verdict = verdict.Failed
	case o.skipped == record.StoreFull:
		c.Verdict, c.Reason = verdict.NotApplicable, o.skipped
	case o.skipped != "":
		c.Verdict, c.Reason = verdict.NotRun, joined(append(unsure, o.skipped))
	case len(unsure) > 0:
		c.Verdict, c.Reason = verdict.Inconclusive, joined(unsure)
	case len(o.shown) == 0:
		c.Verdict, c.Reason, c.Of = verdict.NotRun, "nothing was sent for it", 0
	default:
		c.Verdict, c.Held = verdict.Passed, 1
	}
	return c
}
