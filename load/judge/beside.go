package judge

import (
	"cmp"
	"fmt"
	"net/http"

	"petconform/load/record"
	"petconform/spec"
	"petconform/spec/history"
)

// mostDrained says how much of the other key's allowance may be spent beside our requests if RATE-10 is to pass: less than
// 1/4 of the plan.
const mostDrained = 4

// Isolation judges that the overload of one key does not affect another key (RATE-10): it is not refused. If its Remaining
// falls by more than the run's few requests with it, before the overload or by much during it, someone else uses the key, or
// the keys share an allowance, and RATE-10 is inconclusive.
func (v *View) Isolation(o *Outcome) {
	var before, hit *record.Record // the last request before the overload, and the first that was refused
	hits, beside, others, drained := 0, 0, false, false
	for _, r := range v.side {
		lost := int64(0)
		if before != nil && before.Of(r.Limit) && r.Of(before.Limit) {
			lost = before.Remaining - r.Remaining
		}
		switch {
		case r.Role == record.Control && !r.Accepted():
			o.Doubt("RATE-10", "the response to the other key was %s before the overload (exchange %d)", answered(r), r.N)
			return
		case r.Role == record.Control:
			others, before = others || lost > 1, r
		case r.Role == record.Beside:
			drained = drained || lost > int64(len(v.side)) && lost >= v.lane.PerMinute/mostDrained
			if beside++; r.Limited() {
				hits, hit = hits+1, cmp.Or(hit, r)
			}
		}
	}
	if before == nil || beside == 0 {
		return
	}
	o.Cite(before, v.side[len(v.side)-1])
	// The overload spends an allowance that such a key shares.
	decides := fmt.Sprintf("someone else uses it, or the keys share one; to decide it, run load --plan %s with a key of "+
		"the same plan, which nobody else uses, in PETCONFORM_KEY_OTHER", v.lane.Plan)
	switch fell := "the allowance of the other key fell by more than our requests with it"; {
	case others:
		o.Doubt("RATE-10", "%s before the overload (exchange %d): %s", fell, before.N, decides)
	case hits > 1:
		o.Fail("RATE-10", hit, "the other key while this one was overloaded",
			fmt.Sprintf("accepted; this run sent only %s with it", spec.Count(len(v.side), "request")),
			fmt.Sprintf("%s; refused in %d of %d reads", answered(hit), hits, beside))
	case hits == 1:
		o.Doubt("RATE-10", "the other key was refused in one of %d reads (exchange %d): %s", beside, hit.N, decides)
	case drained:
		o.Doubt("RATE-10", "%s (after exchange %d): %s", fell, before.N, decides)
	default:
		o.Settle("RATE-10")
		o.Show("the other key was accepted %s during and after %s with this one", spec.Count(beside, "time"),
			spec.Count(len(v.Of(o.Within)), "request"))
	}
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
	if o.Settle("RATE-12") {
		o.Show("none of the animals of %s is among the %d in the listing", spec.Count(len(refused), "refused createPet"), len(pets))
	}
}
