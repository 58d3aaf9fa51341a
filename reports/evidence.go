package reports

import (
	"bufio"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"slices"

	"petconform/load/record"
	"petconform/reports/decision"
	"petconform/spec/exchange"
	"petconform/spec/verdict"
)

// recorded is a run as it was read: its recordings, and what results.json and release.json claim.
type recorded struct {
	path   string
	owner  owner
	checks *exchange.Recording
	load   *record.Recording
	// digest is that of the recording of checks.
	digest string
	// why says why the run cannot be judged; empty if it can.
	why string

	claimed *verdict.Results
	// unread says why a file of claims could not be read.
	unread   []string
	policy   decision.Policy
	scanned  bool
	keyFound bool
	copies   map[string]func() (io.ReadCloser, error)
}

// read reads the files of a run. It returns an error if they are not those of a run.
func (o Opening) read(files Files, own owner) (recorded, error) {
	one := recorded{owner: own, copies: map[string]func() (io.ReadCloser, error){}}
	if err := one.claims(files); err != nil && !o.Any {
		return one, err
	} else if err != nil {
		one.unread = []string{err.Error() + "; the recording is judged without it"}
	}
	var unreadable error
	for _, name := range RecordingFiles() {
		if err := o.recording(&one, files, name); err == nil {
			one.copies[name] = func() (io.ReadCloser, error) { return o.open(files, name) }
		} else if !errors.Is(err, fs.ErrNotExist) {
			unreadable = errors.Join(unreadable, fmt.Errorf("%s: %w", name, err))
		}
	}
	switch {
	case one.claimed == nil && unreadable != nil:
		return one, unreadable
	case one.claimed == nil && one.checks == nil && one.load == nil:
		return one, fmt.Errorf("this is not the folder of a run: it has neither %s nor %s; name the folder of a run, or a recording",
			RecordingFile, LoadRecordingFile)
	case unreadable != nil:
		one.why = unreadable.Error()
	case one.checks == nil && one.load == nil:
		one.why = "there is no recording beside it"
	default:
		one.why = one.foreign()
	}
	return one, nil
}

func (o Opening) recording(one *recorded, files Files, name string) error {
	in, err := o.open(files, name)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	switch name {
	case LoadRecordingFile:
		one.load, err = record.Read(in)
	default:
		one.checks, err = exchange.Read(in)
		one.digest = hex.EncodeToString(in.hash.Sum(nil))
	}
	one.keyFound = one.keyFound || in.found
	return err
}

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

// mostLine is the longest line of a recording in bytes, as for package exchange.
const mostLine = 64 << 20

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
