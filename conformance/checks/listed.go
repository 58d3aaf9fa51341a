package checks

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"petconform/conformance/check"
	"petconform/spec"
	"petconform/spec/history"
)

// leftOut returns those of the given animals that a listing lacks. A full page may lack animals, and so may one that
// names a next page. Animals that were created at the same time come last, since which of them got which id differs
// from run to run.
func leftOut(x history.Exchange, limit int, ours []history.Creation) []history.Creation {
	if x.Len() < 0 || x.Len() >= limit || x.Continues() || anonymous(x) {
		return nil
	}
	missing := keepIf(ours, func(c history.Creation) bool { return c.Answered.ID != "" && !check.Holds(x, c.Answered.ID) })
	parallel := func(c history.Creation) bool { return c.Exchange.Check == createParallel.ID }
	return append(keepIf(missing, func(c history.Creation) bool { return !parallel(c) }), keepIf(missing, parallel)...)
}

// overdue returns those of the animals that a read lacks which are too old for a lagging replica to explain it. If it
// returns none of several, the check is inconclusive.
func overdue(j *check.Judge, x history.Exchange, missing []history.Creation) []history.Creation {
	old := keepIf(missing, func(c history.Creation) bool { return !j.History.MayLag(x, c.Exchange.Ended()) })
	if len(old) == 0 && len(missing) > 0 {
		young(j, x, missing[0].Answered.ID, missing[0].Exchange.Ended())
	}
	return old
}

// young makes the check inconclusive because x lacks an animal that a replica may not have yet.
func young(j *check.Judge, x history.Exchange, id string, shown time.Time) {
	j.UnsureFor(x, fmt.Sprintf("exchange %d (%s) lacks animal %s, which was first shown %s before; a replica may lag for %s, and the run waited no longer",
		x.N, x.Step, id, x.Sent.Sub(shown).Round(time.Millisecond), j.History.Meta.Patience))
}

// anonymous reports whether an element of a listing has no id, so that it could be any animal.
func anonymous(x history.Exchange) bool {
	pets, _ := x.Pets()
	return len(pets) < x.Len() || slices.ContainsFunc(pets, func(p history.Pet) bool { return p.ID == "" })
}

func keepIf[T any](all []T, keep func(T) bool) []T {
	return slices.DeleteFunc(slices.Clone(all), func(v T) bool { return !keep(v) })
}

// createdBefore returns the animals that reads have to show and whose creation was answered before x was sent.
func createdBefore(h *history.History, x history.Exchange) []history.Creation {
	return keepIf(h.Owed(), func(c history.Creation) bool { return !c.Exchange.Ended().After(x.Sent) })
}

// readPets returns the animals that a read (not a creation) shows.
func readPets(x history.Exchange) []history.Pet {
	if x.Operation == spec.CreatePet {
		return nil
	}
	return x.Shown()
}

// showsAll reports whether a listing has limit=100 and fewer than 100 animals. Without a filter it shows every animal
// of the store.
func showsAll(x history.Exchange) bool {
	limit, _ := x.Asked("limit")
	return limit == "100" && x.Len() >= 0 && x.Len() < spec.MaxLimit && !x.Continues()
}

// findable reports whether the run has a listing that shows every animal of the store.
func findable(h *history.History) bool {
	return slices.ContainsFunc(h.All, func(x history.Exchange) bool {
		_, filtered := x.Asked("status")
		return !filtered && showsAll(x)
	})
}

// firstOf returns the first value that is one of those wanted, and whether there is one.
func firstOf[T any](all []T, wanted func(T) bool) (first T, found bool) {
	if i := slices.IndexFunc(all, wanted); i >= 0 {
		return all[i], true
	}
	return first, false
}

// fetched returns the last answer of getPet for an id, and whether it was asked.
func fetched(h *history.History, id string) (history.Exchange, bool) {
	for _, x := range slices.Backward(h.All) {
		if x.Operation == spec.GetPet && x.PetID() == id && x.Auth.Valid() && x.Answered() {
			return x, true
		}
	}
	return history.Exchange{}, false
}

