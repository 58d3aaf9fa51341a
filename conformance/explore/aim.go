package explore

import (
	"slices"

	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/history"
)

// mostListed is how many animals of other clients are fetched.
const mostListed = 6

// aimed makes the first sequences of an exploration. They start from what the run has seen before: the animals that are
// listed, those that it created, and what a cache may hold by now. They look at what the checks have no room for.
func (e *explorer) aimed() [][]action {
	var all [][]action
	for ids := range slices.Chunk(e.othersListed(), 3) {
		var reads []action
		for _, id := range ids {
			reads = append(reads, getID("get-that", id), getID("get-that", id))
		}
		all = append(all, append(reads, listing(""), listing("limit=100")))
	}
	if len(e.created) > 0 {
		all = append(all, slices.Repeat([]action{getOlder(0)}, 6),
			[]action{getOlder(0), unkeyed(exchange.NoKey, spec.GetPet), unkeyed(exchange.UnknownKey, spec.GetPet), getOlder(0)})
	}
	all = append(all, []action{listing(""), unkeyed(exchange.NoKey, spec.ListPets), listing("")},
		[]action{listing("limit=100"), listing("limit=100&status=available"), listing("limit=100&status=pending"),
			listing("limit=100&status=sold")})
	for _, t := range mediaTypes {
		all = append(all, []action{typed(t)})
	}
	return append(all,
		[]action{newPet(spec.Available), again(0, nil), getOwn(0), getOwn(1), listing("limit=100")},
		[]action{getEarly(0), newPet(spec.Sold), getOwn(0), getOwn(0)})
}

// othersListed returns ids of animals that listings show and that the run did not create: the first and the last of
// each listing.
func (e *explorer) othersListed() []string {
	var ids []string
	for _, x := range e.all {
		pets, _ := x.Pets()
		for i, p := range pets {
			ours := slices.ContainsFunc(e.created, func(c history.Creation) bool { return c.Answered.ID == p.ID })
			if p.ID != "" && !ours && (i == 0 || i == len(pets)-1) && !slices.Contains(ids, p.ID) && len(ids) < mostListed {
				ids = append(ids, p.ID)
			}
		}
	}
	return ids
}

// mediaTypes are declared for a valid body. Whether it is accepted is open; a refusal is an error response of the
// operation.
var mediaTypes = []string{"application/xml", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x",
	"application/json; charset=iso-8859-1", "application/merge-patch+json", "json", "*/*"}
