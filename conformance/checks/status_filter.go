package checks

import (
	"fmt"
	"slices"
	"time"

	"petconform/conformance/check"
	"petconform/spec"
	"petconform/spec/history"
)

// statusFilter: each status is accepted, alone and with a limit, and lists the animals that have it (Endpoints /
// listPets, status). The rule filter-kept checks that no other animal is listed. With limit=1 a service that applies
// the filter after the limit lists nothing although an animal has the status. Some clients escape letters in a query,
// or write the status before the limit.
func statusFilter() []check.Check {
	var checks []check.Check
	for _, status := range spec.Statuses() {
		requests, deep := 1, func(s *check.Sender) []check.Request {
			ours := withStatus(s.Created(), status)
			return []check.Request{s.Patiently(firstWith(status), func(x history.Exchange) time.Time { return lacking(x, spec.MinLimit, ours) })}
		}
		if status == spec.Pending {
			requests, deep = 2, nil
		}
		checks = append(checks, check.Check{
			ID: "list-status-" + string(status), Title: "The status filter " + string(status), Operation: spec.ListPets,
			Proves: "LIST-8", Also: []spec.ID{"LIST-6"}, Requests: requests, Deeper: 2 - requests,
			Needs: []string{"create-statuses"}, After: []string{"create-parallel", "create-without-status",
				createFill.ID, "list-limit-default"},
			Send: func(s *check.Sender) { sendFilter(s, status) },
			Deep: deep,
			Judge: func(j *check.Judge) {
				for _, x := range append(askedFor(j.Steps(""), status), lastFiltered(j.History.Of("create-refused-leaves-nothing"), status)...) {
					if limit, _ := x.Asked("limit"); limit != "" && x.Status() != 200 {
						if plain, ok := limitRefused(j.History, limit); ok {
							j.UnsureFor(plain, fmt.Sprintf("limit=%s is answered %d without a filter too", limit, plain.Status()))
							continue
						}
					}
					if x.Step == "limit=1" && emptyPages(j.History) {
						j.UnsureFor(last(j.History, limitBounds.ID), "limit=1 lists no animal without a filter either")
						continue
					}
					if j.Status("LIST-6", x, 200) {
						judgeFilter(j, status, x)
					}
				}
			},
		})
	}
	return checks
}

func sendFilter(s *check.Sender, status spec.PetStatus) {
	ours, first := withStatus(s.Created(), status), s.Sent(ListAll.ID)
	h := s.History()
	ours = keepIf(ours, func(c history.Creation) bool { _, otherwise := statusShown(h, c, status); return !otherwise })
	var again history.Exchange
	within := func(limit int) func(history.Exchange) time.Time {
		return func(x history.Exchange) time.Time {
			left := othersLeftOut(h, x, limit, status)
			if len(left) > 0 && again.N == 0 { // they may be gone
				again = s.List("listed again", check.Limit(spec.MaxLimit))
			}
			if slices.ContainsFunc(left, func(p history.Pet) bool { return check.Holds(again, p.ID) }) {
				return first[0].Ended()
			}
			return lacking(x, limit, ours)
		}
	}
	room := within(EffectiveDefault(h))
	alone := s.Until(room, func() history.Exchange { return s.List("alone", check.Status(status)) })
	if alone.Len() > 0 && !room(alone).IsZero() { // for the filter, or for the limit?
		s.List(aloneOf20, check.Query{Raw: "status=" + string(status) + "&limit=20"})
	}
	if status == spec.Pending {
		pageOf1 := within(spec.MinLimit)
		if emptyPages(h) { // whatever is asked for
			pageOf1 = func(history.Exchange) time.Time { return time.Time{} }
		}
		s.Until(pageOf1, func() history.Exchange { return s.Do(firstWith(status)) })
	}
	// No room to see all: look further, unless create-refused-leaves-nothing will do so.
	if alone.Len() >= spec.DefaultLimit && !hidden(s) {
		s.Until(within(spec.MaxLimit), func() history.Exchange {
			return s.List("limit=100", check.Query{Limit: "100", Status: string(status)})
		})
	}
}

// firstWith lists the first animal with a status.
func firstWith(status spec.PetStatus) check.Request {
	return check.List("limit=1", check.Query{Raw: fmt.Sprintf("status=%%%02x%s&limit=1", status[0], status[1:])})
}

// aloneOf20 is the step that gives a filtered listing without a limit the default one.
const aloneOf20 = "with limit=20"

