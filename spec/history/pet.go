package history

import "petconform/spec"

// Pet is an animal as a response shows it, read leniently. A service that writes ids as strings gets one finding, and
// every other check still recognises its animals.
type Pet struct {
	// Members are the object's members. Numbers are json.Number.
	Members map[string]any
	ID      string // the id as a decimal integer, or "" if it cannot be read as one
}

func petOf(v any) (Pet, bool) {
	m, ok := v.(map[string]any)
	if !ok {
		return Pet{}, false
	}
	return Pet{Members: m, ID: numerically(m["id"])}, true
}

// Has reports whether the animal has a member of that name, even null.
func (p Pet) Has(member string) bool {
	_, ok := p.Members[member]
	return ok
}

// Name is the name, or "" if it is not a string.
func (p Pet) Name() string {
	s, _ := p.Members["name"].(string)
	return s
}

// Status returns the status, and whether it is a string.
func (p Pet) Status() (spec.PetStatus, bool) {
	s, ok := p.Members["status"].(string)
	return spec.PetStatus(s), ok
}

// Category is the categoryId as a decimal integer, or "".
func (p Pet) Category() string {
	return numerically(p.Members["categoryId"])
}

// Known reports whether the object has at least one required member of a Pet, so that it is meant as one.
func (p Pet) Known() bool { return p.Has("id") || p.Has("name") || p.Has("categoryId") }

// Differences returns the members name, categoryId and status in which q differs from p. It does not compare a status
// that p lacks, because the interface does not show the default.
func (p Pet) Differences(q Pet) (all []Difference) {
	if p.Name() != q.Name() {
		all = append(all, Difference{"name", p.KindOf("name"), q.KindOf("name")})
	}
	if p.Category() != q.Category() {
		all = append(all, Difference{"categoryId", p.KindOf("categoryId"), q.KindOf("categoryId")})
	}
	ps, had := p.Status()
	if qs, has := q.Status(); had && (!has || ps != qs) {
		all = append(all, Difference{"status", p.KindOf("status"), q.KindOf("status")})
	}
	return all
}

// WrongType reports whether a member breaks the schema, which the rule pet-schema judges.
func (p Pet) WrongType(member string) bool {
	v, has := p.Members[member]
	switch member {
	case "name":
		_, ok := v.(string)
		return !ok
	case "id", "categoryId":
		_, exact := Int64(v)
		return !exact
	}
	status, ok := p.Status()
	return has && (!ok || !status.Valid())
}

// Difference is a member with another value than expected.
type Difference struct{ Member, Wanted, Got string }

// KindOf describes a member.
func (p Pet) KindOf(member string) string {
	if !p.Has(member) {
		return "no " + member
	}
	return KindOf(p.Members[member])
}
