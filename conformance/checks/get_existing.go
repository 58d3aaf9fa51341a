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

// getExisting: getPet answers 200 for an animal that was created, until its removal (Endpoints / getPet, Versioning). A
// request that gets 404 is repeated within Patience, since a replica may lag. The rules fetched-is-the-pet and
// created-is-kept judge the animal.
var getExisting = check.Check{
	ID: "get-existing", Title: "getPet of animals that exist", Operation: spec.GetPet,
	Proves: "GET-1", Gets: true, Also: []spec.ID{"CREATE-13"}, Requests: 6, Deeper: 1,
	Needs: []string{"create-statuses"}, After: []string{getEarly.ID, "create-names", "create-category", "create-parallel", "create-without-status"},
	Send: func(s *check.Sender) {
		ids, others := someAnimals(s), othersListed(s)
		if len(ids)+len(others) == 0 {
			s.Skip("no animal with an id is known")
			return
		}
		var all []check.Request
		for _, id := range ids {
			all = append(all, check.Reading(func() { getPatiently(s, "animal-", id) }))
		}
		if !s.ReadOnly {
			others = others[:min(1, len(others))]
		}
		for _, id := range others {
			all = append(all, check.Reading(func() { getListed(s, id) }))
		}
		if len(ids) > 0 {
			all = append(all, check.Reading(func() { getPatiently(s, againStep, ids[0]) }))
		}
		s.Together(all[0]) // where the first is missing, the others are not waited for
		s.Together(all[1:]...)
	},
	Deep: func(s *check.Sender) (all []check.Request) {
		for _, id := range othersListed(s) {
			if !s.ReadOnly {
				all = append(all, check.Reading(func() { getListed(s, id) }))
			}
		}
		return all[min(1, len(all)):]
	},
	Judge: func(j *check.Judge) {
		for _, x := range j.Steps(othersStep) {
			if x.Status() == 404 && !ListedAfter(j.History, x, x.PetID()) || lacksYoung(j, x) {
				continue
			}
			if j.Status("GET-1", x, 200) {
				asListed(j, x)
			}
		}
		animals := j.Beside("animal-")
		early := "animal-" + last(j.History, getEarly.ID).PetID()
		if i := slices.IndexFunc(animals, func(x history.Exchange) bool { return x.Step == early }); i >= 0 {
			// It comes last: another run may give the early id to another animal.
			animals = append(slices.Delete(slices.Clone(animals), i, i+1), animals[i])
		}
		for _, x := range append(animals, j.Steps(againStep)...) {
			if _, err := strconv.ParseInt(x.PetID(), 10, 64); err != nil {
				j.Unsure(fmt.Sprintf("the id %s is not an int64", x.PetID()))
				continue
			}
			if lacksYoung(j, x) {
				continue
			}
			kept := check.That(x.Status() != 404 || !gone(j.History, x.PetID()),
				"to be found by getPet or in a listing", "404, and no listing with room has it")
			if j.Expect("CREATE-13", x, kept, "an animal that was created") {
				j.Status("GET-1", x, 200)
			}
		}
	},
}

// againStep begins the step that repeats the first getPet: a cache may answer now.
const againStep = "second-"

// lacksYoung makes the check inconclusive if x is a 404 for an animal that a replica may not have yet.
func lacksYoung(j *check.Judge, x history.Exchange) bool {
	shown, known := j.History.FirstShown(x.PetID())
	if x.Status() != 404 || !known || !j.History.MayLag(x, shown) {
		return false
	}
	young(j, x, x.PetID(), shown)
	return true
}

// someAnimals returns animals that differ in their values: a plain one, a name in other scripts, the largest category,
// no status, an id that was requested before its creation.
func someAnimals(s *check.Sender) []string {
	var ids []string
	add := func(x history.Exchange) {
		if p, ok := x.Pet(); ok && p.ID != "" {
			ids = append(ids, p.ID)
		}
	}
	for _, of := range [][2]string{{"create-statuses", string(spec.Sold)}, {"create-names", "scripts-and-marks"},
		{"create-category", "beyond-2^53"}, {"create-without-status", "no-status"}} {
		for _, x := range s.Sent(of[0]) {
			if x.Step == of[1] {
				add(x)
			}
		}
	}
	early := last(s.History(), getEarly.ID).PetID()
	for _, c := range s.Created() {
		if c.Answered.ID == early && early != "" && !slices.Contains(ids, early) {
			ids = append(ids, early)
		}
	}
	return ids
}