func judgeFilter(j *check.Judge, status spec.PetStatus, x history.Exchange) {
	limit := spec.MaxLimit
	switch x.Step {
	case "alone":
		limit = EffectiveDefault(j.History)
		if y := j.Step(aloneOf20); y.Len() > x.Len() && len(overdue(j, x, leftOut(x, limit, createdBefore(j.History, x)))) > 0 {
			j.Expect("LIST-8", x, check.ListAnimals(y.Len(), "as it has with limit=20"), "a listing with status=%s and without a limit", status)
			j.Titled("With a status and without a limit, a listing has at most %s", spec.Count(x.Len(), "animal"))
			return
		}
	case "limit=1":
		limit = spec.MinLimit
	}
	for _, p := range othersLeftOut(j.History, x, limit, status) {
		if !stillShown(j.History, x, p.ID, status) {
			continue
		}
		if shown, _ := j.History.FirstShown(p.ID); j.History.MayLag(x, shown) {
			young(j, x, p.ID, shown)
		} else {
			j.Expect("LIST-8", x, check.ListAnimal(p.ID, "among at most "+spec.Count(limit, "animal")),
				"animals of other clients that listings before and after show with status %s, listed with status=%s (%s)", status, status, x.Step)
			return
		}
	}
	ours := withStatus(createdBefore(j.History, x), status)
	if len(ours) == 0 && j.History.Meta.ReadOnly {
		j.NotRun("a read-only run creates no animal to look for")
		return
	}
	if len(ours) == 0 {
		j.Unsure(fmt.Sprintf("the run created no animal that shows the status %s, so there is none to look for", status))
		return
	}
	if x.Len() < 0 {
		return
	}
	missing := leftOut(x, limit, ours)
	// An animal that no read shows, or that reads show with another status, was not kept; that is CREATE-13.
	missing = keepIf(missing, func(c history.Creation) bool { return shownWith(j.History, c, status) })
	if old := overdue(j, x, missing); len(old) > 0 {
		c := old[0]
		why := "created by the run, among at most " + spec.Count(limit, "animal")
		j.Expect("LIST-8", x, check.ListAnimal(c.Answered.ID, why),
			"animals that were created with status %s, as by exchange %d, listed with status=%s (%s)",
			status, c.Exchange.N, status, x.Step)
		j.DependsOn(c)
		return
	}
	j.Evidence("%s: %s", x.Step, spec.Count(x.Len(), "animal"))
}

// hidden reports whether a page of 100 is full and shows none of the run's first animals, so that a later check lists
// each status with limit=100 when all animals are created.
func hidden(s *check.Sender) bool {
	page := pageOf100(s.History())
	return page.Len() >= spec.MaxLimit && !page.Continues() &&
		!slices.ContainsFunc(s.Sent(createStatuses.ID), func(x history.Exchange) bool { p, ok := x.Pet(); return ok && check.Holds(page, p.ID) })
}

// lastFiltered returns the last listing with a status, which waited for a replica that lags.
func lastFiltered(listings []history.Exchange, status spec.PetStatus) []history.Exchange {
	all := askedFor(listings, status)
	return all[max(0, len(all)-1):]
}

func askedFor(listings []history.Exchange, status spec.PetStatus) []history.Exchange {
	return keepIf(listings, func(x history.Exchange) bool { got, _ := x.Asked("status"); return got == string(status) })
}

// othersLeftOut returns the animals with a status that the first listing of the run shows and that a filtered listing
// with room lacks. Of one that the run was given the id of, another check tells.
func othersLeftOut(h *history.History, x history.Exchange, limit int, status spec.PetStatus) []history.Pet {
	first := h.Of(ListAll.ID)
	if len(first) == 0 || x.Len() < 0 || x.Len() >= limit || x.Continues() || anonymous(x) {
		return nil
	}
	pets, _ := first[0].Pets()
	return keepIf(pets, func(p history.Pet) bool {
		got, ok := p.Status()
		given := func(c history.Creation) bool { return c.Answered.ID == p.ID }
		return ok && got == status && p.ID != "" && !check.Holds(x, p.ID) && !slices.ContainsFunc(h.Created(), given)
	})
}

// stillShown reports whether the first unfiltered read after x that shows an animal shows it with a status.
func stillShown(h *history.History, x history.Exchange, id string, status spec.PetStatus) bool {
	for _, y := range h.All {
		if _, filtered := y.Asked("status"); filtered || y.N <= x.N || y.Sent.Before(x.Ended()) {
			continue
		}
		for _, p := range readPets(y) {
			if got, _ := p.Status(); p.ID == id {
				return got == status
			}
		}
	}
	return false
}

// limitRefused returns a listing without a filter whose limit was refused.
func limitRefused(h *history.History, limit string) (history.Exchange, bool) {
	return firstOf(h.All, func(x history.Exchange) bool {
		_, filtered := x.Asked("status")
		asked, _ := x.Asked("limit")
		return !filtered && asked == limit && x.Auth.Valid() && x.Answered() && x.Status() != 200 && !x.Limited()
	})
}

// withStatus keeps the animals that have the status in the response to createPet. A response with another status than
// the one sent is CREATE-3.
func withStatus(all []history.Creation, status spec.PetStatus) []history.Creation {
	return keepIf(all, func(c history.Creation) bool {
		got, ok := c.Answered.Status()
		return ok && got == status && c.Answered.ID != ""
	})
}

// shownWith reports whether every unfiltered read that shows the animal shows it with the status, and one does if one
// could.
func shownWith(h *history.History, c history.Creation, status spec.PetStatus) bool {
	found, otherwise := statusShown(h, c, status)
	return !otherwise && (found || !findable(h))
}

// statusShown reports whether an unfiltered read shows an animal, and whether one shows it with another status.
func statusShown(h *history.History, c history.Creation, status spec.PetStatus) (found, otherwise bool) {
	for _, x := range h.All {
		if _, filtered := x.Asked("status"); filtered {
			continue
		}
		for _, p := range readPets(x) {
			if p.ID == c.Answered.ID {
				got, ok := p.Status()
				found, otherwise = true, otherwise || !ok || got != status
			}
		}
	}
	return found, otherwise
}

// EffectiveDefault is the target's default limit: 20, unless list-limit-default has seen a smaller one.
func EffectiveDefault(h *history.History) int {
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
