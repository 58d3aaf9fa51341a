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
	// each says that each one is a case, independent of the others, and outage that those of one outage are one case. Else
	// those of one round are.
	each, outage bool
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
	limiter.WholeBeforeReset: {breaks: []spec.ID{"RATE-9"}, byOthers: true, each: true},
	limiter.RemainingHigh:    {breaks: []spec.ID{"RATE-15"}},
	limiter.RemainingLow:     {breaks: []spec.ID{"RATE-15"}, byOthers: true},
	limiter.WrongLimit:       {breaks: []spec.ID{"RATE-15"}, each: true},
	otherAnswer:              {breaks: []spec.ID{"RATE-14"}, outage: true},
	serverError:              {breaks: []spec.ID{"RATE-14"}, once: true},
}

// round names the round of a request.
func round(r *record.Record) string { return fmt.Sprint(r.Phase, r.Round) }

// rule judges a key: the sightings of each sort become findings, or reasons why a requirement is inconclusive, of the
// phases that prove what they break. What then has neither is shown by the phases that reached it.
func (v *View) rule() {
	v.outcomes = map[record.Phase]*Outcome{}
	for _, p := range v.known {
		v.outcomes[p.ID] = &Outcome{Phase: p}
	}
	sorts := v.sightings()
	for _, what := range slices.Sorted(maps.Keys(sorts)) {
		all := sorts[what]
		first, r, why := all[0], v.own[all[0].At], v.doubt(what, all)
		got := fmt.Sprintf("%s, %s%s", first.Got, v.howOften(all), first.Why)
		for _, id := range v.breaks(first) {
			switch o := v.outcomeOf(id, r.Phase); {
			case o == nil:
			case why != "":
				o.Doubt(id, "%s (exchange %d): expected %s; actual %s; but %s", first.About, r.N, first.Want, got, why)
			default:
				o.Fail(id, r, first.About, first.Want, got)
			}
		}
	}
	for _, p := range v.known {
		if p.Shows != nil {
			p.Shows(v, v.outcomes[p.ID])
		}
	}
}

// planned returns the outcomes of the phases that were planned, in their order.
func (v *View) planned() (all []*Outcome) {
	for _, p := range v.known {
		if slices.Contains(v.rec.Settings.Phases, p.ID) {
			all = append(all, v.outcomes[p.ID])
		}
	}
	return all
}

// outcomeOf returns the outcome of the planned phase that proves a requirement: the phase p if it does, else the first.
func (v *View) outcomeOf(id spec.ID, p record.Phase) (found *Outcome) {
	for _, o := range v.planned() {
		if slices.Contains(o.Proves, id) && (found == nil || o.ID == p) {
			found = o
		}
	}
	return found
}

// doubt returns the reason why sightings of one sort are no finding, or "" if they are one: they are in two independent
// cases, or in one of what one case shows, no clock jumped near them, and nobody else who uses the key explains them.
func (v *View) doubt(what limiter.What, all []limiter.Contradiction) string {
	means, cases, disturbed, outage := meanings[what], map[string]bool{}, false, 0
	for i, c := range all {
		switch r := v.own[c.At]; {
		case v.disturbed(r.Sent, r.Ended()):
			disturbed = true
		case means.outage && i > 0 && !v.served(outage, c.At):
		case means.each || means.outage:
			cases[fmt.Sprint(r.N)], outage = true, c.At
		default:
			cases[round(r)] = true
		}
	}
	few := len(cases) == 0 || len(cases) == 1 && !means.once
	switch others := &v.minute.Others; {
	case means.but != "":
		return means.but
	case means.byOthers && others.At >= 0:
		return v.whoElse()
	case few && disturbed:
		return "a clock jumped meanwhile"
	case few:
		return "it was only once"
	case means.byOthers && !others.None():
		return v.whoElse()
	}
	return ""
}

