package judge

import (
	"slices"

	"petconform/load/limiter"
	"petconform/load/record"
	"petconform/spec"
)

// filled shows the bursts of a phase, and reports whether there are any. limit is the requirement that needs a 429.
func (v *View) filled(o *Outcome, limit spec.ID) bool {
	bursts := v.burstsOf(o.ID)
	for _, b := range bursts {
		o.Show("%s", describe(b))
		if o.Cite(b.first); b.refused != nil {
			o.Cite(b.refused)
		}
	}
	reached := limited(bursts) || slices.ContainsFunc(bursts, func(b *burst) bool { return b.accepted > v.limit })
	over := slices.ContainsFunc(v.minute.Found, func(c limiter.Contradiction) bool { return c.What == limiter.Over })
	switch {
	case len(bursts) == 0:
	case v.expectedOpen():
		o.Doubt(limit, "the plan is not limited here, as the configuration expects")
	case !reached:
		o.Doubt(limit, "the limit was not reached within a window: %s", describe(bursts...))
	case over && limit != "RATE-6" && slices.ContainsFunc(bursts, v.beyond):
		o.Doubt(limit, "more than the plan was accepted, and another finding says why: %s", describe(bursts...))
	}
	return len(bursts) > 0
}

// Fill shows that the plan's requests are accepted (RATE-7) and the next one is not (RATE-6).
func (v *View) Fill(o *Outcome) {
	if !v.filled(o, "RATE-6") {
		return
	}
	bursts := v.burstsOf(o.ID)
	whole := func(b *burst) bool { return b.refused == nil || b.accepted >= v.limit }
	if !slices.ContainsFunc(bursts, whole) {
		// A sliding counter may still count earlier requests and refuse a little early, but not in each fill.
		o.Doubt("RATE-7", "no fill reached the plan: %s", describe(bursts...))
	}
	o.Settle("RATE-6", "RATE-7")
}

// Mixed shows that all operations and connections spend one allowance (RATE-11).
func (v *View) Mixed(o *Outcome) {
	if !v.filled(o, "RATE-11") {
		return
	}
	all, others := v.Of(o.ID), 0
	for _, r := range all {
		if op := spec.OperationOf(r.Like.Request.Method, r.Like.Request.Path); r.Accepted() && op != spec.ListPets {
			others++
		}
	}
	if i := slices.IndexFunc(all, createRefused); i >= 0 {
		o.Show("the target refused a valid createPet (exchange %d: %d); if it has no such category, name one that it has with "+
			"--category-id", all[i].N, all[i].Status)
	}
	if others == 0 {
		o.Doubt("RATE-11", "only listPets was accepted: there was no animal for getPet, and createPet was refused, or not "+
			"sent since the run is read-only")
	}
	o.Settle("RATE-11", "RATE-7")
}

// Overload shows that an overload is answered by successes and 429s (RATE-14).
func (v *View) Overload(o *Outcome) {
	if !v.filled(o, "RATE-14") {
		return
	}
	all := v.Of(o.ID, record.Spend, record.Press)
	lost := slices.DeleteFunc(slices.Clone(all), func(r *record.Record) bool { return r.Status != 0 || closed(r) })
	if len(lost) > 0 {
		o.Doubt("RATE-14", "%d of %d requests got no response (the first is exchange %d); the network may be the cause",
			len(lost), len(all), lost[0].N)
	}
	o.Show("%s of %s were answered 429", spec.Number(count(all, (*record.Record).Limited)), spec.Count(len(all), "request"))
	o.Cite(all[0], all[len(all)-1])
	o.Settle("RATE-14")
}

// Headers shows that the headers describe what was accepted and refused. A rule for all responses judges that Remaining
// falls (RATE-4).
func (v *View) Headers(o *Outcome) {
	right := count(v.own, func(r *record.Record) bool {
		return r.Accepted() && (r.Limit == v.lane.PerMinute || r.Limit == v.lane.PerDay && r.Limit > 0)
	})
	ofMinute := slices.ContainsFunc(v.bursts, func(b *burst) bool {
		return slices.ContainsFunc(b.at, func(i int) bool { return v.own[i].Accepted() && v.own[i].Of(v.lane.PerMinute) })
	})
	o.Show("X-RateLimit-Limit is a limit of the plan in %s", spec.Count(right, "response"))
	o.Show("%s", v.whoElse())
	if right == 0 {
		return
	}
	if ofMinute && v.minute.Compared == 0 && v.limit <= limiter.MostExact {
		o.Doubt("RATE-15", "responses took too long to send the requests of a fill one at a time, so X-RateLimit-Remaining can't "+
			"be compared with what was accepted")
	}
	o.Settle("RATE-15")
}

// Recover shows that a client which waits is accepted, after Retry-After (RATE-8) and at Reset (RATE-9), in every phase.
func (v *View) Recover(o *Outcome) {
	asked := slices.ContainsFunc(v.burstsOf(o.Within), func(b *burst) bool {
		return b.refused != nil && b.refused.RetryAfter != limiter.Absent
	})
	v.waited(o, "RATE-8", spec.HeaderRetryAfter, asked)
	v.waited(o, "RATE-9", spec.HeaderReset, false) // a Reset that is hours ahead is that of the day
}

// waited shows what came of the requests that waited for a header. expected says that there should be some.
func (v *View) waited(o *Outcome, id spec.ID, header string, expected bool) {
	all, accepted := 0, 0
	for _, w := range v.minute.Waits {
		if r := v.own[w.Next]; w.Header == header && !v.phase(r.Phase).BanKey {
			o.Cite(r)
			if all++; r.Accepted() {
				accepted++
			}
		}
	}
	early := "the run did not wait until " + header + " had passed"
	switch {
	case all == 0 && expected:
		o.Doubt(id, "%s", early)
	case all == 0: // a rule for all responses fails a malformed header
		o.Show("%s", early)
	case accepted == 0:
		o.Doubt(id, "no request was accepted after %s, and a ban, an outage or a clock that jumped may be the cause", header)
	case o.Settle(id):
		o.Show("%d of %s accepted after %s", accepted, spec.Count(all, "request"), header)
	}
}
