package judge

import (
	"fmt"
	"maps"
	"net/http"
	"slices"

	"petconform/load/limiter"
	"petconform/load/record"
	"petconform/spec"
	"petconform/spec/exchange"
)

// What the judge finds beside limiter's contradictions.
const (
	// otherAnswer is neither an acceptance nor a 429, and serverError such an answer with a status of 500 or more. A 502, a
	// 503 or a 504 is another answer, since one may come from what stands in front of the service.
	otherAnswer limiter.What = "another answer"
	serverError limiter.What = "a server error"
	// InPlaceOf429 is an answer of another sort to a request beyond the plan, where no 429 came. No429 is a burst that
	// accepted more than the plan, and answered no request 429. Only phases whose Breaks has them are searched for them.
	InPlaceOf429 limiter.What = "another answer in the place of a 429"
	No429        limiter.What = "no 429"
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

// expectedOpen reports whether the plan is not limited, as the configuration expects.
func (v *View) expectedOpen() bool {
	return !v.rec.Settings.ExpectLimits && !slices.ContainsFunc(v.own, (*record.Record).Limited)
}

// otherAnswers returns the responses that are neither a success nor a 429 while an allowance is spent, and bursts that got
// no 429. A 401 or 403 after a 429 may be a ban, a connection that was kept may be closed (RFC 9112, section 9.5), and
// the operation itself may refuse a createPet, because of an unknown category for example.
func (v *View) otherAnswers() (found []limiter.Contradiction) {
	for _, b := range v.bursts {
		if v.phase(b.phase).Breaks[No429] != nil && b.refused == nil && v.beyond(b) && !v.minute.Lawful() {
			found = append(found, limiter.Contradiction{What: No429, At: b.at[len(b.at)-1], Got: describe(b),
				About: spec.Count(len(b.at), "request") + " under overload", Want: "429 for those beyond the plan"})
		}
	}
	refused := false
	for i, r := range v.own {
		refused = refused || r.Limited()
		p := v.phase(r.Phase)
		lawful := createRefused(r) || r.Barred() && refused || r.Status == 0 && (!closed(r) || r.Reused)
		if !r.Unsure() || !p.Spends || lawful {
			continue
		}
		c := limiter.Contradiction{What: otherAnswer, At: i, About: "a request while the plan is spent",
			Want: "a success within the plan, and 429 beyond it", Got: answered(r)}
		if r.Status >= 500 && !exchange.Unavailable(r.Status) {
			c.What = serverError
		}
		found = append(found, c)
		before := func(x *record.Record) bool { return !x.Limited() && x.Sent < r.Sent && x.Received() >= r.Sent-v.window }
		if p.Breaks[InPlaceOf429] != nil && !limited(v.burstsOf(p.ID)) && count(v.own, before) >= v.limit {
			c.What, c.Want = InPlaceOf429, "429"
			c.About = fmt.Sprintf("a request beyond the plan's %s a minute", spec.Number(v.limit))
			found = append(found, c)
		}
	}
	return found
}

// closed reports whether the target closed the connection without a response.
func closed(r *record.Record) bool {
	return r.Status == 0 && r.Like.Failure != nil && r.Like.Failure.Kind == exchange.Closed
}

// createRefused reports whether r is a createPet that the operation itself refused.
func createRefused(r *record.Record) bool {
	return r.Like.Request.Method == http.MethodPost && r.Unsure() && r.Status >= 400 && r.Status < 500
}
