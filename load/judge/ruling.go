package judge

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"petconform/load/limiter"
	"petconform/load/record"
	"petconform/spec"
	"petconform/spec/verdict"
)

// meaning is what a contradiction of some sort means.
type meaning struct {
	// breaks are the requirements that it breaks, in each phase whose Breaks does not have it.
	breaks []spec.ID
	// byOthers says that somebody else who uses the key explains it: our requests are refused, and less remains, because
	// of theirs.
	byOthers bool
	// each says that each one is a case, independent of the others: a request that waited. Else those of one round are.
	each bool
	// once says that one case is a finding. Others need two, since one may be a chance.
	once bool
	// but is why it is never a finding.
	but string
}

var meanings = map[limiter.What]meaning{
	limiter.Over:             {breaks: []spec.ID{"RATE-6"}},
	limiter.Early:            {breaks: []spec.ID{"RATE-7"}, byOthers: true},
	limiter.Unexplained:      {breaks: []spec.ID{"RATE-7"}, but: "the plan itself was kept"},
	limiter.RefusedAfterWait: {breaks: []spec.ID{"RATE-8"}, byOthers: true, each: true},
	limiter.RefusedAtReset:   {breaks: []spec.ID{"RATE-9"}, byOthers: true, each: true},
	limiter.WholeBeforeReset: {breaks: []spec.ID{"RATE-9"}, byOthers: true},
	limiter.RemainingHigh:    {breaks: []spec.ID{"RATE-15"}},
	limiter.RemainingLow:     {breaks: []spec.ID{"RATE-15"}, byOthers: true},
	limiter.WrongLimit:       {breaks: []spec.ID{"RATE-15"}},
	otherAnswer:              {breaks: []spec.ID{"RATE-14"}},
	serverError:              {breaks: []spec.ID{"RATE-14"}, once: true},
}

// rule judges a key: the contradictions of each sort become findings, or reasons why a requirement is inconclusive, of the
// phases that prove what they break. What then has neither is shown by the phases that reached it.
func (v *View) rule() {
	for _, p := range v.known {
		if v.rec.Settings.Has(p.ID) {
			v.outcomes = append(v.outcomes, v.outcome(p))
		}
	}
	sorts := v.contradictions()
	for _, what := range slices.Sorted(maps.Keys(sorts)) {
		all := sorts[what]
		cases, why := v.certain(what, all)
		first, r := all[0], v.own[all[0].At]
		got := fmt.Sprintf("%s, in %s%s", first.Got, spec.Count(cases, "independent case"), first.Why)
		for _, id := range v.breaks(first) {
			switch o := v.outcomeOf(id, r.Phase); {
			case o == nil:
			case why != "":
				o.Doubt(id, "%s (exchange %d): expected %s; actual %s; but %s", first.About, r.N, first.Want, first.Got, why)
			default:
				f := o.Fail(id, r, first.About, first.Want, got)
				if first.After > 0 {
					f.After = v.own[first.After-1].N
				}
			}
		}
	}
	for _, o := range v.outcomes {
		if o.Shows != nil {
			o.Shows(v, o)
		}
	}
}

// outcomeOf returns the outcome of the planned phase that proves a requirement: the phase p if it does, else the first.
func (v *View) outcomeOf(id spec.ID, p record.Phase) (found *Outcome) {
	for _, o := range v.outcomes {
		if slices.Contains(o.Proves, id) && (found == nil || o.ID == p) {
			found = o
		}
	}
	return found
}

// certain returns in how many independent cases a contradiction of some sort showed, and the reason why it is no finding, or
// "" if it is one: it showed in two cases, or in one of what one case shows, no clock jumped near them, and nobody else who
// uses the key explains it.
func (v *View) certain(what limiter.What, all []limiter.Contradiction) (cases int, but string) {
	means, disturbed := meanings[what], false
	seen := map[string]bool{}
	for i, c := range all {
		switch r := v.own[c.At]; {
		case v.disturbed(r.Sent, r.Ended()):
			disturbed = true
		case i > 0 && !slices.ContainsFunc(v.own[all[i-1].At:c.At], (*record.Record).Served): // both are of one outage
		case means.each:
			seen[fmt.Sprint(r.N)] = true
		default:
			seen[fmt.Sprint(r.Phase, r.Round)] = true
		}
	}
	few := len(seen) == 0 || len(seen) == 1 && !means.once
	switch others := &v.minute.Others; {
	case means.but != "":
		but = means.but
	case means.byOthers && others.At >= 0:
		but = v.whoElse()
	case few && disturbed:
		but = "a clock jumped meanwhile"
	case few:
		but = "it was only once"
	case means.byOthers && !others.None():
		but = v.whoElse()
	}
	return len(seen), but
}

// whoElse names the response that shows that someone else used the key, or says that none does, or that it can't be
// told.
func (v *View) whoElse() string {
	switch others := v.minute.Others; {
	case others.At >= 0:
		return fmt.Sprintf("someone else used the key meanwhile, or the target rounds X-RateLimit-Remaining or has more "+
			"than one counter: it shows requests that are not the run's, first at exchange %d", v.own[others.At].N)
	case others.Unknown != "":
		return "it can't be told whether someone else used the key: " + others.Unknown
	}
	return "nobody else used the key"
}

// breaks returns the requirements that a contradiction breaks, the first of its sort: those that its phase names for the
// sort, else those of the sort. A stage that the kinds of those before do not explain is one of the phase that adds
// something. What that phase adds is the cause of an excess only if each burst of the phase before, which lacks it, kept
// to the plan, and its own did not.
func (v *View) breaks(c limiter.Contradiction) []spec.ID {
	p, over := v.phase(v.own[c.At].Phase), c.What == limiter.Over
	if over && c.Stage > 0 {
		p = v.known[c.Stage-1]
	}
	ids, own := p.Breaks[c.What]
	exceeds := slices.ContainsFunc(v.burstsOf(p.ID), v.beyond)
	if !own || over && p.After != "" && !(exceeds && v.kept(p.After)) {
		return meanings[c.What].breaks
	}
	return ids
}

// kept reports whether a phase has bursts, and each of them reached the plan's limit and did not exceed it.
func (v *View) kept(p record.Phase) bool {
	bursts := v.burstsOf(p)
	return len(bursts) > 0 && !slices.ContainsFunc(bursts, func(b *burst) bool { return b.refused == nil || v.beyond(b) })
}

// contradictions returns the contradictions of the key by their sort, in the order of sending.
func (v *View) contradictions() map[limiter.What][]limiter.Contradiction {
	sorts := map[limiter.What][]limiter.Contradiction{}
	unlimited := []limiter.What{limiter.Over, limiter.RemainingHigh, No429} // what it means to be
	for _, c := range append(v.otherAnswers(), v.minute.Found...) {
		if !v.expectedOpen() || !slices.Contains(unlimited, c.What) {
			sorts[c.What] = append(sorts[c.What], c)
		}
	}
	if len(sorts[limiter.RemainingHigh])+len(sorts[limiter.RemainingLow]) > 0 {
		delete(sorts, limiter.WholeBeforeReset) // it rests on Remaining
	}
	for _, all := range sorts {
		slices.SortStableFunc(all, func(a, b limiter.Contradiction) int { return a.At - b.At })
	}
	return sorts
}

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
