package reports

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"petconform/load/record"
	"petconform/spec/bounded"
	"petconform/spec/exchange"
	"petconform/spec/verdict"
)

const (
	// MaxRecording is the largest recording that is read, in bytes: 256 MiB. A load records about 240 bytes for a
	// request, so a day of the Business plan (100,000 requests) takes 24 MB, and a million requests fit. A check writes
	// at most 64 MiB.
	MaxRecording = 256 << 20
	// maxResults is the largest results.json or release.json that is read, in bytes: a larger file is something else.
	maxResults = 32 << 20
)

// Opening opens runs. Results are claims and recordings are evidence: it judges the recordings, and compares
// results.json with that. No command reads a run in another way.
type Opening struct {
	// Tool is the version that judges. A warning names it if another version sent the run. Empty means no warning.
	Tool string
	// Strict lets a broken should fail the run, as it does if the recording or results.json says so.
	Strict bool
	// Any opens also a run that is under way or was killed, one whose claims cannot be read, and one shard of a load.
	Any bool
	// Keys are removed from the recordings before these are judged. It may be nil.
	Keys *exchange.Redactor
	// Judging is called before a recording is judged, with the name of its file. It may be nil.
	Judging func(name string)
	// Judge judges the recording of checks. Nil means judge.Recording, since Ginkgo runs one suite in a process,
	// and a command may open several runs.
	Judge func(*exchange.Recording) verdict.Results
}

// Run is a run that was opened. Its results are those of its recordings.
type Run struct {
	Input
	// Claimed is what results.json says; nil if there is none, or if several runs were merged.
	Claimed *verdict.Results
	// Differs says where the results.json of a run differs from what its recordings show, or cannot be read.
	Differs []string
	// KeyFound reports whether a recording has a key. The results and Recordings do not have it.
	KeyFound bool
	// Recordings open the recordings for a copy, by the names that they have in a folder.
	Recordings map[string]func() (io.ReadCloser, error)
	// unfit are those of Recordings that cannot be judged.
	unfit map[string]bool
}

// Files opens a file of a run by its name in a folder: a regular one of at most so many bytes. The error is
// fs.ErrNotExist if the run has no such file.
type Files func(name string, most int64) (io.ReadCloser, error)

// Open opens a run by the path of its folder or of one of its recordings. Several runs become one, as Merge says, and
// the shards of a load are merged before they are judged. A run whose recordings cannot be judged has no verdict, with
// the reason. The error says why a path is not a run, or why several do not go together.
func (o Opening) Open(paths ...string) (Run, error) {
	var all []recorded
	for _, path := range paths {
		files, own, err := o.filesOf(path)
		if err != nil {
			return Run{}, err
		}
		one, err := o.read(files, own)
		if err != nil {
			return Run{}, fmt.Errorf("%s: %w", path, err)
		}
		one.path = path
		all = append(all, one)
	}
	return o.judge(all)
}

// OpenFiles opens a run by its files, as those of a bundle.
func (o Opening) OpenFiles(files Files) (Run, error) {
	one, err := o.read(files, owner{})
	if err != nil {
		return Run{}, err
	}
	return o.judge([]recorded{one})
}

// filesOf returns the files of a folder with its run.json, or a single recording under the name that it has in a
// folder.
func (o Opening) filesOf(path string) (Files, owner, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, owner{}, fmt.Errorf("%s is not the folder of a run: %w", path, err)
	}
	if !info.IsDir() {
		name, err := kindOf(path)
		return func(wanted string, most int64) (io.ReadCloser, error) {
			if wanted != name {
				return nil, fs.ErrNotExist
			}
			return bounded.Open(path, most)
		}, owner{}, err
	}
	own, err := ownerOf(path)
	if err == nil && !o.Any {
		err = own.unfinished(path)
	}
	return func(name string, most int64) (io.ReadCloser, error) {
		return bounded.Open(filepath.Join(path, name), most)
	}, own, err
}

// kindOf returns the name that a recording has in a folder: a load's begins with its format.
func kindOf(path string) (string, error) {
	f, err := bounded.Open(path, MaxRecording)
	if err != nil {
		return "", err
	}
	defer func() { _ = f.Close() }()
	head := make([]byte, 512)
	n, err := io.ReadFull(f, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return "", err
	}
	if bytes.Contains(head[:n], []byte(record.Formats)) {
		return LoadRecordingFile, nil
	}
	return RecordingFile, nil
}

// claims reads results.json and release.json, which a run need not have.
func (one *recorded) claims(files Files) error {
	data, err := readAll(files, ResultsFile)
	if err == nil {
		var res verdict.Results
		if res, err = ParseResults(data); err == nil {
			one.claimed = &res
		}
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: %w", ResultsFile, err)
	}
	if data, err = readAll(files, ReleaseFile); err == nil {
		err = one.release(data)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: %w", ReleaseFile, err)
	}
	return nil
}

// release reads what a report that is written again keeps of release.json: the gates, which can only be asked for in
// addition, and whether the report was searched for keys.
func (one *recorded) release(data []byte) error {
	var r release
	if err := json.Unmarshal(data, &r); err != nil {
		return err
	}
	if r.Schema != releaseSchema {
		return fmt.Errorf("schema %q instead of %q", r.Schema, releaseSchema)
	}
	one.policy, one.scanned = r.Policy, r.Scanned
	return nil
}

func readAll(files Files, name string) ([]byte, error) {
	f, err := files(name, maxResults)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	return io.ReadAll(f)
}
