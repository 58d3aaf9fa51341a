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

// rule judges a key: the sightings of each sort become findings, or reasons why a requirement is inconclusive, of the
// phases that prove what they break. What then has neither is shown by the phases that reached it.
func (v *View) rule() {
	v.outcomes = map[record.Phase]*Outcome{}
	for _, p := range v.known {
		v.outcomes[p.ID] = &Outcome{phase: p.ID}
	}
	sorts := v.sightings()
	for _, what := range slices.Sorted(maps.Keys(sorts)) {
		all := sorts[what]
		first, why := all[0], v.doubt(what, all)
		got := fmt.Sprintf("%s, %s%s", first.Got, v.howOften(all), first.Why)
		for _, id := range requirements(what, v.phaseOf(first)) {
			switch o := v.outcomeOf(id, first.r.Phase); {
			case o == nil:
			case why != "":
				o.Doubt(id, "%s (exchange %d): expected %s; actual %s; but %s", first.About, first.r.N, first.Want, got, why)
			default:
				o.Fail(id, first.r, first.About, first.Want, got)
			}
		}
	}
	for _, p := range v.known {
		if p.Shows != nil {
			p.Shows(v, v.outcomes[p.ID])
		}
	}
}

// outcomeOf returns the outcome of the planned phase that proves a requirement: the phase p if it does, else the first.
func (v *View) outcomeOf(id spec.ID, p record.Phase) (o *Outcome) {
	for _, one := range v.known {
		proves := slices.Contains(one.Proves, id) && slices.Contains(v.rec.Settings.Phases, one.ID)
		if proves && (o == nil || one.ID == p) {
			o = v.outcomes[one.ID]
		}
	}
	return o
}

// howOften says in how many of the rounds a contradiction showed, as in "in 2 of 3 rounds".
func (v *View) howOften(all []sighting) string {
	seen, rounds, phases := map[string]bool{}, map[string]bool{}, map[record.Phase]bool{}
	for _, s := range all {
		seen[round(s.r)], phases[s.r.Phase] = true, true
	}
	for _, r := range v.own {
		if phases[r.Phase] {
			rounds[round(r)] = true
		}
	}
	return fmt.Sprintf("in %d of %s", len(seen), spec.Count(len(rounds), "round"))
}

// phaseOf returns the phase to which a contradiction is attributed. A stage that the kinds of those before do not
// explain is one of its phase. An excess in it is of that phase only if the fills, which use one operation and
// usually one connection, kept to the plan, and the phase itself did not.
func (v *View) phaseOf(s sighting) record.Phase {
	p := s.r.Phase
	if s.What == limiter.Over && s.Stage > 0 {
		p = v.stages()[s.Stage]
	}
	if p == record.Mixed && s.What == limiter.Over && (!v.fillsHeld() || !slices.ContainsFunc(v.burstsOf(record.Mixed), v.beyond)) {
		p = record.Fill
	}
	return p
}

// fillsHeld reports whether there are fills, and each accepted the plan's requests at most, or what a bucket gained more.
func (v *View) fillsHeld() bool {
	fills := v.burstsOf(record.Fill)
	return len(fills) > 0 && !slices.ContainsFunc(fills, func(b *burst) bool { return b.refused == nil || v.beyond(b) })
}

// beyond reports whether a burst accepted more than the plan, and than the kinds of limiter that explain the fills gain.
func (v *View) beyond(b *burst) bool {
	return float64(b.accepted) > float64(v.limit)+v.minute.Gained(b.last-v.own[b.at[0]].Sent)
}

// sightings returns the contradictions of the key by their sort, in the order of sending.
func (v *View) sightings() map[limiter.What][]sighting {
	sorts := map[limiter.What][]sighting{}
	add := func(c limiter.Contradiction) { sorts[c.What] = append(sorts[c.What], sighting{c, v.own[c.At]}) }
	for _, c := range v.minute.Found {
		if c.What != limiter.Over || !v.expectedOpen() {
			add(c)
		}
	}
	rises := sorts[limiter.RemainingRises]
	if len(rises)+len(sorts[limiter.RemainingHigh])+len(sorts[limiter.RemainingLow]) > 0 {
		delete(sorts, limiter.WholeBeforeReset) // it rests on Remaining
	}
	if len(rises) > 0 { // nobody else who uses the key makes it rise
		sorts[limiter.RemainingRises] = append(rises, sorts[limiter.RemainingLow]...)
		delete(sorts, limiter.RemainingLow)
	}
	v.otherAnswers(add)
	for _, all := range sorts {
		slices.SortStableFunc(all, func(a, b sighting) int { return a.At - b.At })
	}
	return sorts
}

// expectedOpen reports whether the plan is not limited, as the configuration expects.
func (v *View) expectedOpen() bool {
	return !v.rec.Settings.ExpectLimits && !slices.ContainsFunc(v.own, (*record.Record).Limited)
}

// otherAnswers finds the responses that are neither a success nor a 429 while an allowance is spent, and an overload
// that got no 429. A 401 or 403 after a 429 may be a ban, and a connection that was kept may be closed (RFC 9112,
// section 9.5).
func (v *View) otherAnswers(add func(limiter.Contradiction)) {
	refused := slices.IndexFunc(v.own, (*record.Record).Limited)
	lost := slices.ContainsFunc(v.own, func(r *record.Record) bool { return v.closed(r) && !r.Reused })
	fillRefused := slices.ContainsFunc(v.burstsOf(record.Fill), func(b *burst) bool { return b.refused != nil })
	for _, b := range v.burstsOf(record.Overload) {
		if b.refused == nil && v.beyond(b) && !v.minute.Lawful() && !v.expectedOpen() {
			add(limiter.Contradiction{What: no429, At: b.at[len(b.at)-1], About: spec.Count(len(b.at), "request") + " under overload",
				Want: spec.Number(v.lane.PerMinute) + " accepted, and 429 for the others", Got: v.describe(b)})
		}
	}
	for i, r := range v.own {
		banned := r.Barred() && refused >= 0 && i > refused
		if !r.Unsure() || !v.spends(r.Phase) || banned || createRefused(r) || r.Status == 0 && (!v.closed(r) || r.Reused && !lost) {
			continue
		}
		c := limiter.Contradiction{What: otherAnswer, At: i, About: "a request while the plan is spent",
			Want: "a success within the plan, and 429 beyond it", Got: answered(r)}
		if r.Status >= 500 {
			c.What = serverError
		}
		add(c)
		if r.Phase == record.Fill && !fillRefused && v.minute.Within(i) >= v.limit {
			c.What, c.About, c.Want = inPlaceOf429, fmt.Sprintf("a request beyond the plan's %s a minute", spec.Number(v.lane.PerMinute)), "429"
			add(c)
		}
	}
}

// closed reports whether the target closed the connection without a response.
func (v *View) closed(r *record.Record) bool {
	return r.Status == 0 && r.Like.Failure != nil && r.Like.Failure.Kind == exchange.Closed
}

// createRefused reports whether r is a createPet that the operation itself refused, because of an unknown category for
// example.
func createRefused(r *record.Record) bool {
	return r.Like.Request.Method == http.MethodPost && r.Status >= 400 && r.Status < 500
}
