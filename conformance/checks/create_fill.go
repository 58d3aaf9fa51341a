package checks

import (
	"fmt"

	"petconform/conformance/check"
	"petconform/spec"
	"petconform/spec/history"
)

// createFill creates animals until the store has the 21 that list-limit-default needs, within MaxCreates. It sends nothing if the
// store has them. Example: the other checks of a whole run create 20 animals, and this one the 21st.
var createFill = check.Check{
	ID: "create-fill", Title: "createPet until the store has 21 animals", Operation: spec.CreatePet,
	Proves: "CREATE-1", Reads: true, Animals: spec.DefaultLimit + 1, Needs: []string{limitBounds.ID},
	After: []string{"create-statuses", "create-parallel", "create-names", "create-category", "create-open", "create-id"},
	Send: func(s *check.Sender) {
		missing := spec.DefaultLimit + 1 - inStore(s)
		if missing > 0 && s.Creates(missing) {
			s.Parallel(times(missing, func(i int) {
				step := fmt.Sprintf("fill-%d", i+1)
				s.Create(step, s.Pet(step, spec.Available))
			})...)
		}
	},
	Judge: func(j *check.Judge) {
		for _, x := range j.Steps("") {
			created(j, x)
		}
		if len(j.Own()) == 0 {
			j.NotApplicable("no createPet was sent to fill the store")
		}
		j.Evidence("%s created", spec.Count(len(j.Own()), "animal"))
	},
}

// inStore returns the number of animals that the store is known to have, as far as a page of 100 shows them.
func inStore(s *check.Sender) int { return max(len(s.Created()), lastLen(s.Sent(limitBounds.ID))) }

// lastLen returns the length of the last listing, or 0 if it is not a listing.
func lastLen(listings []history.Exchange) int {
	if len(listings) == 0 {
		return 0
	}
	return max(0, listings[len(listings)-1].Len())
}

func times(n int, f func(i int)) []func() {
	out := make([]func(), max(n, 0))
	for i := range out {
		out[i] = func() { f(i) }
	}
	return out
}
