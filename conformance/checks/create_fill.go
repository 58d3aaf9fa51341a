package checks

import (
	"fmt"

	"petconform/conformance/check"
	"petconform/spec"
	"petconform/spec/history"
)

// createFill creates animals until the store has the 21 that list-limit-default needs, within MaxCreates. It sends
// nothing if the store has them. Example: the other checks of a whole run create 20 animals, and this one the 21st.
var createFill = check.Check{
	ID: "create-fill", Title: "createPet until the store has 21 animals", Operation: spec.CreatePet,
	Proves: "CREATE-1", Reads: true, Animals: spec.DefaultLimit + 1, Needs: []string{limitBounds.ID},
	After: []string{"create-statuses", "create-parallel", "create-names", "create-category", "create-open", "create-id"},
	Send: func(s *check.Sender) {
		missing := spec.DefaultLimit + 1 - inStore(s)
		if missing > 0 && s.Take(missing) {
			var all []check.Request
			for i := range missing {
				step := fmt.Sprintf("fill-%d", i+1)
				all = append(all, check.Create(step, s.Pet(step, spec.Available)))
			}
			s.Together(all...)
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
func inStore(s *check.Sender) int {
	known := keepIf(s.Created(), func(c history.Creation) bool { return c.Answered.ID != "" })
	return max(len(known), pageOf100(s.History()).Len())
}
