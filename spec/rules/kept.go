package rules

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

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
		history.Creation
		history.Difference
		read history.Exchange
	}
	creations, departs, first := map[string]history.Creation{}, map[member]bool{}, []departure{}
	for _, c := range h.Owed() {
		creations[c.Answered.ID] = c
	}
	for _, x := range h.All {
		for _, p := range x.Shown() {
			c, ours := creations[p.ID]
			if !ours || p.ID == "" || x.Operation == spec.CreatePet || x.Operation == spec.GetPet && x.PetID() != p.ID {
				continue
			}
			w.Of++
			for _, d := range departures(c, p) {
				if !departs[member{p.ID, d.Member, x.Operation}] {
					first = append(first, departure{c, d, x})
				}
				departs[member{p.ID, d.Member, x.Operation}], departs[member{"", d.Member, x.Operation}] = true, true
			}
		}
	}
	slices.SortStableFunc(first, func(d, e departure) int {
		return cmp.Or(d.Compare(e.Creation), strings.Compare(d.Member, e.Member), cmp.Compare(d.read.Operation, e.read.Operation))
	})
	for _, d := range first {
		id := spec.ID("CREATE-13")
		if !departs[member{"", d.Member, spec.GetPet}] {
			id = "LIST-10"
		} else if !departs[member{"", d.Member, spec.ListPets}] {
			id = "GET-2"
		}
		w.Breaks(d.read, id, fmt.Sprintf("the %s of animal %s", d.Member, d.Answered.ID), d.Wanted+", as it was created", d.Got)
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
