package strictjson

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// maxDepth is the deepest nesting that Parse reads. Members that the interface does not name may hold anything, but no
// client and no server nests deeper.
const maxDepth = 5000

// Parse parses one value. An option may relax it: jsontext.AllowInvalidUTF8 replaces half of a surrogate pair by
// U+FFFD.
func Parse(data []byte, opts ...jsontext.Options) (Value, error) {
	in := jsontext.NewDecoder(bytes.NewBuffer(data), append([]jsontext.Options{jsontext.AllowDuplicateNames(true)}, opts...)...)
	v, err := read(in)
	if err != nil {
		return Value{}, plainly(err)
	}
	switch _, err := in.ReadToken(); {
	case err == nil:
		return Value{}, fmt.Errorf("text after the value, at byte %d", in.InputOffset())
	case !errors.Is(err, io.EOF):
		return Value{}, plainly(err)
	}
	return v, nil
}

func read(in *jsontext.Decoder) (v Value, err error) {
	if in.StackDepth() > maxDepth {
		return v, fmt.Errorf("nested deeper than %d", maxDepth)
	}
	t, err := in.ReadToken()
	if err != nil {
		return v, err
	}
	switch v.Kind = kinds[t.Kind()]; v.Kind {
	case Object:
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
	case Array:
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

var kinds = map[jsontext.Kind]Kind{'n': Null, 't': Bool, 'f': Bool, '0': Number, '"': String, '[': Array, '{': Object}

// plainly returns the text of an error without the name of the library.
func plainly(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("the text ends before the value")
	}
	return errors.New(strings.TrimPrefix(err.Error(), "jsontext: "))
}
