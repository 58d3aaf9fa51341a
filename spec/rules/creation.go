package rules

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"petconform/spec"
	"petconform/spec/history"
)

// petMembers are the members of a Pet, each with its requirement and what the schema allows, in the interface's words.
var petMembers = []struct {
	name, wanted string
	proves       spec.ID
}{
	{"id", "an id, an int64", "PET-1"}, {"name", "a name, a string", "PET-2"},
	{"categoryId", "a categoryId, an int64", "PET-3"},
	{"status", "available, pending or sold, or no status at all", "PET-4"},
}

var petRules = []Rule{
	each("pet-schema", "Every Pet matches its schema, with exact int64", petSchema, "PET-1", "PET-2", "PET-3", "PET-4"),
}

// petSchema tells of each member the first Pet of the body in which it is wrong. An int64 has to be exact: 7.0, 1e2 and
// numbers beyond int64 match the document's schema, and no client reads them as int64.
func petSchema(x history.Exchange, w *Whole) {
	pets := x.Shown()
	if len(pets) > 0 {
		w.Of++
	}
	for _, m := range petMembers {
		if i := slices.IndexFunc(pets, func(p history.Pet) bool { return p.WrongType(m.name) }); i >= 0 {
			of := fmt.Sprintf("the %s of Pet %d of %d in the body", m.name, i+1, len(pets))
			w.Breaks(x, m.proves, of, m.wanted, pets[i].KindOf(m.name))
		}
	}
}

var creationRules = []Rule{
	One("created-is-a-pet", "The body of a 201 is the Pet", "CREATE-2", func(x history.Exchange) bool {
		return x.Operation == spec.CreatePet && x.Answered() && x.Status() == 201 && !unreadable(x)
	}, "the body of a 201", "a Pet object with id, name and categoryId", Unless(isPet, bodyKind)),
	each("created-status", "A creation returns 201", createdStatus, "CREATE-1"),
	each("created-as-sent", "The Pet in a 201 has the values that were sent", createdAsSent, "CREATE-3"),
	{ID: "created-id-assigned", Title: "The service assigns the id", Proves: []spec.ID{"CREATE-4"},
		Whole: createdIDAssigned, Idle: "no body with an id was accepted"},
	whole("created-unique-ids", "No id is assigned twice", createdUnique, "CREATE-5"),
	whole("created-once", "One createPet request creates one animal", createdOnce, "CREATE-22"),
	whole("created-is-kept", "Reads return an animal as it was created", kept, "CREATE-13", "LIST-10", "GET-2"),
}

// isPet reports whether the body is an object with at least one member of a Pet. A missing member is left to the rule
// pet-schema.
func isPet(x history.Exchange) bool {
	p, ok := x.Pet()
	return ok && p.Known()
}

// createdStatus also judges requests that the service may accept or refuse: if it accepts one, it must return 201.
func createdStatus(x history.Exchange, w *Whole) {
	if x.Operation != spec.CreatePet || !x.Auth.Valid() || !isPet(x) {
		return
	}
	if w.Of++; x.Status() != 201 {
		w.wants(201, x, "CREATE-1", "the status of a response with the new Pet")
	}
}

// createdAsSent compares the members that were valid in the request. A member that is missing from the response, or has
// the wrong type there, is left to the rule pet-schema.
func createdAsSent(x history.Exchange, w *Whole) {
	returned, _ := x.Pet()
	sent, ok := x.SentPet()
	if x.Operation != spec.CreatePet || x.Status() != 201 || !isPet(x) || !ok {
		return
	}
	w.Of++
	all := sent.Differences(returned)
	if i := slices.IndexFunc(all, func(d history.Difference) bool { return bothValid(sent, returned, d.Member) }); i >= 0 {
		d := all[i]
		if !returned.Has(d.Member) { // any may be the first that one of several places answers
			d.Wanted = "the " + d.Member
		}
		w.Breaks(x, "CREATE-3", "the "+d.Member+" of the Pet in a 201", d.Wanted+", as it was sent", d.Got)
	}
}

