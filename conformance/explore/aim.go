package explore

import (
	"slices"
	"strings"

	"petconform/spec"
	"petconform/spec/exchange"
)

// mostListed is how many animals of other clients are fetched.
const mostListed = 6

// aimed makes the first sequences of an exploration. They start from what the run has seen before: the animals that are listed, those
// that it created, and what a cache may hold by now. They look at what the checks have no room for.
func (e *explorer) aimed() [][]action {
	var all [][]action
	for ids := e.othersListed(); len(ids) > 0; ids = ids[min(3, len(ids)):] {
		var reads []action
		for _, id := range ids[:min(3, len(ids))] {
			reads = append(reads, action{kind: getThat, text: id}, action{kind: getThat, text: id})
		}
		all = append(all, append(reads, action{kind: list}, action{kind: list, text: "limit=100"}))
	}
	if len(e.created) > 0 {
		older := action{kind: getOlder}
		all = append(all, slices.Repeat([]action{older}, 6),
			[]action{older, {kind: unkeyed, auth: exchange.NoKey, operation: spec.GetPet}, {kind: unkeyed, auth: exchange.UnknownKey, operation: spec.GetPet}, older})
	}
	all = append(all, []action{{kind: list}, {kind: unkeyed, auth: exchange.NoKey, operation: spec.ListPets}, {kind: list}},
		[]action{{kind: list, text: "limit=100"}, {kind: list, text: "limit=100&status=available"}, {kind: list, text: "limit=100&status=pending"}, {kind: list, text: "limit=100&status=sold"}})
	for _, kilobytes := range []int{17, 70, 130, 1100} {
		all = append(all, []action{{kind: wrong, text: `{"name":%n` + strings.Repeat(" ", kilobytes<<10) + `}`}, {kind: list, text: "limit=1"}})
	}
	for _, t := range mediaTypes {
		all = append(all, []action{{kind: typed, text: t}})
	}
	return append(all,
		[]action{{kind: create, status: spec.Available}, {kind: again}, {kind: get}, {kind: get, back: 1}, {kind: list, text: "limit=100"}},
		[]action{{kind: getEarly}, {kind: create, status: spec.Sold}, {kind: get}, {kind: get}})
}

// othersListed returns ids of animals that listings show and that the run did not create: the first and the last of each listing.
func (e *explorer) othersListed() []string {
	var ids []string
	for _, x := range e.all {
		pets, _ := x.Pets()
		for i, p := range pets {
			_, ours := e.byID[p.ID]
			if p.ID != "" && !ours && (i == 0 || i == len(pets)-1) && !slices.Contains(ids, p.ID) && len(ids) < mostListed {
				ids = append(ids, p.ID)
			}
		}
	}
	return ids
}

// mediaTypes are declared for a valid body. Whether it is accepted is open; a refusal is an error response of the operation.
var mediaTypes = []string{"application/xml", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x",
	"application/json; charset=iso-8859-1", "application/merge-patch+json", "json", "*/*"}
