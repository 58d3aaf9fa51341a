package rules

import (
	"fmt"
	"slices"

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
