package checks

import (
	"fmt"
	"time"

	"petconform/conformance/check"
	"petconform/spec"
	"petconform/spec/history"
)

// limitsBetween are limits of which a standard run takes one, by its seed. Compared as text each is more than 100.
var limitsBetween = []int{50, 9, 99, 25, 75}

// limitBetween: a limit between 1 and 100 is accepted, and a page that is shorter than its limit leaves no animal out.
var limitBetween = check.Check{
	ID: "list-limit-between", Title: "A limit between 1 and 100", Operation: spec.ListPets,
	Proves: "LIST-3", Also: []spec.ID{"LIST-11"}, Requests: 1, Deeper: len(limitsBetween) - 1, Varied: stepsOf(limitsBetween, limitStep),
	Needs: []string{limitBounds.ID, createFill.ID},
	Send: func(s *check.Sender) {
		for _, n := range check.Some(s, 1, limitsBetween) {
			s.Until(func(x history.Exchange) time.Time { return lacking(x, n, s.Created()) }, func() history.Exchange {
				return s.List(limitStep(n), check.Limit(n))
			})
		}
	},
	Judge: func(j *check.Judge) {
		for _, n := range limitsBetween {
			x := j.Step(limitStep(n))
			if x.N == 0 || !j.Status("LIST-3", x, 200) || x.Len() < 0 || x.Continues() {
				continue
			}
			// Other clients may take animals out of the store, so there have to be as many afterwards too.
			stored := max(0, min(last(j.History, limitBounds.ID).Len(), last(j.History, listedCreated.ID).Len()))
			want := min(n, stored)
			if !j.Expect("LIST-11", x, check.That(x.Len() >= want, fmt.Sprintf("at least %d animals", want), fmt.Sprint(x.Len())),
				"a listing with limit=%d, where pages before and afterwards have at least %d animals", n, stored) {
				continue
			}
			for _, c := range leftOut(x, n, createdBefore(j.History, x)) {
				if listedAfter(j.History, x, c.Answered.ID) {
					j.Expect("LIST-11", x, check.ListAnimal(c.Answered.ID, "which a later listing shows"), "a listing with limit=%d", n)
					break
				}
			}
		}
	},
}

func limitStep(n int) string { return fmt.Sprintf("limit=%d", n) }