// ListedCreated: every animal that the run created is listed, up to the limit (What the service does). The check comes
// last, and repeats the listing within Patience while an animal is missing, since a replica may lag.
var ListedCreated = check.Check{
	ID: "list-created", Title: "What was created is listed", Operation: spec.ListPets,
	Proves: "LIST-11", Also: []spec.ID{"CREATE-13", "LIST-3", "LIST-8", "GET-1"}, Requests: 1, Deeper: pooled + fetchedAgain, Last: true,
	Needs: []string{"create-statuses"},
	Send: func(s *check.Sender) {
		if len(s.Created()) == 0 {
			s.Skip("the run created no animal")
			return
		}
		all := func() history.Exchange { return everything(s, "all") }
		x := s.Until(func(x history.Exchange) time.Time {
			return oldest(append(leftOut(x, spec.MaxLimit, s.Created()), notYet(x, s.Created())...))
		}, all)
		missing := leftOut(x, spec.MaxLimit, s.Created())
		if len(missing) > 0 {
			if s.Getting() {
				s.Get("missing", missing[0].Answered.ID) // not listed, or not kept?
			}
			return
		}
		lookSteadily(s)
		if id := otherLeftOut(s.History(), x); id != "" && s.Getting() && s.Get("other's", id).Status() == 200 { // not gone
			shown, _ := s.History().FirstShown(id)
			s.Until(func(x history.Exchange) time.Time {
				if otherLeftOut(s.History(), x) == "" {
					return time.Time{}
				}
				return shown
			}, all)
		}
	},
	Judge: judgeListed,
}

func judgeListed(j *check.Judge) {
	x := j.Step("all")
	limit, _ := x.Asked("limit")
	switch {
	case !j.Usable(x):
		return
	case limit == "100" && !j.Status("LIST-3", x, 200):
		return
	case x.Len() < 0 || limit != "100" && x.Len() >= spec.DefaultLimit:
		j.UnsureFor(x, fmt.Sprintf("the last listing (%s) does not show all animals", x.Request.Path))
		return
	case x.Len() >= spec.MaxLimit:
		judgeSteady(j)
		j.NotApplicable("the store has 100 animals or more, so no page has room for all")
		return
	}
	delays(j)
	judgeSteady(j)
	missing := leftOut(x, spec.MaxLimit, createdBefore(j.History, x))
	lacksOld := func(y history.Exchange) bool {
		_, filtered := y.Asked("status")
		return y.Operation == spec.ListPets && !filtered && y.Auth.Valid() && y.Len() >= 0 && len(unsteady(j.History, y)) > 0
	}
	if y, found := firstOf(j.History.All, lacksOld); found && len(missing) > 0 && len(unsteady(j.History, x)) == 0 {
		x, missing = y, unsteady(j.History, y) // what the last listing lacks is young, and what an earlier one lacks is not
	}
	old := overdue(j, x, missing)
	if y := j.Step("other's"); len(missing) == 0 && y.Status() == 200 && otherLeftOut(j.History, x) == y.PetID() {
		if shown, _ := j.History.FirstShown(y.PetID()); j.History.MayLag(x, shown) {
			young(j, x, y.PetID(), shown)
			return
		}
		why := fmt.Sprintf("which getPet still returns, in a page with room for %d", spec.MaxLimit)
		j.Expect("LIST-11", x, check.ListAnimal(y.PetID(), why), "the animals of other clients, which other listings of the run show")
		return
	}
	if len(missing) == 0 {
		j.Evidence("%s created, all among the %d listed", spec.Count(len(j.History.Created()), "animal"), x.Len())
	}
	if len(old) == 0 {
		return
	}
	id, first := spec.ID("LIST-11"), old[0]
	for _, c := range old {
		if got, asked := fetched(j.History, c.Answered.ID); asked && got.Status() != 200 && !j.History.MayLag(got, c.Exchange.Ended()) {
			id, first = "CREATE-13", c // gone altogether
			break
		}
	}
	why := fmt.Sprintf("created by the run, in a page with room for %d", spec.MaxLimit)
	j.Expect(id, x, check.ListAnimal(first.Answered.ID, why), "the animals that were created, %d of %d missing, as that of exchange %d",
		len(missing), len(j.History.Created()), first.Exchange.N)
	j.DependsOn(first)
	if id == "LIST-11" {
		titleCutOff(j, x)
	}
}

