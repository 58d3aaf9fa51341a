package checks

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"petconform/conformance/check"
	"petconform/spec"
	"petconform/spec/history"
)

// getExisting: getPet answers 200 for an animal that was created, until its removal (Endpoints / getPet, Versioning). A request
// that gets 404 is repeated within Patience, since a replica may lag. The rules fetched-is-the-pet and created-is-kept judge the
// animal.
var getExisting = check.Check{
	ID: "get-existing", Title: "getPet of animals that exist", Operation: spec.GetPet,
	Proves: "GET-1", Also: []spec.ID{"CREATE-13"}, Requests: 5, Deeper: 1,
	Needs: []string{"create-statuses"}, After: []string{getEarly.ID, "create-names", "create-category", "create-parallel", "create-without-status"},
	Send: func(s *check.Sender) {
		if !s.Getting() {
			s.Skip("getPet is removed by the day of the run")
			return
		}
		ids, others := someAnimals(s), othersListed(s)
		if len(ids)+len(others) == 0 {
			s.Skip("no animal with an id is known")
			return
		}
		var all []func()
		for _, id := range ids {
			all = append(all, func() { getPatiently(s, "animal-", id) })
		}
		for _, id := range others {
			all = append(all, func() { getListed(s, id) })
		}
		all[0]() // where the first is missing, the others are not waited for
		s.Concurrently(all[1:]...)
	},
	Judge: func(j *check.Judge) {
		for _, x := range j.Steps(othersStep) {
			if (x.Status() != 404 || listedAfter(j.History, x, x.PetID())) && j.Status("GET-1", x, 200) {
				asListed(j, x)
			}
		}
		animals := j.Steps("animal-")
		early := "animal-" + last(j.History, getEarly.ID).PetID()
		slices.SortFunc(animals, func(x, y history.Exchange) int { // they were sent in any order
			switch { // another run may give the early id to another animal
			case x.Step == early:
				return 1
			case y.Step == early:
				return -1
			}
			return cmp.Or(len(x.Step)-len(y.Step), strings.Compare(x.Step, y.Step))
		})
		for _, x := range animals {
			if _, err := strconv.ParseInt(x.PetID(), 10, 64); err != nil {
				j.Unsure(fmt.Sprintf("the id %s is not an int64", x.PetID()))
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

// someAnimals returns animals that differ in their values: a plain one, a name in other scripts, the largest category, no status,
// an id that was requested before its creation.
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

// othersListed chooses animals that were there before the run: the first of the first listing, and in a read-only or a deep run the
// last one too.
func othersListed(s *check.Sender) []string {
	var ids []string
	for _, x := range s.Sent(ListAll.ID) {
		pets, _ := x.Pets()
		for i, p := range pets {
			last := i == len(pets)-1 && (s.Deep() || s.Config.ReadOnly)
			if p.ID != "" && x.Step == "no-parameters" && (i == 0 || last) {
				ids = append(ids, p.ID)
			}
		}
	}
	return ids
}

// othersStep begins the steps that fetch an animal of another client.
const othersStep = "listed-"

// getListed fetches an animal of another client. After a 404 it lists once more, since the animal may be gone, and fetches an animal
// that is still listed again.
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
	return s.Until(func(x history.Exchange) time.Time {
		if x.Status() != 404 {
			return time.Time{}
		}
		return s.CreatedAt(id)
	}, func() history.Exchange { return s.Get(step+id, id) })
}

// asListed compares an animal of another client with the listings before and after x. If these agree, nothing changed the animal,
// so a difference means that one of the reads is wrong.
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
	if !ok || got.ID != x.PetID() || before == nil || after == nil || len(before.Differences(*after)) > 0 {
		return
	}
	for _, d := range after.Differences(got) {
		_, isName := got.Members["name"].(string)
		if d.Member == "name" && isName || d.Member == "categoryId" && got.Category() != "" {
			j.Expect("CREATE-13", x, check.That(false, d.Wanted+", as listings before and afterwards show", d.Got),
				"the %s of animal %s", d.Member, got.ID)
			return
		}
	}
}

// listedAfter reports whether a listing that was sent after x shows an animal.
func listedAfter(h *history.History, x history.Exchange, id string) bool {
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

// getUnknown: an int64 that is no animal's id is answered 404, however large it is (Endpoints / getPet).
var getUnknown = check.Check{
	ID: "get-unknown", Title: "404 for a petId that no animal has", Operation: spec.GetPet,
	Proves: "GET-3", Requests: len(unknownIDs) + 1, Deeper: len(smallIDs) - 1, Varied: []string{smallStep}, After: []string{"list-all", getEarly.ID},
	Send: func(s *check.Sender) {
		if !s.Getting() {
			s.Skip("getPet is removed by the day of the run")
			return
		}
		for i := range unknownIDs {
			s.Get(fmt.Sprintf("unknown-%d", i+1), unknownID(s, i))
		}
		for _, id := range check.Some(s, 1, smallIDs) {
			s.Get(smallStep, fmt.Sprint(id))
		}
	},
	Judge: func(j *check.Judge) {
		if x := last(j.History, getEarly.ID); x.Answered() && !x.Limited() {
			if p, ok := x.Pet(); !ok || p.ID != x.PetID() { // else it exists already
				j.Status("GET-3", x, 404)
			}
		}
		for _, x := range j.Steps("") {
			p, ok := x.Pet()
			switch {
			case x.Status() == 200 && (seenAs(j.History, x.PetID()) || x.Step == smallStep && ok && (p.ID == "" || p.ID == x.PetID())):
				continue // it exists after all
			case x.Step == smallStep && x.Failure != nil: // the body may be an animal with this id
				j.Usable(x)
				continue
			}
			if strings.HasPrefix(x.PetID(), "-") {
				j.Status("GET-3", x, 404, 400) // a service whose ids are never negative may treat it as a malformed petId
				continue
			}
			j.Status("GET-3", x, 404)
		}
	},
}

// unknownIDs lie beyond int32, beyond 2^53 and below 0, so that a service which keeps ids in fewer than 64 bits fails on one of
// them. The seed of the run varies each.
var unknownIDs = []int64{2_000_000_000, 1<<63 - 1 - 1_000_000, -8_000_000}

// smallIDs are positions of a list, as in Python: its beginning and its end. Few services assign them. 1 is not among them: a store
// may have that animal and show it in no page.
var smallIDs = []int64{0, -1}

const smallStep = "small"

// unknownID returns unknownIDs[i]. If an animal is known, ids 0 and 2 turn into its id when they are cut to 32 bits or lose their
// sign. Example: for animal 7, 4294967303 and -7.
func unknownID(s *check.Sender, i int) string {
	known, err := strconv.ParseInt(anyID(s), 10, 64)
	derivable := err == nil && known > 0 && known < 1<<62
	switch {
	case derivable && i == 0:
		return fmt.Sprint(known + 1<<32)
	case derivable && i == 2:
		return fmt.Sprint(-known)
	}
	return fmt.Sprint(unknownIDs[i] + int64(s.Config.Seed%1_000_000))
}

func seenAs(h *history.History, id string) bool {
	return slices.ContainsFunc(h.All, func(x history.Exchange) bool { return check.Holds(x, id) })
}
