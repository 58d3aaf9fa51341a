package checks

import (
	"fmt"
	"time"

	"petconform/conformance/check"
	"petconform/spec"
	"petconform/spec/history"
)

// limitsBetween are limits of which a quick run takes one: with the default seed 99. Compared as text each is more than 100.
var limitsBetween = []int{99, 9, 50, 25, 75, 49, 51, 98}

// limitBetween: a limit between 1 and 100 is accepted, and a page that is shorter than its limit leaves no animal out.
var limitBetween = values[int]{varied: limitsBetween}.sentBy(check.Check{
	ID: "list-limit-between", Title: "A limit between 1 and 100", Operation: spec.ListPets,
	Proves: "LIST-3", Also: []spec.ID{"LIST-11"},
	Needs: []string{limitBounds.ID, createFill.ID},
	Judge: func(j *check.Judge) {
		for _, n := range limitsBetween {
			x := j.Step(limitStep(n))
			if x.N == 0 || !j.Status("LIST-3", x, 200) || x.Len() < 0 || x.Continues() {
				continue
			}
			// Other clients may take animals out of the store, so there have to be as many afterwards too.
			afterwards := lastOf(keepIf(j.History.Of(ListedCreated.ID), func(y history.Exchange) bool {
				_, filtered := y.Asked("status")
				return y.Operation == spec.ListPets && !filtered && y.N > x.N
			}))
			stored := max(0, min(pageOf100(j.History).Len(), afterwards.Len()))
			want := min(n, stored)
			if !j.Expect("LIST-11", x, check.That(x.Len() >= want, "at least "+spec.Count(want, "animal"), fmt.Sprint(x.Len())),
				"a listing with limit=%d, where pages before and afterwards have at least %s", n, spec.Count(stored, "animal")) {
				titleCutOff(j, x)
				continue
			}
			for _, c := range overdue(j, x, leftOut(x, n, createdBefore(j.History, x))) {
				if ListedAfter(j.History, x, c.Answered.ID) {
					j.Expect("LIST-11", x, check.ListAnimal(c.Answered.ID, "which a later listing shows"), "a listing with limit=%d", n)
					titleCutOff(j, x)
					break
				}
			}
		}
	},
}, limitStep, func(s *check.Sender, n int) check.Request {
	ours := s.Created() // not those that are created meanwhile
	return s.Patiently(check.List(limitStep(n), check.Limit(n)), func(x history.Exchange) time.Time { return lacking(x, n, ours) })
})

func limitStep(n int) string { return fmt.Sprintf("limit=%d", n) }
