package behaviour

import (
	"regexp"
	"slices"
	"strings"

	"petconform/spec"
	"petconform/spec/strictjson"
)

// Before alters requests before they are read.
func Before(change func(*Call)) Change {
	return Around(func(c *Call, next Handler) Answer {
		change(c)
		return next(c)
	})
}

// SetQuery sets a parameter of the query; without a value it removes one.
func (c *Call) SetQuery(name string, value ...string) {
	query := c.Request.URL.Query()
	query[name] = value
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
		return err == nil && v.Kind == '{'
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

// Taken changes the JSON of a member whose value begins with one of those characters and would be refused.
func Taken(member, kinds string, change func(value string) string) Change {
	return Sent(Changed(member, func(value string) string {
		v, err := strictjson.Parse([]byte(value))
		if err != nil || !strings.Contains(kinds, string(v.Kind)) || readMember(&spec.NewPet{}, member, v) == nil {
			return value
		}
		return change(value)
	}))
}

// An Edit changes the members of an object, of a request or of an answer.
type Edit func(members []strictjson.Member) []strictjson.Member

// edited makes one edit after the other of an object, or of each object of an array.
func edited(body []byte, edits []Edit) []byte {
	v, err := strictjson.Parse(body)
	if err != nil {
		return body
	}
	change := func(v *strictjson.Value) {
		for _, edit := range edits {
			if v.Kind == '{' {
				v.Members = edit(v.Members)
			}
		}
	}
	change(&v)
	for i := range v.Elements {
		change(&v.Elements[i])
	}
	return strictjson.Append(nil, v)
}

// written is the JSON of a member, and raw a value of such a text.
func written(m strictjson.Member) string   { return string(strictjson.Append(nil, m.Value)) }
func raw(text string) (v strictjson.Value) { return strictjson.Value{Text: text} }
func named(name string) func(strictjson.Member) bool {
	return func(m strictjson.Member) bool { return m.Name == name }
}

// Without leaves a member out; if values are given, only if it has one of them.
func Without(name string, values ...string) Edit {
	return func(members []strictjson.Member) []strictjson.Member {
		return slices.DeleteFunc(members, func(m strictjson.Member) bool {
			return m.Name == name && (len(values) == 0 || slices.Contains(values, written(m)))
		})
	}
}

// Default adds a member where there is none of that name.
func Default(name, value string) Edit {
	return func(members []strictjson.Member) []strictjson.Member {
		if slices.ContainsFunc(members, named(name)) {
			return members
		}
		return append(members, strictjson.Member{Name: name, Value: raw(value)})
	}
}

// Changed changes the JSON of a member that is there.
func Changed(name string, change func(value string) string) Edit {
	return func(members []strictjson.Member) []strictjson.Member {
		for i, m := range members {
			if m.Name == name {
				members[i].Value = raw(change(written(m)))
			}
		}
		return members
	}
}
