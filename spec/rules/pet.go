package rules

import (
	"fmt"

	"petconform/spec"
	"petconform/spec/history"
	"petconform/spec/verdict"
)

func petRules() []Rule {
	return []Rule{{
		ID: "pet-schema", Title: "Every Pet matches its schema, with exact int64",
		Proves: []spec.ID{"PET-1", "PET-2", "PET-3", "PET-4"}, Each: petSchema,
	}}
}

var requirementOf = map[string]spec.ID{"id": "PET-1", "name": "PET-2", "categoryId": "PET-3", "status": "PET-4"}

// wantedOf says what the schema allows for each member, in the interface's words.
var wantedOf = map[string]string{"id": "an id, an int64", "name": "a name, a string", "categoryId": "a categoryId, an int64",
	"status": "available, pending or sold, or no status at all"}

func petSchema(x history.Exchange) Reading {
	pets := x.Shown()
	if len(pets) == 0 {
		return notConcerned
	}
	r := reading()
	seen := map[spec.ID]bool{}
	for i, p := range pets {
		for _, f := range petFindings(p) {
			if !seen[f.Requirement] {
				seen[f.Requirement] = true
				f.Message = fmt.Sprintf("%s of Pet %d of %d in the body", f.Message, i+1, len(pets))
				r.Broken = append(r.Broken, f)
			}
		}
	}
	return r
}

func petFindings(p history.Pet) []verdict.Finding {
	var all []verdict.Finding
	for _, m := range spec.Match("Pet", p.Members) {
		id := requirementOf[m.Member]
		if id == "" {
			id = "PET-1"
		}
		all = append(all, broken(id, "the "+m.Member, wantedOf[m.Member], actual(p, m.Member)))
	}
	for _, member := range []string{"id", "categoryId"} {
		v, has := p.Members[member]
		if _, exact := history.Int64(v); has && !exact {
			all = append(all, broken(requirementOf[member], "the "+member, "an int64, written as a whole number", history.KindOf(v)))
		}
	}
	return all
}

func actual(p history.Pet, member string) string {
	if !p.Has(member) {
		return "no " + member
	}
	return history.KindOf(p.Members[member])
}
