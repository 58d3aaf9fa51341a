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
// parsed is an error with its place, because a misread waiver would excuse the wrong failure.
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
	ids := map[string]bool{}
	for i, w := range out.Waivers {
		if err := w.wellFormed(); err != nil {
			return nil, fmt.Errorf("waiver %d, %q: %w", i+1, w.ID, err)
		} else if ids[w.ID] {
			return nil, fmt.Errorf("waiver %d: the id %q is already used", i+1, w.ID)
		}
		ids[w.ID] = true
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
