package checks

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"petconform/conformance/check"
	"petconform/spec"
	"petconform/spec/history"
	"petconform/spec/invalid"
)

// getUnknown: an int64 that is no animal's id is answered 404, however large it is (Endpoints / getPet).
var getUnknown = check.Check{
	ID: "get-unknown", Title: "404 for a petId that no animal has", Operation: spec.GetPet,
	Proves: "GET-3", Gets: true, Requests: len(unknownIDs) + 2, Deeper: len(invalid.UnknownIDs), Varied: boundSteps(),
	After: []string{"list-all", getEarly.ID},
	Send: func(s *check.Sender) {
		all := each(s, check.Some(s, 1, invalid.UnknownIDs), getBound)
		for i := range unknownIDs {
			all = append(all, check.Get(fmt.Sprintf("unknown-%d", i+1), unknownID(s, i)))
		}
		s.Together(all...)
		s.Get("again", unknownID(s, 0)) // a cache may answer now
	},
	Deep: func(s *check.Sender) []check.Request {
		ids := check.Rest(s, 1, invalid.UnknownIDs)
		if known := anyID(s); len(known) > 1 { // a service that compares texts may find the animal by the first digits of its id
			ids = append(ids, known[:len(known)-1])
		}
		return each(s, ids, getBound)
	},
	Judge: func(j *check.Judge) {
		if x := last(j.History, getEarly.ID); x.Answered() && !x.Limited() {
			if p, ok := x.Pet(); !ok || p.ID != x.PetID() { // else it exists already
				j.Status("GET-3", x, 404)
			}
		}
		for _, x := range j.Beside("") {
			p, ok := x.Pet()
			bound := strings.HasPrefix(x.Step, boundStep)
			switch {
			case x.Status() == 200 && (seenAs(j.History, x.PetID()) || bound && ok && (p.ID == "" || p.ID == x.PetID())):
				continue // it exists after all
			case bound && x.Failure != nil: // the body may be an animal with this id
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

// unknownIDs lie beyond int32 and below 0, so that a service which keeps ids in fewer than 64 bits, or without a sign,
// fails on one of them. The seed of the run varies each.
var unknownIDs = []int64{2_000_000_000, -8_000_000}

// boundStep begins the step of an id at the bounds of what services store. Few assign them.
const boundStep = "bound "

func getBound(_ *check.Sender, id string) check.Request { return check.Get(boundStep+id, id) }

func boundSteps() (all []string) {
	for _, id := range invalid.UnknownIDs {
		all = append(all, boundStep+id)
	}
	return all
}

// unknownID returns unknownIDs[i]. If an animal is known, it is an id that turns into the animal's when it is cut to 32
// bits or loses its sign. Examples: 4294967303 and -7 for animal 7, 7 for animal -7.
func unknownID(s *check.Sender, i int) string {
	id := anyID(s)
	if listed := petsIn(s.Sent(ListAll.ID)); len(listed) > 0 { // each replica has it
		id = cmp.Or(listed[0].ID, id)
	}
	known, err := strconv.ParseInt(id, 10, 64)
	derivable := err == nil && known != 0 && -1<<62 < known && known < 1<<62
	switch {
	case derivable && i == 0:
		return fmt.Sprint(known + 1<<32)
	case derivable && i == 1:
		return fmt.Sprint(-known)
	}
	return fmt.Sprint(unknownIDs[i] + int64(s.Seed%1_000_000))
}

func seenAs(h *history.History, id string) bool {
	return slices.ContainsFunc(h.All, func(x history.Exchange) bool { return check.Holds(x, id) })
}