// bothValid reports whether a member is valid in the request and has the right type in the response.
func bothValid(sent, returned history.Pet, member string) bool {
	switch member {
	case "name":
		// What a parser makes of half of a surrogate pair is unpredictable (RFC 8259, section 8.2). It is read as U+FFFD.
		return !sent.WrongType(member) && !returned.WrongType(member) && !strings.ContainsRune(sent.Name(), utf8.RuneError)
	case "categoryId":
		// Whether 7.0 and 1e2 are accepted is open. A service that accepts one must return the same number.
		_, err := strconv.ParseInt(history.Whole(sent.Member(member)), 10, 64)
		return err == nil && returned.Category() != ""
	}
	status, _ := sent.Status()
	return status.Valid() && (!returned.Has(member) || returned.Says(member))
}

// createdIDAssigned concerns what a service accepts although it has an id. It may refuse such a body. An id that several
// animals get without asking is not taken from the request.
func createdIDAssigned(h *history.History) (w Whole) {
	unasked := map[string]int{}
	for _, c := range h.Created() {
		if c.Sent.ID != c.Answered.ID {
			unasked[c.Answered.ID]++
		}
	}
	for _, c := range h.Created() {
		if c.Sent.ID == "" || c.Answered.ID == "" {
			continue
		}
		if w.Of++; c.Sent.ID == c.Answered.ID && unasked[c.Answered.ID] < 2 {
			w.Breaks(c.Exchange, "CREATE-4", "the id of an animal that was created with an id in the body",
				"an id that the service assigned", c.Answered.ID+", the one that was sent")
		}
	}
	return w
}

// createdUnique finds an id that two creations got, or that a creation shares with an animal that a read showed before.
func createdUnique(h *history.History) (w Whole) {
	first := map[string]int{}
	for _, c := range h.Created() {
		id, another := c.Answered.ID, ""
		if id == "" {
			continue
		}
		w.Of++
		if n, again := first[id]; again {
			another = fmt.Sprintf("%s, which exchange %d got too", id, n)
		} else if s, was := h.FirstShown(id); was && s.Read.Ended().Before(c.Exchange.Sent) &&
			s.Pet.Name() != c.Answered.Name() && s.Pet.Name() != c.Sent.Name() {
			another = fmt.Sprintf("%s, the id of %q in exchange %d, which ended before this one was sent", id, clip(s.Pet.Name()), s.Read.N)
		}
		if another != "" {
			w.Breaks(c.Exchange, "CREATE-5", "the id of a new animal", "an id that no other animal has", another)
		} else {
			first[id] = c.Exchange.N
		}
	}
	return w
}

// shortestOwnName is the length in bytes of the shortest name that is taken to be unique to the run.
const shortestOwnName = 16

// createdOnce finds two animals in a listing that have the name of one createPet request. The run gives each of its
// animals a unique name. A name that was sent again, after a 429 or a lost connection, is left out.
func createdOnce(h *history.History) (w Whole) {
	sent, once, known := map[string]int{}, map[string]history.Creation{}, map[string]bool{}
	for _, x := range h.All {
		if x.Operation == spec.CreatePet {
			sent[x.SentName()]++
		}
	}
	for _, c := range h.Created() {
		known[c.Answered.ID] = true
		if name := c.Sent.Name(); len(name) >= shortestOwnName && sent[name] == 1 && name == c.Answered.Name() && c.Exchange.Auth.Valid() {
			once[name] = c
		}
	}
	if w.Of = len(once); h.End == nil { // a killed run lacks what was in flight, which may have sent a name again
		w.Unknown = "the recording has no end, so that a createPet with the same name may be missing"
		return w
	}
	for _, x := range h.All {
		pets, _ := x.Pets()
		ids := map[string]string{}
		for _, p := range pets {
			before, again := ids[p.Name()]
			ids[p.Name()] = p.ID
			c, ours := once[p.Name()]
			if again && ours && before != p.ID && !(known[before] && known[p.ID]) { // two that were created break another requirement
				w.Breaks(x, "CREATE-22", fmt.Sprintf("what the createPet of exchange %d created", c.Exchange.N), "one animal",
					fmt.Sprintf("animals %s and %s, both called %q", before, p.ID, clip(p.Name())))
				return w
			}
		}
	}
	return w
}
