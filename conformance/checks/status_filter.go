package checks

import (
	"fmt"
	"slices"
	"time"

	"petconform/conformance/check"
	"petconform/spec"
	"petconform/spec/history"
)

// statusFilter: each status is accepted, alone and with a limit, and lists the animals that have it (Endpoints / listPets,
// status). The rule filter-kept checks that no other animal is listed. With limit=1 a service that applies the filter after the
// limit lists nothing although an animal has the status. Some clients escape letters in a query, or write the status before the
// limit.
func statusFilter() []check.Check {
	var checks []check.Check
	for _, status := range spec.Statuses() {
		requests := 1
		if status == spec.Pending {
			requests = 2
		}
		checks = append(checks, check.Check{
			ID: "list-status-" + string(status), Title: "The status filter " + string(status), Operation: spec.ListPets,
			Proves: "LIST-8", Also: []spec.ID{"LIST-6"}, Requests: requests, Deeper: 2 - requests, Needs: []string{"create-statuses"}, After: []string{"create-parallel", "create-without-status", createFill.ID, "list-limit-default"},
			Send: func(s *check.Sender) { sendFilter(s, status) },
			Judge: func(j *check.Judge) {
				for _, x := range append(askedFor(j.Steps(""), status), lastFiltered(j.History.Of("create-refused-leaves-nothing"), status)...) {
					if limit, _ := x.Asked("limit"); limit != "" && x.Status() != 200 {
						if plain, ok := limitRefused(j.History, limit); ok {
							j.UnsureFor(plain, fmt.Sprintf("limit=%s is answered %d without a filter too", limit, plain.Status()))
							continue
						}
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
	var again history.Exchange
	within := func(limit int) func(history.Exchange) time.Time {
		return func(x history.Exchange) time.Time {
			left := othersLeftOut(x, limit, first, status)
			if len(left) > 0 && again.N == 0 { // they may be gone
				again = s.List("listed again", check.Limit(spec.MaxLimit))
			}
			if slices.ContainsFunc(left, func(p history.Pet) bool { return check.Holds(again, p.ID) }) {
				return first[0].Ended()
			}
			return lacking(x, limit, ours)
		}
	}
	alone := s.Until(within(spec.DefaultLimit), func() history.Exchange { return s.List("alone", check.Status(status)) })
	if s.Deep() || status == spec.Pending {
		s.Until(within(spec.MinLimit), func() history.Exchange {
			return s.List("limit=1", check.Query{Raw: fmt.Sprintf("status=%%%02x%s&limit=1", status[0], status[1:])})
		})
	}
	// No room to see all: look further, unless create-refused-leaves-nothing will do so.
	if alone.Len() >= spec.DefaultLimit && !hidden(s) {
		s.Until(within(spec.MaxLimit), func() history.Exchange {
			return s.List("limit=100", check.Query{Limit: "100", Status: string(status)})
		})
	}
}

func judgeFilter(j *check.Judge, status spec.PetStatus, x history.Exchange) {
	limit := spec.MaxLimit
	switch x.Step {
	case "alone":
		limit = effectiveDefault(j.History)
	case "limit=1":
		limit = spec.MinLimit
	}
	for _, p := range othersLeftOut(x, limit, j.History.Of(ListAll.ID), status) {
		if stillShown(j.History, x, p.ID, status) {
			j.Expect("LIST-8", x, check.ListAnimal(p.ID, fmt.Sprintf("among at most %d animals", limit)),
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
	if len(missing) > 0 {
		c := missing[0]
		why := fmt.Sprintf("created by exchange %d, among at most %d animals", c.Exchange.N, limit)
		j.Expect("LIST-8", x, check.ListAnimal(c.Answered.ID, why), "animals that were created with status %s, listed with status=%s (%s)", status, status, x.Step)
		j.DependsOn(c)
		return
	}
	j.Evidence("%s: %d animals", x.Step, x.Len())
}

// hidden reports whether a page of 100 is full and shows none of the run's first animals, so that a later check lists each status
// with limit=100 when all animals are created.
func hidden(s *check.Sender) bool {
	pages := s.Sent(limitBounds.ID)
	if len(pages) == 0 {
		return false
	}
	page := pages[len(pages)-1]
	return page.Len() >= spec.MaxLimit && !page.Continues() &&
		!slices.ContainsFunc(s.Sent(createStatuses.ID), func(x history.Exchange) bool { p, ok := x.Pet(); return ok && check.Holds(page, p.ID) })
}

// lastFiltered returns the last listing with a status, which waited for a replica that lags.
func lastFiltered(listings []history.Exchange, status spec.PetStatus) []history.Exchange {
	all := askedFor(listings, status)
	return all[max(0, len(all)-1):]
}

// askedFor returns the listings that were asked for with a status.
func askedFor(listings []history.Exchange, status spec.PetStatus) []history.Exchange {
	return keepIf(listings, func(x history.Exchange) bool { got, _ := x.Asked("status"); return got == string(status) })
}

// othersLeftOut returns the animals with a status that the first listing of the run shows and that a filtered listing with room
// lacks.
func othersLeftOut(x history.Exchange, limit int, first []history.Exchange, status spec.PetStatus) []history.Pet {
	if len(first) == 0 || x.Len() < 0 || x.Len() >= limit || x.Continues() || anonymous(x) {
		return nil
	}
	pets, _ := first[0].Pets()
	return keepIf(pets, func(p history.Pet) bool {
		got, ok := p.Status()
		return ok && got == status && p.ID != "" && !check.Holds(x, p.ID)
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

// withStatus keeps the animals that have the status in the response to createPet. A response with another status than the one sent
// is CREATE-3.
func withStatus(all []history.Creation, status spec.PetStatus) []history.Creation {
	return keepIf(all, func(c history.Creation) bool {
		got, ok := c.Answered.Status()
		return ok && got == status && c.Answered.ID != ""
	})
}

// shownWith reports whether every unfiltered read that shows the animal shows it with the status, and one does if one could.
func shownWith(h *history.History, c history.Creation, status spec.PetStatus) bool {
	found := false
	for _, x := range h.All {
		if _, filtered := x.Asked("status"); filtered {
			continue
		}
		for _, p := range readPets(x) {
			if p.ID != c.Answered.ID {
				continue
			}
			found = true
			if got, ok := p.Status(); !ok || got != status {
				return false
			}
		}
	}
	return found || !findable(h)
}

// effectiveDefault is the target's default limit: 20, unless list-limit-default has seen a smaller one.
func effectiveDefault(h *history.History) int {
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
