package checks

import (
	"fmt"
	"time"

	"petconform/conformance/check"
	"petconform/spec"
	"petconform/spec/history"
)

// limitBounds: limit=1 and limit=100 are accepted (Limits: 1 to 100). The rule limit-kept holds the length of every listing, and the
// check list-created looks for animals that are left out.
var limitBounds = check.Check{
	ID: "list-limit-bounds", Title: "limit=1 and limit=100 are accepted", Operation: spec.ListPets,
	Proves: "LIST-3", Also: []spec.ID{"LIST-11"}, Requests: 2, After: []string{"create-statuses", "create-parallel"},
	Send: func(s *check.Sender) {
		s.Until(func(x history.Exchange) time.Time { return lacking(x, spec.MinLimit, s.Created()) }, func() history.Exchange {
			return s.List("limit=1", check.Limit(spec.MinLimit))
		})
		s.List("limit=100", check.Limit(spec.MaxLimit)) // the last: create-fill reads its length
	},
	Judge: func(j *check.Judge) {
		one, hundred := j.Step("limit=1"), j.Step("limit=100")
		j.Status("LIST-3", one, 200)
		j.Status("LIST-3", hundred, 200)
		// An empty page of one says that there is no animal at all.
		if hundred.Len() > 0 && !one.Continues() {
			j.Expect("LIST-11", one, check.That(one.Len() != 0, "1 animal", fmt.Sprintf("an empty listing; limit=100 has %d", hundred.Len())),
				"limit=1 while there are animals")
		}
	},
}