// titleCutOff gives the last finding the title of a largest length, if x has it and every other listing that asks for
// more.
func titleCutOff(j *check.Judge, x history.Exchange) {
	if cutOff(j.History, x.Len()) {
		j.Titled("A listing has at most %s, whatever its limit", spec.Count(x.Len(), "animal"))
	}
}

// cutOff reports whether all unfiltered listings that ask for more have that many animals, and whether listings with
// several limits lack one. If a cache keeps a copy for each limit, the first of each lacks none.
func cutOff(h *history.History, n int) bool {
	limits := map[int]bool{}
	for _, x := range h.All {
		limit, status, plain := x.Listing()
		switch {
		case !plain || status != "" || x.Len() < 0 || limit <= n || x.N < pageOf100(h).N:
		case x.Len() != n:
			return false
		case len(leftOut(x, limit, createdBefore(h, x))) > 0:
			limits[limit] = true
		}
	}
	return len(limits) > 1
}

// otherLeftOut returns the id of an animal that an earlier listing of the run shows and a page that is not full lacks;
// "" if there is none.
func otherLeftOut(h *history.History, page history.Exchange) string {
	return append(lackedBy(h, page, spec.MaxLimit), "")[0]
}

// oldestShown returns when the first of a listing's animals was shown.
func oldestShown(h *history.History, x history.Exchange) (at time.Time, known bool) {
	for _, p := range petsIn([]history.Exchange{x}) {
		if shown, is := h.FirstShown(p.ID); is && (!known || shown.Before(at)) {
			at, known = shown, true
		}
	}
	return at, known
}

// notYet returns those of the given animals that a full page may show later: its animals have falling ids, and theirs
// are larger than the first.
func notYet(x history.Exchange, ours []history.Creation) []history.Creation {
	pets, _ := x.Pets()
	if x.Len() < spec.MaxLimit || !idsFall(pets) {
		return nil
	}
	first, _ := strconv.ParseInt(pets[0].ID, 10, 64)
	return keepIf(ours, func(c history.Creation) bool {
		id, err := strconv.ParseInt(c.Answered.ID, 10, 64)
		return err == nil && id > first
	})
}

func idsFall(pets []history.Pet) bool {
	for i := 1; i < len(pets); i++ {
		a, _ := strconv.ParseInt(pets[i-1].ID, 10, 64)
		b, _ := strconv.ParseInt(pets[i].ID, 10, 64)
		if a <= b {
			return false
		}
	}
	return true
}

// delays records how long the listing took to show everything.
func delays(j *check.Judge) {
	own := j.Own()
	if len(own) > 1 {
		j.Evidence("after %d listings, %d ms", len(own), own[len(own)-1].Sent.Sub(own[0].Sent).Milliseconds())
	}
}

// everything lists as many animals as possible: 100, or 99 or the default if limit=100 is refused.
func everything(s *check.Sender, step string) history.Exchange {
	x := s.List(step, check.Limit(spec.MaxLimit))
	if x.Answered() && x.Status() != 200 {
		x = s.List(step, check.Limit(spec.MaxLimit-1))
	}
	if x.Answered() && x.Status() != 200 {
		x = s.List(step, check.Query{})
	}
	return x
}

// known returns the number of animals that the run has seen, since the service has no delete.
func known(h *history.History) int {
	ids := map[string]bool{}
	for _, p := range petsIn(h.All) {
		ids[p.ID] = true
	}
	for _, c := range h.Created() {
		ids[c.Answered.ID] = true
	}
	return len(ids)
}

// lacking returns when the oldest animal of ours was created that a listing lacks although it has room for it. It
// returns the zero time if the listing lacks none, and for a response that is no listing.
func lacking(x history.Exchange, limit int, ours []history.Creation) time.Time {
	return oldest(leftOut(x, limit, ours))
}

// oldest returns when the first of some animals was created, and the zero time if there is none.
func oldest(all []history.Creation) time.Time {
	var first time.Time
	for _, c := range all {
		if at := c.Exchange.Ended(); first.IsZero() || at.Before(first) {
			first = at
		}
	}
	return first
}
