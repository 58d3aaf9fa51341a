package checks

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"petconform/conformance/check"
	"petconform/spec"
	"petconform/spec/history"
)

// leftBehind: a request that was refused has no effect (Endpoints / createPet). Each has a unique name, which
// identifies an animal that it left behind in any listing. A store of 100 animals or more is too large for one page;
// whole_store.go says how the check looks through it all the same.
var leftBehind = check.Check{
	ID: "create-refused-leaves-nothing", Title: "A refused createPet leaves nothing behind", Operation: spec.CreatePet,
	Proves: "CREATE-12", Also: []spec.ID{"AUTH-6"}, Last: true, Reads: true,
	Needs: slices.Concat(Refusals, []string{ListedCreated.ID}),
	Send: func(s *check.Sender) {
		if showsAll(lastStep(s.History(), ListedCreated.ID, "all")) {
			return // list-created has just looked through the whole store
		}
		lookThrough(s, everything(s, "all"))
	},
	Judge: func(j *check.Judge) {
		refused := RefusedCreates(j.History)
		if len(refused) == 0 {
			j.Unsure("no createPet was refused")
			return
		}
		found, whole, nameless, accepted, created := false, false, nameless, acceptedNames(j.History), createdIDs(j.History)
		for _, x := range j.History.All {
			whole = whole || x.Step == "all" && showsAll(x)
			for _, p := range readPets(x) {
				if created[p.ID] || x.Operation == spec.GetPet && created[x.PetID()] { // whatever its name, or its id, is by now
					continue
				}
				by, ok := refused[p.Name()]
				if !ok && nameless(p) && !accepted[p.Name()] && !isTwin(j.History, p) && isNew(j.History, p, x) {
					by, ok = namelessRefused(j.History, x)
				}
				if ok && by.N < x.N {
					found = true
					id := spec.ID("CREATE-12")
					if by.Status() == http.StatusUnauthorized {
						id = "AUTH-6"
					}
					delete(refused, p.Name())
					nameless = func(history.Pet) bool { return false }
					j.Expect(id, x, check.That(false, "no animal", fmt.Sprintf("animal %s, %q", p.ID, p.Name())),
						"the animals that createPet in exchange %d (%s, %s) left behind, although it returned %d", by.N,
						by.Check, by.Step, by.Status())
				}
			}
		}
		switch {
		case found:
		case whole:
			j.Evidence("%s, none of their names among the animals", spec.Count(len(refused), "refused request"))
		case lastPageSeen(j):
			j.Evidence("%s, none of their names on the pages that Link leads to", spec.Count(len(refused), "refused request"))
		case allLookedAt(j.History):
			j.Evidence("ids count up, and none of the ids next to the run's own belongs to an animal of %s",
				spec.Count(len(refused), "refused request"))
		case allListed(j.History):
			j.Evidence("the pages that were read have all animals that the run created, and none of %s",
				spec.Count(len(refused), "refused request"))
		default:
			j.Unsure(notWhole(j.History))
		}
	},
}

// createdIDs are the ids of the animals that the run created.
func createdIDs(h *history.History) map[string]bool {
	ids := map[string]bool{}
	for _, c := range h.Created() {
		ids[c.Answered.ID] = c.Answered.ID != ""
	}
	return ids
}

// acceptedNames returns the names of createPet requests that were not refused and whose animals have no known id.
func acceptedNames(h *history.History) map[string]bool {
	names := map[string]bool{}
	for _, x := range h.All {
		if p, ok := x.Pet(); x.Operation == spec.CreatePet && x.Status()/100 != 4 && (!ok || p.ID == "") {
			names[x.SentName()] = true
		}
	}
	return names
}

// nameless reports whether a service made the animal's name of a body without one, or of 42 or null.
func nameless(p history.Pet) bool {
	return slices.Contains([]string{"", "42", "null", "None", "undefined", "<nil>"}, p.Name())
}

// isTwin reports whether an animal has all values of one that the run created: a creation that was carried out twice
// left it, or one whose 201 has the id of another animal.
func isTwin(h *history.History, p history.Pet) bool {
	return slices.ContainsFunc(h.Created(), func(c history.Creation) bool {
		return len(c.Answered.Differences(p)) == 0 || len(c.Sent.Differences(p)) == 0
	})
}

// isNew reports whether an animal was certainly created during the run: the store was empty at the start, or its id is
// between those of the run's own animals. Any other may be another client's.
func isNew(h *history.History, p history.Pet, seen history.Exchange) bool {
	first := h.Of(ListAll.ID)
	if len(first) > 0 && first[0].Len() == 0 && seen.N > first[0].N {
		return p.ID != ""
	}
	ids, _ := between(h.Created(), mostBetween)
	return slices.Contains(ids, p.ID)
}

// namelessRefused is a request without a name of its own that was refused before a listing.
func namelessRefused(h *history.History, before history.Exchange) (history.Exchange, bool) {
	all := slices.Concat(h.Of("create-name-missing"), h.Of("create-name-invalid"), h.Of("create-body-invalid"))
	return firstOf(all, func(x history.Exchange) bool {
		return x.Answered() && x.Status()/100 == 4 && x.N < before.N && nameIn(x) == ""
	})
}

// RefusedCreates returns the refused createPet requests by the name that each carried. A name that another request was
// rightly accepted with is left out.
func RefusedCreates(h *history.History) map[string]history.Exchange {
	out := map[string]history.Exchange{}
	for _, x := range h.All {
		if x.Operation != spec.CreatePet || !x.Answered() || x.Status()/100 != 4 {
			continue
		}
		if name := nameIn(x); name != "" {
			out[name] = x
		}
	}
	for _, c := range h.Created() {
		delete(out, c.Sent.Name())
	}
	return out
}

// nameIn finds the run's own name in a body, also in one that is not JSON.
func nameIn(x history.Exchange) string {
	body := string(x.Request.Body)
	at := strings.Index(body, `"petconform-`)
	if at < 0 {
		return ""
	}
	var name string
	if json.NewDecoder(strings.NewReader(body[at:])).Decode(&name) != nil {
		return ""
	}
	return name
}
