package checks

import (
	"fmt"
	"time"

	"petconform/conformance/check"
	"petconform/spec"
	"petconform/spec/history"
)

// limitBounds: limit=1 and limit=100 are accepted (Limits: 1 to 100). The rule limit-kept holds the length of every
// listing, and the check list-created looks for animals that are left out.
var limitBounds = check.Check{
	ID: "list-limit-bounds", Title: "limit=1 and limit=100 are accepted", Operation: spec.ListPets,
	Proves: "LIST-3", Also: []spec.ID{"LIST-11"}, Requests: 2, After: []string{"create-statuses", "create-parallel"},
	Send: func(s *check.Sender) {
		one, hundred := check.List("limit=1", check.Limit(spec.MinLimit)), check.List("limit=100", check.Limit(spec.MaxLimit))
		x, y := s.Alternate(emptyBeside, one, hundred)
		if emptyBeside(x, y) && emptyPages(s.History()) {
			return
		}
		if lacks := func(x history.Exchange) time.Time { return lacking(x, spec.MinLimit, s.Created()) }; !lacks(x).IsZero() {
			if x = s.Until(lacks, func() history.Exchange { return s.Do(one) }); x.Len() == 0 {
				s.Do(hundred)
			}
		}
	},
	Judge: func(j *check.Judge) {
		one, hundred := j.Step("limit=1"), j.Step("limit=100")
		j.Status("LIST-3", one, 200)
		j.Status("LIST-3", hundred, 200)
		// An empty page of one says that there is no animal at all.
		if !emptyBeside(one, hundred) {
			return
		}
		since, _ := oldestShown(j.History, hundred)
		if !emptyPages(j.History) && j.History.MayLag(one, since) {
			j.UnsureFor(one, "limit=1 lists no animal and limit=100 some, but not each time; replicas may lag")
			return
		}
		j.Expect("LIST-11", one, check.That(false, "1 animal", fmt.Sprintf("an empty listing; limit=100 has %d", hundred.Len())),
			"limit=1 while there are animals")
		j.Titled("limit=1 lists no animals")
	},
}

// emptyPages reports whether limit=1 lists no animal each time, and limit=100 some.
func emptyPages(h *history.History) bool {
	return cutShort(h.Of("list-limit-bounds"), "limit=1", "limit=100")
}

func pageOf100(h *history.History) history.Exchange { return lastStep(h, limitBounds.ID, "limit=100") }

// emptyBeside reports whether a page of one is empty although a page of a hundred is not.
func emptyBeside(one, hundred history.Exchange) bool {
	return one.Len() == 0 && hundred.Len() > 0 && !one.Continues()
}
