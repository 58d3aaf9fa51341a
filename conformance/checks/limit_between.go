package checks

import (
	"fmt"
	"slices"
	"time"

	"petconform/conformance/check"
	"petconform/spec"
	"petconform/spec/history"
)

// limitsBetween are limits of which a quick run takes one: with the default seed 99. Compared as text each is more than
// 100.
var limitsBetween = []int{99, 9, 50, 25, 75, 49, 51, 98}

// limitBetween: a limit between 1 and 100 is accepted, and a page that is shorter than its limit leaves no animal out.
// Other clients may take animals out of the store and put others in, so an animal counts only where a later listing
// shows it too.
var limitBetween = values[int]{varied: limitsBetween}.sentBy(check.Check{
	ID: "list-limit-between", Title: "A limit between 1 and 100", Operation: spec.ListPets,
	Proves: "LIST-3", Also: []spec.ID{"LIST-11"},
	Needs: []string{limitBounds.ID, createFill.ID},
	Judge: func(j *check.Judge) {
		for _, n := range limitsBetween {
			x := j.Step(limitStep(n))
			if x.N == 0 || !j.Status("LIST-3", x, 200) {
				continue
			}
			young := func(id string) bool { return j.History.MayLag(x, firstShown(j.History, id)) }
			missing := keepIf(lackedBy(j.History, x, n), func(id string) bool { return ListedAfter(j.History, x, id) })
			id, old := firstOf(missing, func(id string) bool { return !young(id) })
			if !old {
				ours := leftOut(x, n, createdBefore(j.History, x))
				overdue(j, x, keepIf(ours, func(c history.Creation) bool { return slices.Contains(missing, c.Answered.ID) }))
				continue
			}
			j.Expect("LIST-11", x, check.ListAnimal(id, "which listings before and afterwards show"),
				"a listing with limit=%d, which has %s", n, spec.Count(x.Len(), "animal"))
			titleCutOff(j, x)
		}
	},
}, limitStep, func(s *check.Sender, n int) check.Request {
	ours := s.Created() // not those that are created meanwhile
	most := 1
	if s.Deep {
		most = places
	}
	var looks []history.Exchange
	held := func(id string) bool {
		return slices.ContainsFunc(looks, func(y history.Exchange) bool { return check.Holds(y, id) })
	}
	return s.Patiently(check.List(limitStep(n), check.Limit(n)), func(x history.Exchange) time.Time {
		if since := lacking(x, n, ours); !since.IsZero() {
			return since
		}
		missing := lackedBy(s.History(), x, n)
		id, found := firstOf(missing, held)
		for len(missing) > 0 && !found && len(looks) < most { // they may be gone
			looks = append(looks, s.List("listed again", check.Limit(spec.MaxLimit)))
			id, found = firstOf(missing, held)
		}
		return firstShown(s.History(), id)
	})
})

func limitStep(n int) string { return fmt.Sprintf("limit=%d", n) }

// lackedBy returns the animals that earlier listings show and that a listing lacks, although it has room for them.
func lackedBy(h *history.History, x history.Exchange, limit int) (ids []string) {
	if x.Len() < 0 || x.Len() >= limit || x.Continues() || anonymous(x) {
		return nil
	}
	for _, p := range petsIn(keepIf(h.All, func(y history.Exchange) bool { return !y.Ended().After(x.Sent) })) {
		if p.ID != "" && !check.Holds(x, p.ID) && !slices.Contains(ids, p.ID) {
			ids = append(ids, p.ID)
		}
	}
	return ids
}

func firstShown(h *history.History, id string) time.Time {
	at, _ := h.FirstShown(id)
	return at
}
