package judge

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"

	"petconform/load/limiter"
	"petconform/load/record"
	"petconform/spec"
	"petconform/spec/history"
)

// Isolation judges that the overload of one key does not affect another key (RATE-10). The run also sends requests with
// the other key before the overload: if its Remaining falls by more than these, someone else uses it, and RATE-10 is
// inconclusive.
func (v *View) Isolation(o *Outcome) {
	var last, hit *record.Record // the newest request before the overload, and the first that it affected
	hits, beside, moves := 0, 0, false
	for _, r := range v.side {
		switch lost := fell(last, r); {
		case r.Role == record.Control && !r.Accepted():
			o.Doubt("RATE-10", "the response to the other key was %s before the overload (exchange %d)", answered(r), r.N)
			return
		case r.Role == record.Control:
			moves, last = moves || lost > 1, r
		case r.Role == record.Beside:
			if beside++; r.Limited() || lost > int64(len(v.side)) && lost >= v.leastDrained(last, r) {
				hits, hit = hits+1, cmp.Or(hit, r)
			} else if lost < 0 { // another window
				last = r
			}
		}
	}
	if last == nil || beside == 0 {
		return
	}
	o.Cite(last, v.side[len(v.side)-1])
	switch {
	case hits == 0:
		o.Settle("RATE-10")
		o.Show("the other key was accepted %s during and after %s with this one", spec.Count(beside, "time"),
			spec.Count(len(v.Of(o.Within)), "request"))
	case moves:
		o.Doubt("RATE-10", "someone else uses the other key: its allowance fell by more than our requests before the overload "+
			"(exchange %d)", last.N)
	case hits == 1:
		o.Doubt("RATE-10", "the other key was affected in one of %d reads (exchange %d); someone else may have used it",
			beside, hit.N)
	default:
		got := answered(hit)
		if !hit.Limited() {
			got = fmt.Sprintf("%s with %d left", got, hit.Remaining)
		}
		o.Fail("RATE-10", hit, "the other key while this one was overloaded",
			fmt.Sprintf("accepted; this run sent only %s with it", spec.Count(len(v.side), "request")),
			fmt.Sprintf("%s; affected in %d of %d reads", got, hits, beside))
	}
}

// mostDrained says how much of the other key's allowance others may spend during the overload without a finding: less
// than 1/4 of the plan.
const mostDrained = 4

// leastDrained returns by how much Remaining falls between two requests with the other key if both keys have one allowance:
// by this key's accepted requests between them, without what a bucket gains, if the limiter can only be one.
func (v *View) leastDrained(from, to *record.Record) int64 {
	ours := count(v.own, func(r *record.Record) bool {
		return r.Accepted() && r.Sent >= from.Received() && r.Received() <= to.Sent
	})
	gained := 0.0
	if !slices.ContainsFunc(v.minute.Explaining, func(k *limiter.Kind) bool { return !k.Refills }) {
		gained = v.minute.Gained(to.Received()-from.Sent) * float64(to.Limit) / float64(v.limit)
	}
	return max(v.lane.PerMinute/mostDrained, int64(float64(ours)-gained))
}

// fell returns by how much Remaining fell between two requests, or 0 if that is not known.
func fell(before, after *record.Record) int64 {
	if before == nil || before.Remaining == limiter.Absent || !after.Of(before.Limit) {
		return 0
	}
	return before.Remaining - after.Remaining
}

// RefusedCreate judges that a createPet that was answered 429 created nothing (RATE-12): the animal's name, which no
// other request has, is not in a complete listing.
func (v *View) RefusedCreate(o *Outcome) {
	refused := map[string]*record.Record{}
	for _, r := range v.own {
		if r.Limited() && r.Like.Request.Method == http.MethodPost {
			refused[history.ReadExchange(v.rec.Of(r)).SentName()] = r
		}
	}
	searches := v.Of(o.ID, record.Search)
	switch {
	case len(searches) == 0:
		return
	case len(refused) == 0:
		o.Doubt("RATE-12", "no createPet was answered 429")
		return
	}
	last := searches[len(searches)-1]
	listing := history.ReadExchange(v.rec.Of(last))
	pets, ok := listing.Pets()
	if o.Cite(last); !ok || listing.Len() >= 100 {
		o.Doubt("RATE-12", "the listing that would show the animal is not complete (exchange %d)", last.N)
		return
	}
	for _, p := range pets {
		if r := refused[p.Name()]; r != nil {
			o.Fail("RATE-12", r, "a createPet that was answered 429", "no animal of that name",
				fmt.Sprintf("%q is in the listing of exchange %d, with the id %s", p.Name(), last.N, p.ID))
		}
	}
	if !o.Open("RATE-12") {
		o.Show("none of the animals of %s is among the %d in the listing", spec.Count(len(refused), "refused createPet"), len(pets))
	}
	o.Settle("RATE-12")
}
