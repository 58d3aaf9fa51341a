package waiver

import (
	"bytes"
	"errors"
	"fmt"
	"io"
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

// Parse reads a list of waivers strictly: an unknown member, a repeated id, a missing reason or a day that cannot be
// parsed is an error with its line, because a misread waiver would excuse the wrong failure.
func Parse(data []byte) (*File, error) {
	if len(data) > most {
		return nil, fmt.Errorf("more than %d KiB; this is not a file of waivers", most>>10)
	}
	out := &File{Source: data}
	in := yaml.NewDecoder(bytes.NewReader(data))
	in.KnownFields(true)
	if err := in.Decode(&out.Waivers); errors.Is(err, io.EOF) {
		return nil, errors.New("the file is empty; README.md has a waiver to copy")
	} else if err != nil {
		return nil, tidy(err)
	}
	if err := in.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return nil, errors.New("a second document follows after \"---\"; put all waivers into one")
	}
	var nodes []yaml.Node // for the lines
	if err := yaml.Unmarshal(data, &nodes); err != nil {
		return nil, tidy(err)
	}
	lines := map[string]int{}
	for i, w := range out.Waivers {
		if err := w.wellFormed(); err != nil {
			return nil, fmt.Errorf("line %d: waiver %q: %w", nodes[i].Line, w.ID, err)
		}
		if first, twice := lines[w.ID]; twice {
			return nil, fmt.Errorf("line %d: the id %q is already used on line %d", nodes[i].Line, w.ID, first)
		}
		lines[w.ID] = nodes[i].Line
	}
	return out, nil
}

// tidy replaces the library's words.
func tidy(err error) error {
	text := strings.NewReplacer("yaml: ", "", "unmarshal errors:\n  ", "", "field ", "a waiver has no member ",
		" not found in type waiver.Waiver", "").Replace(err.Error())
	if at := strings.Index(text, "cannot unmarshal "); at >= 0 {
		text = text[:at] + "not what a list of waivers has there; README.md has a waiver to copy"
	}
	return errors.New(text)
}
