package exchange

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"unique"
)

// A load has up to a million exchanges, most of which differ in times and in a few headers. So it keeps one Exchange
// for all that are alike, and of each of the others the headers that differ.

// Changes are headers that differ from those of an exchange that is alike.
type Changes []Change

// Change is a header: a line with its name and a line with each of its values; without a value, the header is missing.
// Equal ones are in memory once.
type Change struct{ text unique.Handle[string] }

// ChangesOf returns the headers in to that differ from those in from, of those that rules read. Other headers, such as
// a request id, are taken to be alike.
func ChangesOf(from, to http.Header) Changes {
	var changes Changes
	for _, name := range judged {
		if !slices.Equal(from[name], to[name]) {
			changes = append(changes, Change{unique.Make(strings.Join(append([]string{name}, to[name]...), "\n"))})
		}
	}
	return slices.Clip(changes)
}

// MarshalText and UnmarshalText make a Change a string in a recording.
func (c Change) MarshalText() ([]byte, error) { return []byte(c.text.Value()), nil }

func (c *Change) UnmarshalText(text []byte) error {
	c.text = unique.Make(string(text))
	return nil
}

// Validate returns an error for what ChangesOf does not make: a header that no rule reads, or one that was named before.
func (c Changes) Validate() error {
	var names []string
	for _, field := range c {
		name := ""
		if field != (Change{}) {
			name, _, _ = strings.Cut(field.text.Value(), "\n")
		}
		if !IsRead(name) || slices.Contains(names, name) {
			return fmt.Errorf("a header %q that differs is one that no rule reads, or differs twice; the file was changed", name)
		}
		names = append(names, name)
	}
	return nil
}

// mostCopied is the largest number of headers that Of copies. A service that sends more wants to fill the memory.
const mostCopied = 64

// Of returns h with the changes; of very many headers only those that rules read.
func (c Changes) Of(h http.Header) http.Header {
	if len(c) == 0 {
		return h
	}
	out := make(http.Header, min(len(h), mostCopied)+len(c))
	maps.Copy(out, h)
	if len(h) > mostCopied {
		maps.DeleteFunc(out, func(name string, _ []string) bool { return !IsRead(name) })
	}
	for _, field := range c {
		name, values, any := strings.Cut(field.text.Value(), "\n")
		if delete(out, name); any {
			out[name] = strings.Split(values, "\n")
		}
	}
	return out
}
