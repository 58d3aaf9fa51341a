package rules

import (
	"fmt"
	"slices"

	"petconform/spec"
	"petconform/spec/history"
)

// kept compares every read of an animal with its creation. A member that differs in listings alone breaks LIST-10, in
// getPet alone GET-2. One that differs in both, be it of different animals, was not kept, which breaks CREATE-13 alone.
func kept(h *history.History) (w Whole) {
	type member struct {
		id, name string
		by       spec.Operation
	}
	type departure struct {
		history.Difference
		read history.Exchange
	}
	creations, first := map[string]history.Creation{}, map[member]departure{}
	for _, c := range h.Owed() {
		if c.Answered.ID != "" {
			creations[c.Answered.ID] = c
		}
	}
	for _, x := range h.All {
		for _, p := range x.Shown() {
			c, ours := creations[p.ID]
			if !ours || x.Operation == spec.CreatePet || x.Operation == spec.GetPet && x.PetID() != p.ID {
				continue
			}
			w.Of++
			for _, d := range departures(c, p) {
				for _, of := range []member{{p.ID, d.Member, x.Operation}, {"", d.Member, x.Operation}} { // of the animal, and of any
					if _, known := first[of]; !known {
						first[of] = departure{d, x}
					}
				}
			}
		}
	}
	for _, c := range slices.SortedStableFunc(slices.Values(h.Owed()), history.Creation.Compare) {
		for _, name := range []string{"name", "categoryId", "status"} {
			_, fetched := first[member{"", name, spec.GetPet}]
			_, listed := first[member{"", name, spec.ListPets}]
			for _, by := range []spec.Operation{spec.GetPet, spec.ListPets} {
				d, departs := first[member{c.Answered.ID, name, by}]
				if !departs || c.Answered.ID == "" {
					continue
				}
				id := spec.ID("CREATE-13")
				if !fetched {
					id = "LIST-10"
				} else if !listed {
					id = "GET-2"
				}
				w.breaks(d.read, id, fmt.Sprintf("the %s of animal %s", name, c.Answered.ID), d.Wanted+", as it was created", d.Got)
			}
		}
	}
	return w
}

// departures are the members of an animal in a read that differ from those in its creation. It leaves what has the wrong
// type to the rule pet-schema. Where the read agrees with the request, the response to createPet was wrong: CREATE-3.
func departures(c history.Creation, read history.Pet) []history.Difference {
	fromSent := c.Sent.Differences(read)
	return slices.DeleteFunc(c.Answered.Differences(read), func(d history.Difference) bool {
		asSent := c.Sent.Has(d.Member) && !slices.ContainsFunc(fromSent, func(e history.Difference) bool { return e.Member == d.Member })
		return asSent || read.WrongType(d.Member) || c.Answered.WrongType(d.Member)
	})
}
