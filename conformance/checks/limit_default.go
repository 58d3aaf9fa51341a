package checks

import (
	"fmt"
	"time"

	"petconform/conformance/check"
	"petconform/spec"
	"petconform/spec/history"
)

// limitDefault: without a limit, the limit is 20 (Endpoints / listPets, limit). The interface promises no order, so the check
// compares the lengths of two listings and not their animals. With fewer than 21 animals in the store the lengths are equal
// whatever the default is, and the check is inconclusive; the check create-fill sees to 21.
var limitDefault = check.Check{
	ID: "list-limit-default", Title: "No limit means 20", Operation: spec.ListPets,
	Proves: "LIST-5", Also: []spec.ID{"LIST-1", "LIST-3"}, Requests: 2, Needs: []string{createFill.ID},
	Send: func(s *check.Sender) {
		// A lagging replica, or another client, may change the store between the two. A wrong default stays wrong, and a page
		// of more than 20 does not get shorter.
		var twenty history.Exchange
		differs := func(none history.Exchange) time.Time {
			n, m := none.Len(), twenty.Len()
			if n < 0 || m < 0 || anonymous(none) || max(n, m) > spec.DefaultLimit || n == m && n >= min(spec.DefaultLimit, inStore(s)) {
				return time.Time{}
			}
			return s.Newest()
		}
		s.Until(differs, func() history.Exchange {
			twenty = s.List("limit=20", check.Limit(spec.DefaultLimit))
			return s.List("no-limit", check.Query{})
		})
	},
	Judge: func(j *check.Judge) {
		none, twenty := j.Step("no-limit"), j.Step("limit=20")
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
			tooFew(j, none.Len())
		default:
			j.Expect("LIST-5", none, check.ListAnimals(twenty.Len(), "as limit=20 lists"))
			j.Evidence("both list %d of at least %d animals", twenty.Len(), known(j.History))
		}
	},
}

// tooFew says that the store has too few animals to show the default. A read-only run may not add any.
func tooFew(j *check.Judge, n int) {
	why := fmt.Sprintf("the store has %s; with fewer than 21, no limit and limit=20 list the same", spec.Count(n, "animal"))
	if j.History.Meta.ReadOnly {
		j.NotRun(why)
		return
	}
	j.Unsure(why)
}
