package conformance

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"petconform/spec"
	"petconform/spec/history"
)

// leftBehind: a request that was refused has no effect (Endpoints / createPet). Each carries a name of its own, by which an
// animal that it left behind is known in any listing. A store of 100 animals or more is too large for one page. Then the check
// lists each status, and where ids count up it asks for every id between those of the run's own animals and for the two after
// them: an animal that was left behind has one of these. Example: the run's animals have the ids 251 to 260, 262 and 263; the
// check asks for 261, 264 and 265.
var leftBehind = Check{
	ID: "create-refused-leaves-nothing", Title: "A refused createPet leaves nothing behind", Operation: spec.CreatePet,
	Proves: "CREATE-12", Also: []spec.ID{"AUTH-6"}, Last: true, Reads: true,
	Needs: []string{"create-name-missing", "create-category-missing", "create-name-invalid", "create-category-invalid",
		"create-status-invalid", "create-body-invalid", "auth-missing-create", "auth-invalid-create", "auth-scheme-create", listedCreated.ID},
	Send: func(s *Sender) {
		if room(s.Sent(listedCreated.ID)) {
			return // list-created has just looked through the whole store
		}
		if x := everything(s, "all"); room([]history.Exchange{x}) || x.Len() < 0 {
			return
		}
		for _, status := range spec.Statuses() {
			s.List(string(status), Query{Limit: "100", Status: string(status)})
		}
		for _, id := range neighbours(s.Created()) {
			if s.Getting() {
				s.Get("neighbour-"+id, id)
			}
		}
	},
	Judge: func(j *Judge) {
		refused := refusedCreates(j.History)
		if len(refused) == 0 {
			j.Unsure("no createPet was refused")
			return
		}
		found, whole, nameless, accepted := false, false, nameless, acceptedNames(j.History)
		for _, x := range j.History.All {
			whole = whole || x.Step == "all" && room([]history.Exchange{x})
			for _, p := range readPets(x) {
				by, ok := refused[p.Name()]
				if !ok && nameless(p) && !accepted[p.Name()] && isNew(j.History, p, x) {
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
					j.Find(id, x, fmt.Sprintf("what the createPet of exchange %d (%s, %s) left behind; it was answered %d", by.N, by.Check, by.Step, by.Status()),
						"no animal", fmt.Sprintf("animal %s, %q", p.ID, p.Name()))
				}
			}
		}
		switch {
		case found:
		case whole:
			j.Evidence("%d refused requests, none of their names among the animals", len(refused))
		case allLookedAt(j.History):
			j.Evidence("ids count up, and none of those around the run's own is an animal of one of the %d refused requests", len(refused))
		case allListed(j.History):
			j.Evidence("all animals that the run created are on the pages that were looked at, and none of the %d refused requests'", len(refused))
		default:
			j.Unsure(notWhole(j.History))
		}
	},
}

// notWhole says why no listing shows the whole store.
func notWhole(h *history.History) string {
	for _, x := range h.All {
		if x.Len() >= spec.MaxLimit {
			return "the store has 100 animals or more, so an animal that was left behind may be on a later page; use a target with fewer, or leave the check out (--skip create-refused-leaves-nothing --accept-part)"
		}
	}
	return "no listing with limit=100 shows the whole store"
}

// room says whether the last of some listings has limit=100 and fewer than 100 animals, so that it shows the whole store.
func room(listings []history.Exchange) bool {
	if len(listings) == 0 {
		return false
	}
	x := listings[len(listings)-1]
	limit, _ := x.Asked("limit")
	return limit == "100" && x.Len() >= 0 && x.Len() < spec.MaxLimit && !x.Continues()
}

// allLookedAt says whether getPet told of every id at which an animal that was left behind would be.
func allLookedAt(h *history.History) bool {
	ids := neighbours(h.Created())
	for _, id := range ids {
		x, asked := fetched(h, id)
		if _, isPet := x.Pet(); !asked || !isPet && x.Status() != http.StatusNotFound {
			return false
		}
	}
	return len(ids) > 0 && len(between(h.Created())) < mostBetween // else there are more that were not asked for
}

