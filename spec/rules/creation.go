package rules

import (
	"encoding/json"
	"fmt"
	"strconv"

	"petconform/spec"
	"petconform/spec/history"
)

func creationRules() []Rule {
	return []Rule{
		{ID: "created-is-a-pet", Title: "The body of a 201 is the Pet", Proves: []spec.ID{"CREATE-2"}, Each: createdIsAPet},
		{ID: "created-status", Title: "A creation returns 201", Proves: []spec.ID{"CREATE-1"}, Each: createdStatus},
		{ID: "created-as-sent", Title: "The Pet in a 201 has the values that were sent", Proves: []spec.ID{"CREATE-3"}, Each: createdAsSent},
		{ID: "created-id-assigned", Title: "The service assigns the id", Proves: []spec.ID{"CREATE-4"}, Whole: createdIDAssigned,
			Idle: "no body with an id was accepted"},
		{ID: "created-unique-ids", Title: "No id is assigned twice", Proves: []spec.ID{"CREATE-5"}, Whole: createdUnique},
		{ID: "created-once", Title: "One createPet request creates one animal", Proves: []spec.ID{"CREATE-22"}, Whole: createdOnce},
		{ID: "created-is-kept", Title: "Reads return an animal as it was created", Proves: []spec.ID{"CREATE-13", "LIST-10", "GET-2"}, Whole: kept},
	}
}

func createdIsAPet(x history.Exchange) Reading {
	if x.Operation != spec.CreatePet || !x.Answered() || x.Status() != 201 || len(x.Response.Body) > 0 && x.Malformed != nil {
		return notConcerned
	}
	return aPet("CREATE-2", "the body of a 201", x)
}

// createdStatus also judges requests that the service may accept or refuse: if it accepts one, it must return 201.
func createdStatus(x history.Exchange) Reading {
	p, ok := x.Pet()
	if x.Operation != spec.CreatePet || !x.Auth.Valid() || !ok || !p.Known() {
		return notConcerned
	}
	if x.Status() != 201 {
		return reading(brokenStatus("CREATE-1", "the status of a response with the new Pet", 201, x))
	}
	return reading()
}

// aPet holds when the body is an object with at least one member of a Pet. A missing member is left to the rule
// pet-schema.
func aPet(id spec.ID, what string, x history.Exchange) Reading {
	if p, ok := x.Pet(); !ok || !p.Known() {
		return reading(broken(id, what, "a Pet object with id, name and categoryId", bodyKind(x)))
	}
	return reading()
}

// createdAsSent compares the members that were valid in the request. A member that is missing from the response, or has
// the wrong type there, is left to the rule pet-schema.
func createdAsSent(x history.Exchange) Reading {
	returned, ok := x.Pet()
	if x.Operation != spec.CreatePet || x.Status() != 201 || !ok || !returned.Known() {
		return notConcerned
	}
	sent, ok := x.SentPet()
	if !ok {
		return notConcerned
	}
	for _, d := range sent.Differences(returned) {
		if !bothValid(sent, returned, d.Member) {
			continue
		}
		if !returned.Has(d.Member) { // any may be the first that one of several places answers
			d.Wanted = "the " + d.Member
		}
		return reading(broken("CREATE-3", "the "+d.Member+" of the Pet in a 201", d.Wanted+", as it was sent", d.Got))
	}
	return reading()
}

// createdIDAssigned concerns what a service accepts although it has an id. It may refuse such a body. An id that several
// animals get without asking is not taken from the request.
func createdIDAssigned(h *history.History) Whole {
	w, unasked := Whole{}, map[string]int{}
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
			f := broken("CREATE-4", "the id of an animal that was created with an id in the body", "an id that the service assigned",
				c.Answered.ID+", the one that was sent")
			f.Exchange = c.Exchange.N
			w.Broken = append(w.Broken, f)
		}
	}
	return w
}

// bothValid reports whether a member is valid in the request and has the right type in the response.
func bothValid(sent, returned history.Pet, member string) bool {
	switch member {
	case "name":
		_, was := sent.Members["name"].(string)
		_, is := returned.Members["name"].(string)
		return was && is
	case "categoryId":
		// Whether 7.0 and 1e2 are accepted is open. A service that accepts one must return the same number.
		_, number := sent.Members["categoryId"].(json.Number)
		_, err := strconv.ParseInt(sent.Category(), 10, 64)
		return number && err == nil && returned.Category() != ""
	}
	status, _ := sent.Status()
	return status.Valid() && (!returned.Has("status") || returned.Members["status"] != nil)
}

// createdUnique finds an id that two creations got, or that a creation shares with an animal that a read showed before.
func createdUnique(h *history.History) Whole {
	w := Whole{}
	first, seen := map[string]history.Creation{}, sightings(h)
	for _, c := range h.Created() {
		id := c.Answered.ID
		if id == "" {
			continue
		}
		w.Of++
		f := broken("CREATE-5", "the id of a new animal", "an id that no other animal has", "")
		f.Exchange = c.Exchange.N
		if before, again := first[id]; again {
			f.Actual = fmt.Sprintf("%s, which exchange %d got too", id, before.Exchange.N)
			w.Broken = append(w.Broken, f)
			continue
		}
		first[id] = c
		if n, name, was := seenBefore(seen[id], c); was {
			f.Actual = fmt.Sprintf("%s, the id of %q in exchange %d, which ended before this one was sent", id, clip(name), n)
			w.Broken = append(w.Broken, f)
		}
	}
	return w
}

// sighting is a read that showed an animal.
type sighting struct {
	read history.Exchange
	name string
}

// sightings returns the reads that showed each id.
func sightings(h *history.History) map[string][]sighting {
	by := map[string][]sighting{}
	for _, x := range h.All {
		if x.Operation == spec.CreatePet {
			continue
		}
		for _, p := range x.Shown() {
			by[p.ID] = append(by[p.ID], sighting{x, p.Name()})
		}
	}
	return by
}

// seenBefore looks for a read that showed another animal under the id of c and ended before c was sent.
func seenBefore(of []sighting, c history.Creation) (n int, name string, was bool) {
	for _, s := range of {
		if s.read.N >= c.Exchange.N {
			break
		}
		if s.read.Ended().Before(c.Exchange.Sent) && s.name != c.Answered.Name() && s.name != c.Sent.Name() {
			return s.read.N, s.name, true
		}
	}
	return 0, "", false
}
