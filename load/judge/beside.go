package judge

import (
	"encoding/json"
	"fmt"
	"net/http"

	"petconform/load/record"
	"petconform/spec"
	"petconform/spec/history"
	"petconform/spec/verdict"
)

// Isolation judges that the overload of one key does not affect another key (RATE-10). The run also sends requests with
// the other key before the overload: if its Remaining falls by more than these, someone else uses it, and RATE-10 is
// inconclusive.
func (v *View) Isolation(o *Outcome) {
	var control, beside []*record.Record
	for _, r := range v.side {
		switch r.Role {
		case record.Control:
			control = append(control, r)
		case record.Beside:
			beside = append(beside, r)
		}
	}
	if len(control) == 0 || len(beside) == 0 {
		return
	}
	o.exchanges = append(o.exchanges, control[0].N, beside[len(beside)-1].N)
	for _, r := range control {
		if !r.Accepted() {
			o.Doubt("RATE-10", "the response to the other key was %s before the overload (exchange %d)", answered(r), r.N)
			return
		}
	}
	var hit []*record.Record
	last, looks := control[len(control)-1], int64(len(control)+len(beside))
	for _, r := range beside {
		if lost := fell(last, r); r.Limited() || lost > looks && lost >= v.lane.PerMinute/mostDrained {
			hit = append(hit, r)
		}
	}
	moves := false
	for i := 1; i < len(control); i++ {
		moves = moves || fell(control[i-1], control[i]) > 1
	}
	switch {
	case len(hit) == 0:
		o.Settle("RATE-10")
		o.Show("the other key was accepted %s during and after %s with this one", spec.Count(len(beside), "time"),
			spec.Count(len(v.Of(record.Overload)), "request"))
	case moves:
		o.Doubt("RATE-10", "someone else uses the other key: its allowance fell by more than our requests before the overload (exchange %d)", last.N)
	case len(hit) < 2:
		o.Doubt("RATE-10", "the other key was affected in one of %d reads (exchange %d); someone else may have used it", len(beside), hit[0].N)
	case v.outcomes[record.Fill] != nil && verdict.Names(v.outcomes[record.Fill].findings, "RATE-7"):
		o.Doubt("RATE-10", "the other key was refused in %d of %d reads (exchange %d), but this one was refused within its plan in the fills too", len(hit), len(beside), hit[0].N)
	default:
		got := answered(hit[0])
		if !hit[0].Limited() {
			got = fmt.Sprintf("%s with %d left", got, hit[0].Remaining)
		}
		o.Fail("RATE-10", hit[0], "the other key while this one was overloaded", fmt.Sprintf("accepted; this run sent only %s with it", spec.Count(int(looks), "request")),
			fmt.Sprintf("%s; affected in %d of %d reads", got, len(hit), len(beside)))
	}
}

// mostDrained says how much of the other key's allowance others may spend during the overload without a finding: less
// than 1/4 of the plan.
const mostDrained = 4

// fell returns by how much Remaining fell between two requests, or 0 if that is not known.
func fell(before, after *record.Record) int64 {
	if !before.Remaining.Known() || !after.Remaining.Known() || before.Limit != after.Limit {
		return 0
	}
	return int64(before.Remaining - after.Remaining)
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
	searches := v.Of(record.RefusedCreate, record.Search)
	switch {
	case len(searches) == 0:
		return
	case len(refused) == 0:
		o.Doubt("RATE-12", "no createPet was answered 429")
		return
	}
	x, _ := v.rec.Exchange(searches[len(searches)-1].N)
	listing := history.ReadExchange(x)
	pets, ok := listing.Pets()
	o.exchanges = append(o.exchanges, listing.N)
	if !ok || listing.Len() >= 100 {
		o.Doubt("RATE-12", "the listing that would show the animal is not complete (exchange %d)", listing.N)
		return
	}
	for _, p := range pets {
		if r := refused[p.Name()]; r != nil {
			o.Fail("RATE-12", r, "a createPet that was answered 429", "no animal of that name",
				fmt.Sprintf("%q is in the listing of exchange %d, with the id %s", p.Name(), listing.N, p.ID))
		}
	}
	if !o.Open("RATE-12") {
		o.Show("none of the animals of %s is among the %d in the listing", spec.Count(len(refused), "refused createPet"), len(pets))
	}
	o.Settle("RATE-12")
}

// refusedCategory returns a warning if valid createPets were refused, most likely because the target has no such
// category, or "". No requirement forbids that.
func (v *View) refusedCategory() string {
	n, all := 0, 0
	var first history.Exchange
	for _, r := range v.own {
		if r.Like.Request.Method != http.MethodPost || r.Limited() {
			continue
		}
		all++
		switch r.Status {
		case http.StatusBadRequest, http.StatusNotFound, http.StatusConflict, http.StatusUnprocessableEntity:
			if n++; n == 1 {
				first = history.ReadExchange(v.rec.Of(r))
			}
		}
	}
	var sent spec.NewPet
	if n == 0 || json.Unmarshal(first.Request.Body, &sent) != nil {
		return ""
	}
	return fmt.Sprintf("%d of %s were refused (exchange %d: %d %s); if the target has no category %d, name one that it has with --category-id",
		n, spec.Count(all, "valid createPet"), first.N, first.Status(), first.Excerpt(), sent.CategoryID)
}
