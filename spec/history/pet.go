package history

import (
	"petconform/spec"
	"petconform/spec/strictjson"
)

// Pet is an animal as a response shows it, read leniently. A service that writes ids as strings gets one finding, and
// every other check still recognises its animals.
type Pet struct {
	strictjson.Value        // the object
	ID               string // the id as a decimal integer, or "" if it cannot be read as one
}

func petOf(v strictjson.Value) (p Pet, ok bool) {
	if v.Kind != '{' {
		return Pet{}, false
	}
	return Pet{Value: v, ID: numerically(v.Member("id"))}, true
}

// Has reports whether the animal has a member of that name, even null.
func (p Pet) Has(member string) bool { return p.Member(member).Kind != 0 }

// Says reports whether the animal has a member of that name that is not null.
func (p Pet) Says(member string) bool { return p.Has(member) && p.Member(member).Kind != 'n' }

// Name is the name, or "" if it is not a string.
func (p Pet) Name() string {
	if name := p.Member("name"); name.Kind == '"' {
		return name.Text
	}
	return ""
}

// Status returns the status, and whether it is a string.
func (p Pet) Status() (spec.PetStatus, bool) {
	if s := p.Member("status"); s.Kind == '"' {
		return spec.PetStatus(s.Text), true
	}
	return "", false
}

// Category is the categoryId as a decimal integer, or "".
func (p Pet) Category() string {
	return numerically(p.Member("categoryId"))
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
	v := p.Member(member)
	switch member {
	case "name":
		return v.Kind != '"'
	case "id", "categoryId":
		_, exact := Int64(v)
		return !exact
	}
	status, ok := p.Status()
	return v.Kind != 0 && (!ok || !status.Valid())
}

// Difference is a member with another value than expected.
type Difference struct{ Member, Wanted, Got string }

// KindOf describes a member.
func (p Pet) KindOf(member string) string {
	if !p.Has(member) {
		return "no " + member
	}
	return KindOf(p.Member(member))
}
