package conformance

import (
	"fmt"

	"petconform/spec"
	"petconform/spec/history"
)

// limitBounds: both ends of limit's range are in it (Limits: 1 to 100). That no listing is longer than its limit, a rule says of
// every listing. That a page with room left leaves nothing out is list-created's.
var limitBounds = Check{
	ID: "list-limit-bounds", Title: "limit=1 and limit=100 are accepted", Operation: spec.ListPets,
	Proves: "LIST-3", Also: []spec.ID{"LIST-11"}, Requests: 3, After: []string{"create-statuses", "create-parallel"},
	Send: func(s *Sender) {
		some := len(s.Created()) > 0
		s.Until(func(x history.Exchange) bool { return !some || x.Len() != 0 }, func() history.Exchange {
			return s.List("limit=1", Limit(spec.MinLimit))
		})
		s.List("limit=9", Limit(9)) // as text, 9 is more than 100
		s.List("limit=100", Limit(spec.MaxLimit))
	},
	Judge: func(j *Judge) {
		one, hundred := j.Step("limit=1"), j.Step("limit=100")
		j.Status("LIST-3", one, 200)
		j.Status("LIST-3", j.Step("limit=9"), 200)
		j.Status("LIST-3", hundred, 200)
		// An empty page of one says that there is no animal at all.
		if one.Len() == 0 && hundred.Len() > 0 && !one.Continues() {
			j.Find("LIST-11", one, "limit=1 while there are animals", "1 animal", fmt.Sprintf("an empty listing; limit=100 has %d", hundred.Len()))
		}
	},
}
