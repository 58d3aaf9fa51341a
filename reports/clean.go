package reports

import (
	"bufio"
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"hash"
	"io"
	"slices"

	"petconform/spec/exchange"
)

// Clean returns in without the keys that in.Redactor knows: in the results, and in the recording and the earlier run if
// they were read from files. It adds a warning if the results contained a key. The client has already removed keys from
// each response, but parts of a key in two headers may form the key again in a sentence, and a file may be written by
// another program. The error wraps ErrKeyFound if a key cannot be removed.
func Clean(in Input) (Input, error) {
	if in.Redactor == nil {
		return in, nil
	}
	found, err := cleaned(in.Redactor, &in.Results)
	if err != nil {
		return in, err
	}
	if found {
		in.Results.Warnings = append(in.Results.Warnings, "the results contained an API key; [key] replaces it")
	}
	if in.RecordingDigest != "" && in.Recording != nil {
		if err := cleanRecording(in.Redactor, in.Recording); err != nil {
			return in, err
		}
	}
	if in.Previous != nil {
		before := *in.Previous
		before.Redactor = in.Redactor
		if before, err = Clean(before); err != nil {
			return in, err
		}
		before.Redactor = in.Previous.Redactor
		in.Previous = &before
	}
	return in, nil
}

func cleanRecording(keys *exchange.Redactor, rec *exchange.Recording) error {
	if _, err := cleaned(keys, &rec.Meta); err != nil {
		return err
	}
	for i := range rec.Exchanges {
		if _, err := cleaned(keys, &rec.Exchanges[i]); err != nil {
			return err
		}
	}
	return nil
}

// cleaned removes keys from v, through its JSON, and reports whether there was one.
func cleaned[T any](keys *exchange.Redactor, v *T) (bool, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return false, err
	}
	clean, found := keys.RedactJSON(data)
	if !found {
		return false, nil
	}
	var out T
	if err := json.Unmarshal(clean, &out); err != nil {
		return true, fmt.Errorf("%w, and it can't be taken out: %w", ErrKeyFound, err)
	}
	*v = out
	return true, nil
}

// mostLine is the longest line of a recording in bytes, as for package exchange.
const mostLine = 64 << 20

// evidence reads a recording without the keys, and sums what it reads from the file.
type evidence struct {
	io.Reader
	io.Closer
	hash  hash.Hash
	found bool
}

func (o Opening) open(files Files, name string) (*evidence, error) {
	f, err := files(name, MaxRecording)
	if err != nil {
		return nil, err
	}
	e := &evidence{Closer: f, hash: sha256.New()}
	e.Reader = io.TeeReader(f, e.hash)
	if o.Keys != nil {
		lines := bufio.NewScanner(e.Reader)
		lines.Buffer(make([]byte, 0, 64<<10), mostLine)
		e.Reader = &cleanLines{Scanner: lines, keys: o.Keys, found: &e.found}
	}
	return e, nil
}

// cleanLines reads lines without the keys in them. What a key has in common with the address of the run's target, which
// is in the first line, is no piece of a key.
type cleanLines struct {
	*bufio.Scanner
	keys  *exchange.Redactor
	found *bool
	begun bool
	rest  []byte
}

func (c *cleanLines) Read(p []byte) (int, error) {
	for len(c.rest) == 0 {
		if !c.Scan() {
			return 0, cmp.Or(c.Err(), io.EOF)
		}
		var first struct{ Meta *exchange.Meta }
		if !c.begun && json.Unmarshal(c.Bytes(), &first) == nil && first.Meta != nil {
			c.keys = c.keys.Sparing(first.Meta.Target)
		}
		c.begun = true
		redact := c.keys.RedactJSON
		if !json.Valid(c.Bytes()) {
			redact = c.keys.Redact // the last line of a killed run
		}
		line, found := redact(c.Bytes())
		*c.found = *c.found || found
		c.rest = append(slices.Clip(line), '\n')
	}
	n := copy(p, c.rest)
	c.rest = c.rest[n:]
	return n, nil
}