// served reports whether the target served a request that was sent after the response to one, and answered before another
// was sent. If none was, both are of one outage.
func (v *View) served(first, second int) bool {
	from, until := v.own[first].Received(), v.own[second].Sent
	return slices.ContainsFunc(v.own[first:second], func(r *record.Record) bool {
		return r.Served() && r.Sent >= from && r.Received() <= until
	})
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

// howOften says in how many of the rounds a contradiction showed, as in "in 2 of 3 rounds".
func (v *View) howOften(all []limiter.Contradiction) string {
	seen, rounds, phases := map[string]bool{}, map[string]bool{}, map[record.Phase]bool{}
	for _, c := range all {
		r := v.own[c.At]
		seen[round(r)], phases[r.Phase] = true, true
	}
	for _, r := range v.own {
		if phases[r.Phase] {
			rounds[round(r)] = true
		}
	}
	return fmt.Sprintf("in %d of %s", len(seen), spec.Count(len(rounds), "round"))
}

// breaks returns the requirements that a contradiction breaks, the first of its sort: those that its phase names for the
// sort, else those of the sort. A stage that the kinds of those before do not explain is one of the phase that adds something. What that phase
// adds is the cause of an excess only if each burst of the phase before, which lacks it, kept to the plan.
func (v *View) breaks(c limiter.Contradiction) []spec.ID {
	p, over := v.phase(v.own[c.At].Phase), c.What == limiter.Over
	if over && c.Stage > 0 {
		p = v.stages()[c.Stage]
	}
	ids, own := p.Breaks[c.What]
	if !own || over && p.After != "" && !v.kept(p.After) {
		return meanings[c.What].breaks
	}
	return ids
}

// kept reports whether a phase has bursts, and each of them reached the plan's limit and did not exceed it.
func (v *View) kept(p record.Phase) bool {
	bursts := v.burstsOf(p)
	return len(bursts) > 0 && !slices.ContainsFunc(bursts, func(b *burst) bool { return b.refused == nil || v.beyond(b) })
}

// sightings returns the contradictions of the key by their sort, in the order of sending.
func (v *View) sightings() map[limiter.What][]limiter.Contradiction {
	sorts := map[limiter.What][]limiter.Contradiction{}
	add := func(c limiter.Contradiction) { sorts[c.What] = append(sorts[c.What], c) }
	for _, c := range v.minute.Found {
		if !v.expectedOpen() || c.What != limiter.Over && c.What != limiter.RemainingHigh {
			add(c)
		}
	}
	if len(sorts[limiter.RemainingHigh])+len(sorts[limiter.RemainingLow]) > 0 {
		delete(sorts, limiter.WholeBeforeReset) // it rests on Remaining
	}
	v.otherAnswers(add)
	for _, all := range sorts {
		slices.SortStableFunc(all, func(a, b limiter.Contradiction) int { return a.At - b.At })
	}
	return sorts
}

// expectedOpen reports whether the plan is not limited, as the configuration expects.
func (v *View) expectedOpen() bool {
	return !v.rec.Settings.ExpectLimits && !slices.ContainsFunc(v.own, (*record.Record).Limited)
}

// otherAnswers finds the responses that are neither a success nor a 429 while an allowance is spent, and bursts that
// got no 429. A 401 or 403 after a 429 may be a ban, a connection that was kept may be closed (RFC 9112, section
// 9.5), and the operation itself may refuse a createPet, because of an unknown category for example.
func (v *View) otherAnswers(add func(limiter.Contradiction)) {
	refused := slices.IndexFunc(v.own, (*record.Record).Limited)
	lost := slices.ContainsFunc(v.own, func(r *record.Record) bool { return closed(r) && !r.Reused })
	for _, b := range v.bursts {
		wanted := v.phase(b.phase).Breaks[No429] != nil && !v.minute.Lawful() && !v.expectedOpen()
		if wanted && b.refused == nil && v.beyond(b) {
			add(limiter.Contradiction{What: No429, At: b.at[len(b.at)-1],
				About: spec.Count(len(b.at), "request") + " under overload",
				Want:  spec.Number(v.lane.PerMinute) + " accepted, and 429 for the others", Got: describe(b)})
		}
	}
	for i, r := range v.own {
		p := v.phase(r.Phase)
		if !r.Unsure() || !p.Spends || createRefused(r) || r.Barred() && refused >= 0 && i > refused ||
			r.Status == 0 && (!closed(r) || r.Reused && !lost) {
			continue
		}
		c := limiter.Contradiction{What: otherAnswer, At: i, About: "a request while the plan is spent",
			Want: "a success within the plan, and 429 beyond it", Got: answered(r)}
		if r.Status >= 500 && !exchange.Unavailable(r.Status) {
			c.What = serverError
		}
		add(c)
		before := func(x *record.Record) bool { return !x.Limited() && x.Sent < r.Sent && x.Received() >= r.Sent-v.window }
		if p.Breaks[InPlaceOf429] != nil && !limited(v.burstsOf(p.ID)) && count(v.own, before) >= v.limit {
			c.About = fmt.Sprintf("a request beyond the plan's %s a minute", spec.Number(v.lane.PerMinute))
			c.What, c.Want = InPlaceOf429, "429"
			add(c)
		}
	}
}

// closed reports whether the target closed the connection without a response.
func closed(r *record.Record) bool {
	return r.Status == 0 && r.Like.Failure != nil && r.Like.Failure.Kind == exchange.Closed
}

// createRefused reports whether r is a createPet that the operation itself refused.
func createRefused(r *record.Record) bool {
	return r.Like.Request.Method == http.MethodPost && r.Unsure() && r.Status >= 400 && r.Status < 500
}