// allListed says whether the listings show every animal that the run created, so that they would show others of the run too.
func allListed(h *history.History) bool {
	listed := map[string]bool{}
	for _, x := range h.All {
		for _, p := range readPets(x) {
			if x.Operation == spec.ListPets {
				listed[p.ID] = true
			}
		}
	}
	return len(h.Created()) > 0 && !slices.ContainsFunc(h.Created(), func(c history.Creation) bool { return !listed[c.Answered.ID] })
}

const (
	// mostBetween is how many ids between the run's own are asked for. A target that assigns consecutive ids leaves none out unless
	// other clients create animals too.
	mostBetween = 8
	// idsAfter is how many ids after the run's last are asked for.
	idsAfter = 2
)

// neighbours gives up to mostBetween ids between those of the run's animals and the next after them, where ids count up.
func neighbours(all []history.Creation) []string {
	ids := countingUp(all)
	if len(ids) == 0 {
		return nil
	}
	out := between(all)
	last := ids[len(ids)-1]
	if last > math.MaxInt64-idsAfter {
		return out
	}
	for i := int64(1); i <= idsAfter; i++ {
		out = append(out, strconv.FormatInt(last+i, 10))
	}
	return out
}

// countingUp gives the ids of the run's animals in order, where they lie close together.
func countingUp(all []history.Creation) []int64 {
	var ids []int64
	for _, c := range all {
		if id, err := strconv.ParseInt(c.Answered.ID, 10, 64); err == nil {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	if len(ids) < 2 || ids[len(ids)-1]-ids[0] > int64(4*len(ids)) || ids[len(ids)-1]-ids[0] < 0 {
		return nil
	}
	return slices.Compact(ids)
}

// between gives up to mostBetween ids that lie between those of the run's animals and are none of theirs, where ids count up.
func between(all []history.Creation) []string {
	ids := countingUp(all)
	var out []string
	for i := 1; i < len(ids); i++ {
		for id := ids[i-1] + 1; id < ids[i] && len(out) < mostBetween; id++ {
			out = append(out, strconv.FormatInt(id, 10))
		}
	}
	return out
}

// acceptedNames are the names of createPet requests that were not refused and whose animals' ids are not known.
func acceptedNames(h *history.History) map[string]bool {
	names := map[string]bool{}
	for _, x := range h.All {
		if p, ok := x.Pet(); x.Operation == spec.CreatePet && x.Status()/100 != 4 && (!ok || p.ID == "") {
			names[x.SentName()] = true
		}
	}
	return names
}

// nameless says whether a service made the animal's name of a body without one, or of 42 or null.
func nameless(p history.Pet) bool {
	return slices.Contains([]string{"", "42", "null", "None", "undefined", "<nil>"}, p.Name())
}

// isNew says whether an animal is surely new: the run began with an empty store, or the id lies between those of the run's own
// animals. Any other may be another client's.
func isNew(h *history.History, p history.Pet, seen history.Exchange) bool {
	first := h.Of(listAll.ID)
	for _, c := range h.Created() {
		if c.Answered.ID == p.ID {
			return false
		}
	}
	if len(first) > 0 && first[0].Len() == 0 && seen.N > first[0].N {
		return p.ID != ""
	}
	return slices.Contains(between(h.Created()), p.ID)
}

// namelessRefused is a request without a name of its own that was refused before a listing.
func namelessRefused(h *history.History, before history.Exchange) (history.Exchange, bool) {
	for _, check := range []string{"create-name-missing", "create-name-invalid", "create-body-invalid"} {
		for _, x := range h.Of(check) {
			if x.Answered() && x.Status()/100 == 4 && x.N < before.N && nameIn(x) == "" {
				return x, true
			}
		}
	}
	return history.Exchange{}, false
}

// refusedCreates gives the refused createPet requests by the name that each carried. A name that another request was
// rightly accepted with is left out.
func refusedCreates(h *history.History) map[string]history.Exchange {
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
