// Package strictjson reads JSON as RFC 8259 has it and nothing more: no comments, no trailing text, no NaN, no byte
// order mark, no bytes that are not UTF-8, no half of a surrogate pair. Numbers keep their text, so that an int64 beyond
// 2^53 stays exact, and objects keep their members in order, doubled ones included, so that the reader can decide.
package strictjson

import (
	"fmt"
	"strconv"
	"strings"
)

// Kind is one of JSON's six kinds of value.
type Kind int

// The kinds. The zero Kind stands for no value at all.
const (
	Null Kind = iota + 1
	Bool
	Number
	String
	Array
	Object
)

var kindNames = [...]string{"nothing", "null", "a boolean", "a number", "a string", "an array", "an object"}

// String names the kind with its article, for messages.
func (k Kind) String() string {
	if k < 0 || int(k) >= len(kindNames) {
		return fmt.Sprintf("kind %d", int(k))
	}
	return kindNames[k]
}

// Value is one JSON value.
type Value struct {
	Kind Kind
	// Text is a string's content, or the spelling of a number, of true or of false.
	Text string
	// Members are an object's, in order.
	Members []Member
	// Elements are an array's.
	Elements []Value
}

// Member is a name and its value in an object.
type Member struct {
	Name  string
	Value Value
}

// Member gives the first member with exactly that name.
func (v Value) Member(name string) (Value, bool) {
	for _, m := range v.Members {
		if m.Name == name {
			return m.Value, true
		}
	}
	return Value{}, false
}

// Doubled names a member that the object has more than once, if there is one.
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

// Int64 reads a whole number that is written without fraction or exponent. The message of the error goes after a name:
// "is a string, not an int64".
func (v Value) Int64() (int64, error) {
	if v.Kind != Number {
		return 0, fmt.Errorf("is %s, not an int64", v.Kind)
	}
	n, err := strconv.ParseInt(v.Text, 10, 64)
	switch {
	case err == nil:
		return n, nil
	case strings.ContainsAny(v.Text, ".eE"):
		return 0, fmt.Errorf("is %s, which is not written as a whole number", clip(v.Text))
	default:
		return 0, fmt.Errorf("is %s, which is beyond int64", clip(v.Text))
	}
}

// clip keeps a message short whatever came.
func clip(s string) string {
	if len(s) > 40 {
		return s[:40] + "…"
	}
	return s
}
