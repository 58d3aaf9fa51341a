package behaviour

import (
	"regexp"
	"slices"

	"petconform/spec"
	"petconform/spec/strictjson"
)

// Before alters requests before they are read.
func Before(change func(*Call)) Change {
	return func(b *Behaviour) { b.before = append(b.before, change) }
}

// SetQuery sets a parameter of the query.
func (c *Call) SetQuery(name, value string) {
	query := c.Request.URL.Query()
	query.Set(name, value)
	address := *c.Request.URL
	address.RawQuery = query.Encode()
	c.Request.URL = &address
}

// Refuse refuses the selected calls, which were read and are right.
func (w When) Refuse(status int) Change {
	return Check(func(c *Call) *Refusal {
		if w(c) {
			return Refused(status, "refused", "The request is refused.")
		}
		return nil
	})
}

// Check may refuse requests that were read.
func Check(check Step) Change {
	return func(b *Behaviour) { b.checks = append(b.checks, check) }
}

// Body alters the body of createPet before it is parsed.
func Body(change func(body []byte) []byte) Change {
	return func(b *Behaviour) { b.bodies = append(b.bodies, change) }
}

// Repair alters a body that is not a JSON object, if it is one then.
func Repair(change func(body string) string) Change {
	isObject := func(body []byte) bool {
		v, err := strictjson.Parse(body)
		return err == nil && v.Kind == strictjson.Object
	}
	return Body(func(body []byte) []byte {
		if repaired := []byte(change(string(body))); !isObject(body) && isObject(repaired) {
			return repaired
		}
		return body
	})
}

// LoneHalf finds half of a surrogate pair.
var LoneHalf = regexp.MustCompile(`\\u[dD][89abAB][0-9a-fA-F]{2}([^\\]|\\[^u])`)

// Sent edits the members of a body.
func Sent(edits ...Edit) Change {
	return Body(func(body []byte) []byte { return edited(body, edits) })
}

// Taken changes the JSON of a member whose value is of a kind and would be refused.
func Taken(member string, k strictjson.Kind, change func(value string) string) Change {
	return Sent(Changed(member, func(value string) string {
		v, err := strictjson.Parse([]byte(value))
		if err != nil || v.Kind != k || readMember(&spec.NewPet{}, member, v) == nil {
			return value
		}
		return change(value)
	}))
}

// An Edit changes the members of an object, of a request or of an answer.
type Edit func(fields []Field) []Field

// edited makes one edit after the other of an object, or of each object of an array.
func edited(body []byte, edits []Edit) []byte {
	v, err := strictjson.Parse(body)
	if err != nil {
		return body
	}
	switch v.Kind {
	case strictjson.Array:
		var all [][]byte
		for _, e := range v.Elements {
			all = append(all, edited(strictjson.Append(nil, e), edits))
		}
		return array(all)
	case strictjson.Object:
		var fields []Field
		for _, m := range v.Members {
			fields = append(fields, Field{m.Name, string(strictjson.Append(nil, m.Value))})
		}
		for _, edit := range edits {
			fields = edit(fields)
		}
		return Encode(fields)
	}
	return body
}

// Without leaves a member out; if values are given, only if it has one of them.
func Without(name string, values ...string) Edit {
	return func(fields []Field) []Field {
		return slices.DeleteFunc(fields, func(f Field) bool {
			return f.Name == name && (len(values) == 0 || slices.Contains(values, f.Value))
		})
	}
}

// Default adds a member where there is none of that name.
func Default(name, value string) Edit {
	return func(fields []Field) []Field {
		if slices.ContainsFunc(fields, func(f Field) bool { return f.Name == name }) {
			return fields
		}
		return append(fields, Field{name, value})
	}
}

// Changed changes the JSON of a member that is there.
func Changed(name string, change func(value string) string) Edit {
	return func(fields []Field) []Field {
		for i := range fields {
			if fields[i].Name == name {
				fields[i].Value = change(fields[i].Value)
			}
		}
		return fields
	}
}

// Renamed renames the first member whose name is like that, where there is none of the new name.
func Renamed(like func(name string) bool, to string) Edit {
	return func(fields []Field) []Field {
		if slices.ContainsFunc(fields, func(f Field) bool { return f.Name == to }) {
			return fields
		}
		if i := slices.IndexFunc(fields, func(f Field) bool { return like(f.Name) }); i >= 0 {
			fields[i].Name = to
		}
		return fields
	}
}
