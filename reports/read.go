package reports

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"petconform/spec/exchange"
)

// maxResults is the largest results.json that Read accepts, in bytes: a larger file is something else.
const maxResults = 32 << 20

// Read reads the folder of a run: results.json, and if they exist, the recording and the policy in release.json. The caller adds
// waivers, an earlier run and a redactor. It is an error if the run is not complete, if results.json is missing, larger than 32
// MiB or does not match its schema, or if the recording is of another run.
func Read(dir string) (Input, error) {
	var in Input
	if err := finished(dir); err != nil {
		return in, err
	}
	data, err := readBounded(filepath.Join(dir, ResultsFile), maxResults)
	if err != nil {
		return in, fmt.Errorf("%s is not the folder of a run: %w", dir, err)
	}
	if in.Results, err = ParseResults(data); err != nil {
		return in, fmt.Errorf("%s: %w", filepath.Join(dir, ResultsFile), err)
	}
	if data, err := readBounded(filepath.Join(dir, ReleaseFile), maxResults); err == nil {
		if err := in.ReadRelease(data); err != nil {
			return in, fmt.Errorf("%s: %w", filepath.Join(dir, ReleaseFile), err)
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return in, err
	}
	return in, in.readRecording(filepath.Join(dir, RecordingFile))
}

// ReadRelease sets the fields of in that release.json has: the policy, and whether the report was searched for keys. It returns
// an error if data is not JSON or has another schema.
func (in *Input) ReadRelease(data []byte) error {
	var r release
	if err := json.Unmarshal(data, &r); err != nil {
		return err
	}
	if r.Schema != releaseSchema {
		return fmt.Errorf("schema %q instead of %q", r.Schema, releaseSchema)
	}
	in.Policy, in.Scanned = r.Policy, r.Scanned
	return nil
}

func (in *Input) readRecording(name string) error {
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	hash := sha256.New()
	if in.Results.Kind == "load" { // of another layout, and its judge's to read
		_, err = io.Copy(hash, f)
	} else {
		in.Recording, err = exchange.Read(io.TeeReader(f, hash))
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if in.Recording != nil && !sameRun(in.Results, in.Recording.Meta.Run) {
		return fmt.Errorf("%s is of the run %s, but the results beside it are of the run %s; petconform judge judges the recording",
			name, in.Recording.Meta.Run, in.Results.Run)
	}
	in.RecordingDigest = hex.EncodeToString(hash.Sum(nil))
	return nil
}

func readBounded(name string, most int64) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(data)) > most {
		err = fmt.Errorf("%s is larger than %d MiB", name, most>>20)
	}
	return data, err
}
