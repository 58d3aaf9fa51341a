package waiver

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// File is a file of waivers, in its own order.
type File struct {
	Waivers []Waiver
	// Source is the file as it was read; the bundle carries it, and its digest is shown.
	Source []byte
}

// most bounds a file, against one that is no file of waivers.
const most = 1 << 20

// Parse reads a file of waivers strictly: an unknown member, a repeated id, a missing reason or a day that cannot be
// parsed is an error with its line, because a misread waiver would excuse the wrong failure.
func Parse(data []byte) (*File, error) {
	if len(data) > most {
		return nil, fmt.Errorf("more than %d KiB; this is not a file of waivers", most>>10)
	}
	var file entries
	in := yaml.NewDecoder(bytes.NewReader(data))
	if err := in.Decode(&file); errors.Is(err, io.EOF) {
		return nil, errors.New("the file is empty; README.md has a waiver to copy")
	} else if err != nil {
		return nil, tidy(err)
	}
	if err := in.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return nil, errors.New("a second document follows after \"---\"; put all waivers into one")
	}
	out := &File{Source: data}
	lines := map[string]int{}
	for _, node := range file.Waivers {
		w, err := one(node)
		if err != nil {
			return nil, err
		}
		if first, twice := lines[w.ID]; twice {
			return nil, fmt.Errorf("line %d: the id %q is already used on line %d", w.Line, w.ID, first)
		}
		lines[w.ID] = w.Line
		out.Waivers = append(out.Waivers, w)
	}
	return out, nil
}

// entries are the waivers of a file: a list, alone or under "waivers".
type entries struct {
	Waivers []yaml.Node `yaml:"waivers"`
}

// UnmarshalYAML reads the list. Any other member than "waivers" is an error.
func (e *entries) UnmarshalYAML(node *yaml.Node) error {
	if node.Kind == yaml.SequenceNode {
		return node.Decode(&e.Waivers)
	}
	for i := 0; node.Kind == yaml.MappingNode && i+1 < len(node.Content); i += 2 {
		if key := node.Content[i]; key.Value != "waivers" {
			return fmt.Errorf("line %d: a file of waivers has no member %q; it has a list of waivers", key.Line, key.Value)
		}
	}
	type plain entries
	return node.Decode((*plain)(e))
}

func one(node yaml.Node) (Waiver, error) {
	var w Waiver
	if node.Kind != yaml.MappingNode {
		return w, fmt.Errorf("line %d: not a waiver; a waiver has an id, a check or a requirement, a reason and so on", node.Line)
	}
	if err := known(node); err != nil {
		return w, err
	}
	if err := node.Decode(&w); err != nil {
		return w, tidy(err)
	}
	w.Line = node.Line
	if err := w.wellFormed(); err != nil {
		return w, fmt.Errorf("line %d: waiver %q: %w", node.Line, w.ID, err)
	}
	return w, nil
}

// fields are the members of a waiver. A node, unlike a decoder, does not refuse others by itself.
var fields = []string{"id", "check", "requirement", "reason", "risk", "ticket", "owner", "approver", "from", "ends"}

func known(node yaml.Node) error {
	for i := 0; i+1 < len(node.Content); i += 2 {
		key := node.Content[i]
		if !slices.Contains(fields, key.Value) {
			return fmt.Errorf("line %d: a waiver has no member %q; its members are %s", key.Line, key.Value, strings.Join(fields, ", "))
		}
		if value := node.Content[i+1]; value.Kind != yaml.ScalarNode {
			return fmt.Errorf("line %d: %s is a list or a group; give one value, and one waiver for each failure", value.Line, key.Value)
		}
	}
	return nil
}

// tidy takes the library's preamble off.
func tidy(err error) error {
	text := strings.TrimPrefix(strings.TrimPrefix(err.Error(), "yaml: "), "unmarshal errors:\n  ")
	if at := strings.Index(text, "cannot unmarshal "); at >= 0 {
		text = text[:at] + "not what a file of waivers has there; README.md has a waiver to copy"
	}
	return errors.New(text)
}
