package rules

import (
	"fmt"
	"slices"

	"petconform/spec"
	"petconform/spec/history"
)

// departure is a member whose value in a read differs from the one in the creation.
type departure struct {
	history.Difference
	read history.Exchange
	// only says that the other operation showed the value later, so that this one alone departs.
	only bool
}

// keptAnimal has the differences between a created animal and its reads, by member.
type keptAnimal struct {
	id              string
	fetched, listed map[string]departure
	reads           int
}

// kept compares every read of an animal with its creation. A difference in listings alone breaks LIST-10, in getPet
// alone GET-2. A difference in both, be it of different animals, means that the service did not keep the value, and
// breaks CREATE-13 alone.
func kept(h *history.History) Whole {
	animals := compareReads(h)
	w := Whole{}
	fetched, listed, both := map[string]bool{}, map[string]bool{}, map[string]bool{} // the members that differ in reads of some animal
	for _, a := range animals {
		w.Of += a.reads
		for member, d := range a.fetched {
			fetched[member] = fetched[member] || !d.only
			_, listed := a.listed[member]
			both[member] = both[member] || listed
		}
		for member, d := range a.listed {
			listed[member] = listed[member] || !d.only
		}
	}
	add := func(id spec.ID, a keptAnimal, d departure) {
		f := broken(id, fmt.Sprintf("the %s of animal %s", d.Member, a.id), d.Wanted+", as it was created", d.Got)
		f.Exchange = d.read.N
		w.Broken = append(w.Broken, f)
	}
	for _, a := range animals {
		for _, member := range []string{"name", "categoryId", "status"} {
			inGet, f := a.fetched[member]
			inList, l := a.listed[member]
			notKept := both[member] || fetched[member] && listed[member]
			switch {
			case f && notKept:
				add("CREATE-13", a, inGet)
			case l && notKept:
				add("CREATE-13", a, inList)
			case f:
				add("GET-2", a, inGet)
			case l:
				add("LIST-10", a, inList)
			}
		}
	}
	return w
}

func compareReads(h *history.History) []keptAnimal {
	at := map[string]int{}
	creations := map[string]history.Creation{}
	var animals []keptAnimal
	for _, c := range slices.SortedStableFunc(slices.Values(h.Owed()), history.Creation.Compare) {
		id := c.Answered.ID
		if id == "" {
			continue
		}
		at[id], creations[id] = len(animals), c
		animals = append(animals, keptAnimal{id: id, fetched: map[string]departure{}, listed: map[string]departure{}})
	}
	for _, x := range h.All {
		if x.Operation == spec.CreatePet {
			continue
		}
		for _, p := range x.Shown() {
			i, ours := at[p.ID]
			if !ours || p.ID == "" || x.Operation == spec.GetPet && x.PetID() != p.ID {
				continue
			}
			animals[i].note(creations[p.ID], p, x)
		}
	}
	return animals
}

func (a *keptAnimal) note(c history.Creation, read history.Pet, x history.Exchange) {
	a.reads++
	into, other := a.listed, a.fetched
	if x.Operation == spec.GetPet {
		into, other = other, into
	}
	departs := c.Answered.Differences(read)
	for member, d := range other {
		d.only = d.only || !slices.ContainsFunc(departs, func(d history.Difference) bool { return d.Member == member })
		other[member] = d
	}
	fromSent := map[string]bool{}
	for _, d := range c.Sent.Differences(read) {
		fromSent[d.Member] = true
	}
	for _, d := range departs {
		if read.WrongType(d.Member) || c.Answered.WrongType(d.Member) {
			continue // left to the rule pet-schema
		}
		// The read agrees with the request, so the response to createPet was wrong. That breaks CREATE-3.
		if c.Sent.Has(d.Member) && !fromSent[d.Member] {
			continue
		}
		if _, known := into[d.Member]; !known {
			into[d.Member] = departure{Difference: d, read: x}
		}
	}
}
