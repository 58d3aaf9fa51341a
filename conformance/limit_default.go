package conformance

import (
	"fmt"

	"petconform/spec"
	"petconform/spec/history"
)

// limitDefault: no limit means 20 (Endpoints / listPets, limit). The interface promises no order, so lengths are compared,
// not animals. With fewer than 21 animals the two can't be told apart: the check creates what is missing, within the budget,
// and where it may not it says so instead of passing.
var limitDefault = Check{
	ID: "list-limit-default", Title: "No limit means 20", Operation: spec.ListPets,
	Proves: "LIST-5", Also: []spec.ID{"LIST-1", "LIST-3", "CREATE-1"}, Requests: 2, Animals: spec.DefaultLimit + 1,
	Needs: []string{limitBounds.ID},
	After: []string{"create-statuses", "create-parallel", "create-names", "create-category", "create-open", "create-id"},
	Send: func(s *Sender) {
		missing := spec.DefaultLimit + 1 - max(len(s.Created()), lastLen(s.Sent(limitBounds.ID)))
		if missing > 0 && s.Creates(missing) {
			s.Parallel(times(missing, func(i int) {
				step := fmt.Sprintf("fill-%d", i+1)
				s.Create(step, s.Pet(step, spec.Available))
			})...)
		}
		// Other clients and lagging replicas change a count between two requests; a wrong default stays wrong.
		twenty := history.Exchange{}
		few := max(lastLen(s.Sent(limitBounds.ID)), len(s.Created())) <= spec.DefaultLimit
		s.Until(func(x history.Exchange) bool { return x.Len() == twenty.Len() && (few || x.Len() >= spec.DefaultLimit) }, func() history.Exchange {
			twenty = s.List("limit=20", Limit(spec.DefaultLimit))
			return s.List("no-limit", Query{})
		})
	},
	Judge: func(j *Judge) {
		for _, x := range j.Steps("fill-") {
			created(j, x)
		}
		none, twenty := j.Step("no-limit"), j.Step("limit=20")
		// A request that failed now and then is no less of a fault for not being the one that LIST-1 and LIST-3 are asked with.
		if listed, limited := j.Status("LIST-1", none, 200), j.Status("LIST-3", twenty, 200); !listed || !limited {
			return
		}
		switch {
		case none.Len() < 0:
			j.UnsureFor(none, "the listing without a limit is not an array")
		case twenty.Len() < 0:
			j.UnsureFor(twenty, "the listing with limit=20 is not an array")
		case twenty.Len() > spec.DefaultLimit && (none.Len() == twenty.Len() || none.Len() == spec.DefaultLimit):
			j.UnsureFor(twenty, fmt.Sprintf("the listing with limit=20 has %d animals", twenty.Len()))
		case none.Len() == twenty.Len() && none.Len() < spec.DefaultLimit && known(j.History) <= spec.DefaultLimit:
			why := fmt.Sprintf("the store has %d animals; with fewer than 21, no limit and limit=20 can't be told apart", none.Len())
			if j.History.Meta.ReadOnly {
				j.NotRun(why)
			} else {
				j.Unsure(why)
			}
		default:
			j.Expect("LIST-5", none, HoldAnimals(twenty.Len(), "as limit=20 lists"))
			j.Evidence("both list %d of at least %d animals", twenty.Len(), known(j.History))
		}
	},
}

// known is how many animals the run has seen: the service has no delete.
func known(h *history.History) int {
	ids := map[string]bool{}
	for _, x := range h.All {
		pets, _ := x.Pets()
		for _, p := range pets {
			ids[p.ID] = true
		}
	}
	for _, c := range h.Created() {
		ids[c.Answered.ID] = true
	}
	return len(ids)
}

// lastLen is the length of the last listing, 0 when it is none.
func lastLen(listings []history.Exchange) int {
	if len(listings) == 0 {
		return 0
	}
	return max(0, listings[len(listings)-1].Len())
}

// effectiveDefault is the number of animals that a listing without a limit turned out to hold at most: 20, unless
// list-limit-default has found otherwise.
func effectiveDefault(h *history.History) int {
	none, twenty := -1, -1
	for _, x := range h.Of("list-limit-default") {
		switch x.Step {
		case "no-limit":
			none = x.Len()
		case "limit=20":
			twenty = x.Len()
		}
	}
	if none >= 0 && none < twenty {
		return none
	}
	return spec.DefaultLimit
}

// everything lists as much as can be listed. Where limit=100 is refused, which LIST-3 tells, less has to do.
func everything(s *Sender, step string) history.Exchange {
	x := s.List(step, Limit(spec.MaxLimit))
	if x.Answered() && x.Status() != 200 {
		x = s.List(step, Limit(spec.MaxLimit-1))
	}
	if x.Answered() && x.Status() != 200 {
		x = s.List(step, Query{})
	}
	return x
}

func times(n int, f func(i int)) []func() {
	out := make([]func(), max(n, 0))
	for i := range out {
		out[i] = func() { f(i) }
	}
	return out
}
