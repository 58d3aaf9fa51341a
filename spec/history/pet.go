package history

import (
	"petconform/spec"
)

// Pet is an animal as a response shows it, read leniently: a service that writes an id as a string gets one finding for
// that, and its animals are still recognised by every other check.
type Pet struct {
	// Members are the object's members, numbers as they are written.
	Members map[string]any
	// ID is the id as a decimal whole number, "" when there is none that can be read as one.
	ID string
}

func petOf(v any) (Pet, bool) {
	m, ok := v.(map[string]any)
	if !ok {
		return Pet{}, false
	}
	return Pet{Members: m, ID: numerically(m["id"])}, true
}

// Has says whether the animal has a member of that name, null included.
func (p Pet) Has(member string) bool {
	_, ok := p.Members[member]
	return ok
}

// Name is the animal's name, "" when it has none that is a string.
func (p Pet) Name() string {
	s, _ := p.Members["name"].(string)
	return s
}

// Status is the animal's status, and whether it has one. A null is none.
func (p Pet) Status() (spec.PetStatus, bool) {
	s, ok := p.Members["status"].(string)
	return spec.PetStatus(s), ok
}

// Category is the categoryId as a decimal whole number, "" when there is none.
func (p Pet) Category() string {
	return numerically(p.Members["categoryId"])
}

// Known says whether the object has at least one of the members that only a Pet has, so that it is one, however wrong.
func (p Pet) Known() bool { return p.Has("id") || p.Has("name") || p.Has("categoryId") }

// Differences names the members (name, categoryId, status) in which q is not as p, where p has them. A status that p does
// not have is not compared: its default is not shown.
func (p Pet) Differences(q Pet) []Difference {
	var d []Difference
	if p.Name() != q.Name() {
		d = append(d, Difference{"name", KindOf(p.Members["name"]), kindOf(q, "name")})
	}
	if p.Category() != q.Category() {
		d = append(d, Difference{"categoryId", KindOf(p.Members["categoryId"]), kindOf(q, "categoryId")})
	}
	ps, had := p.Status()
	if qs, has := q.Status(); had && (!has || ps != qs) {
		d = append(d, Difference{"status", KindOf(p.Members["status"]), kindOf(q, "status")})
	}
	return d
}

// Difference is one member that is not as it was wanted.
type Difference struct{ Member, Wanted, Got string }

func kindOf(p Pet, member string) string {
	if !p.Has(member) {
		return "no " + member
	}
	return KindOf(p.Members[member])
}
