// Package strictjson reads JSON as RFC 8259 defines it, with the tokens of jsontext. It refuses comments, trailing
// text, NaN, a byte order mark, bytes that are not UTF-8 and half of a surrogate pair. Numbers keep their text, so that
// an int64 beyond 2^53 stays exact. Objects keep their members in order, including those that are given twice.
package strictjson

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// Value is a JSON value. Its kind is the first character of it: n, t, f, ", [ or {, and 0 for any number. The zero Value
// is none.
type Value struct {
	Kind jsontext.Kind
	// Text is the content of a string, or the text of a number, true, false or null.
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

// Member returns the last member with exactly that name, as most parsers do. Without one, the zero Value.
func (v Value) Member(name string) Value {
	for _, m := range slices.Backward(v.Members) {
		if m.Name == name {
			return m.Value
		}
	}
	return Value{}
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

// Parse parses one value. An option may relax it: jsontext.AllowInvalidUTF8 replaces half of a surrogate pair by
// U+FFFD.
func Parse(data []byte, opts ...jsontext.Options) (Value, error) {
	in := jsontext.NewDecoder(bytes.NewBuffer(data), append(opts, jsontext.AllowDuplicateNames(true))...)
	v, err := read(in)
	if err == nil {
		if _, err = in.ReadToken(); err == nil {
			err = fmt.Errorf("text after the value, at byte %d", in.InputOffset())
		} else if errors.Is(err, io.EOF) {
			return v, nil
		}
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = errors.New("the text ends before the value")
	}
	return Value{}, errors.New(strings.TrimPrefix(err.Error(), "jsontext: "))
}

func read(in *jsontext.Decoder) (v Value, err error) {
	t, err := in.ReadToken()
	if err != nil {
		return v, err
	}
	switch v.Kind = t.Kind(); v.Kind {
	case '{':
		for in.PeekKind() != '}' {
			name, err := in.ReadToken()
			if err != nil {
				return v, err
			}
			m := Member{Name: name.String()} // before the next token, which overwrites this one
			if m.Value, err = read(in); err != nil {
				return v, err
			}
			v.Members = append(v.Members, m)
		}
		_, err = in.ReadToken()
	case '[':
		for in.PeekKind() != ']' {
			element, err := read(in)
			if err != nil {
				return v, err
			}
			v.Elements = append(v.Elements, element)
		}
		_, err = in.ReadToken()
	default:
		v.Text = t.String()
	}
	return v, err
}

// AppendString writes s as a JSON string. It escapes only what JSON requires. Bytes that are not UTF-8 become U+FFFD.
func AppendString(dst []byte, s string) []byte {
	dst, _ = jsontext.AppendQuote(dst, s) // the error says that s is not UTF-8
	return dst
}

// Append writes v without white space; a Value of no kind is its Text.
func Append(dst []byte, v Value) []byte {
	switch v.Kind {
	case '"':
		return AppendString(dst, v.Text)
	case '[':
		dst = append(dst, '[')
		for i, e := range v.Elements {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = Append(dst, e)
		}
		return append(dst, ']')
	case '{':
		dst = append(dst, '{')
		for i, m := range v.Members {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = Append(append(AppendString(dst, m.Name), ':'), m.Value)
		}
		return append(dst, '}')
	}
	return append(dst, v.Text...)
}
