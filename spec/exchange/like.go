package exchange

import (
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
)

// A load has up to a million exchanges, most of which differ in times and in a few headers. So it keeps one Exchange
// for all that are alike, and of each of the others the headers that differ.

// Changes are headers that differ from those of an exchange that is alike. Each is a name with its values; without a
// value, the header is missing.
type Changes []*Field

// Field is the name of a header and its values.
type Field []string

// Fields keeps each field of Changes once. The zero value is ready to use.
type Fields struct {
	kept map[string]*Field
	key  []byte
}

// Changes returns the headers in to that differ from those in from, of those that rules read. Other headers, such as a
// request id, are taken to be alike.
func (f *Fields) Changes(from, to http.Header) Changes {
	var all [16]*Field // more than judged has
	changes := all[:0]
	for _, name := range judged {
		if !slices.Equal(from[name], to[name]) {
			changes = append(changes, f.keep(name, to[name]))
		}
	}
	return append(Changes(nil), changes...)
}

// Keep replaces the fields of c by those that are equal and kept already. It returns an error for a field that Changes
// does not make: one without a name, of a header that no rule reads, or named before.
func (f *Fields) Keep(c Changes) error {
	for i, field := range c {
		if field == nil || len(*field) == 0 || !IsRead((*field)[0]) {
			return errors.New("a header that differs has no name, or one that no rule reads; the file was changed")
		}
		if slices.ContainsFunc(c[:i], func(before *Field) bool { return (*before)[0] == (*field)[0] }) {
			return fmt.Errorf("the header %s differs twice; the file was changed", (*field)[0])
		}
		c[i] = f.keep((*field)[0], (*field)[1:])
	}
	return nil
}

func (f *Fields) keep(name string, values []string) *Field {
	f.key = append(f.key[:0], name...)
	for _, s := range values {
		f.key = append(binary.AppendUvarint(f.key, uint64(len(s))), s...)
	}
	if same, ok := f.kept[string(f.key)]; ok {
		return same
	}
	if f.kept == nil {
		f.kept = map[string]*Field{}
	}
	field := append(Field{name}, values...)
	f.kept[string(f.key)] = &field
	return &field
}

// mostCopied is the largest number of headers that Of copies. A service that sends more wants to fill the memory.
const mostCopied = 64

// Of returns h with the changes; of very many headers only those that rules read.
func (c Changes) Of(h http.Header) http.Header {
	if len(c) == 0 {
		return h
	}
	out := make(http.Header, min(len(h), mostCopied)+len(c))
	if len(h) <= mostCopied {
		maps.Copy(out, h)
	} else {
		for _, name := range judged {
			if values, ok := h[name]; ok {
				out[name] = values
			}
		}
	}
	for _, field := range c {
		if len(*field) == 1 {
			delete(out, (*field)[0])
		} else {
			out[(*field)[0]] = (*field)[1:]
		}
	}
	return out
}
