// Package strictjson reads JSON as RFC 8259 defines it, with the tokens of jsontext. It refuses comments, trailing
// text, NaN, a byte order mark, bytes that are not UTF-8 and half of a surrogate pair. Numbers keep their text, so that
// an int64 beyond 2^53 stays exact. Objects keep their members in order, including those that are given twice.
package strictjson

import (
	"fmt"
	"strconv"
	"strings"
)

// Kind is one of JSON's six kinds of value.
type Kind int

// The zero Kind means no value.
const (
	Null Kind = iota + 1
	Bool
	Number
	String
	Array
	Object
)

var kindNames = [...]string{"nothing", "null", "a boolean", "a number", "a string", "an array", "an object"}

// String returns the kind with its article: "a number".
func (k Kind) String() string {
	if k < 0 || int(k) >= len(kindNames) {
		return fmt.Sprintf("kind %d", int(k))
	}
	return kindNames[k]
}

type Value struct {
	Kind Kind
	// Text is the content of a string, or the text of a number, true or false.
	Text string
	// Members are the members of an object, in order.
	Members  []Member
	Elements []Value
}

// Member is a name and its value in an object.
type Member struct {
	Name  string
	Value Value
}

// Member returns the first member with exactly that name.
func (v Value) Member(name string) (Value, bool) {
	for _, m := range v.Members {
		if m.Name == name {
			return m.Value, true
		}
	}
	return Value{}, false
}

// Doubled returns the name of a member that the object has twice, if there is one.
func (v Value) Doubled() (string, bool) {
	for i, m := range v.Members {
		for _, earlier := range v.Members[:i] {
			if earlier.Name == m.Name {
				return m.Name, true
			}
		}
	}
	return "", false
}

// Int64 returns a number that has neither a fraction nor an exponent. The text of the error follows a name: "is a
// string, not an int64".
func (v Value) Int64() (int64, error) {
	if v.Kind != Number {
		return 0, fmt.Errorf("is %s, not an int64", v.Kind)
	}
	n, err := strconv.ParseInt(v.Text, 10, 64)
	switch {
	case err == nil:
		return n, nil
	case strings.ContainsAny(v.Text, ".eE"):
		return 0, fmt.Errorf("is %s, which has a fraction or an exponent", clip(v.Text))
	default:
		return 0, fmt.Errorf("is %s, which is beyond int64", clip(v.Text))
	}
}

// clip keeps a message short.
func clip(s string) string {
	if len(s) > 40 {
		return s[:40] + "…"
	}
	return s
}