// othersListed chooses animals that were there before the run: the first and the last of the first listing. A quick run
// asks for the first, and for both if it is read-only.
func othersListed(s *check.Sender) []string {
	var ids []string
	for _, x := range s.Sent(ListAll.ID) {
		pets, _ := x.Pets()
		for i, p := range pets {
			if p.ID != "" && x.Step == "no-parameters" && (i == 0 || i == len(pets)-1) {
				ids = append(ids, p.ID)
			}
		}
	}
	return slices.Compact(ids)
}

// othersStep begins the steps that fetch an animal of another client.
const othersStep = "listed-"

// getListed fetches an animal of another client. After a 404 it lists once more, since the animal may be gone, and
// fetches an animal that is still listed again.
func getListed(s *check.Sender, id string) {
	listed := func() bool { return check.Holds(s.List("listed again", check.Limit(spec.MaxLimit)), id) }
	if s.Get(othersStep+id, id).Status() == 404 && listed() && getPatiently(s, othersStep, id).Status() == 404 {
		listed()
	}
}

func petsIn(listings []history.Exchange) []history.Pet {
	var all []history.Pet
	for _, x := range listings {
		pets, _ := x.Pets()
		all = append(all, pets...)
	}
	return all
}

// getPatiently fetches an animal, and repeats that while a lagging replica may not have it yet.
func getPatiently(s *check.Sender, step, id string) history.Exchange {
	x := s.Until(func(x history.Exchange) time.Time {
		if x.Status() != 404 {
			return time.Time{}
		}
		shown, _ := s.History().FirstShown(id)
		return shown
	}, func() history.Exchange { return s.Get(step+id, id) })
	if x.Answered() && x.Status() != 200 { // always, or now and then?
		s.Get("again-"+id, id)
		s.Get("once more-"+id, id)
	}
	return x
}

// asListed compares an animal of another client with the listings before and after x. If these agree, nothing changed
// the animal, so a difference means that one of the reads is wrong. An id that the run's animals got too is that of two.
func asListed(j *check.Judge, x history.Exchange) {
	got, ok := x.Pet()
	var before, after *history.Pet
	for _, y := range j.History.All {
		pets, _ := y.Pets()
		for i, p := range pets {
			switch {
			case p.ID != x.PetID():
			case y.Ended().Before(x.Sent):
				before = &pets[i]
			case y.Sent.After(x.Ended()):
				after = &pets[i]
			}
		}
	}
	if !ok || got.ID != x.PetID() || before == nil || after == nil || len(before.Differences(*after)) > 0 ||
		createdIDs(j.History)[got.ID] {
		return
	}
	for _, d := range after.Differences(got) {
		if d.Member != "status" && !got.WrongType(d.Member) && !after.WrongType(d.Member) { // which the rule pet-schema judges
			j.Expect("CREATE-13", x, check.That(false, d.Wanted+", as listings before and afterwards show", d.Got),
				"the %s of animal %s", d.Member, got.ID)
			return
		}
	}
}

// ListedAfter reports whether a listing that was sent after x shows an animal.
func ListedAfter(h *history.History, x history.Exchange, id string) bool {
	return slices.ContainsFunc(h.All, func(y history.Exchange) bool { return y.N > x.N && !y.Sent.Before(x.Ended()) && check.Holds(y, id) })
}

// gone reports whether the run has a listing with room for an animal, and none with the animal in it.
func gone(h *history.History, id string) bool {
	looked := false
	for _, x := range h.All {
		if check.Holds(x, id) {
			return false
		}
		looked = looked || x.Check == "list-created" && x.Len() >= 0 && x.Len() < spec.MaxLimit
	}
	return looked
}
