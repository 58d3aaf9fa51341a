package reports

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"petconform/load/record"
	"petconform/reports/decision"
	"petconform/spec/bounded"
	"petconform/spec/exchange"
	"petconform/spec/verdict"
)

// The largest files of a run that are read, in bytes. A load records about 240 bytes for a request, so a day of the
// Business plan (100,000 requests) takes 24 MB, and a million requests fit; a check writes at most 64 MiB. The largest
// results are of a day of all four plans, with the figures of 86,400 seconds and eight series of 4,000 points for each:
// about 50 MB. release.json has six gates and what was not tested: a few KiB.
const (
	MaxRecording = 256 << 20
	maxResults   = 64 << 20
	maxRelease   = bounded.Small
)

// largest returns the largest size of a file of a run by its name.
func largest(name string) int64 {
	switch name {
	case ResultsFile:
		return maxResults
	case ReleaseFile:
		return maxRelease
	}
	return MaxRecording
}

// Files reads a file of a run by its name in a folder. The error is fs.ErrNotExist if the run has no such file.
type Files func(name string) ([]byte, error)

// filesOf returns the files of a folder, or a single recording under the name that it has in a folder: a load's begins
// with its format.
func (o Opening) filesOf(path string) (Files, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("%s is not the folder of a run: %w", path, err)
	}
	if !info.IsDir() {
		data, err := bounded.ReadFile(path, MaxRecording)
		own := RecordingFile
		if bytes.Contains(data[:min(len(data), 512)], []byte(record.Formats)) {
			own = LoadRecordingFile
		}
		return func(name string) ([]byte, error) {
			if name != own {
				return nil, fs.ErrNotExist
			}
			return data, nil
		}, err
	}
	unfinished := filepath.Join(path, Unfinished)
	if _, err := os.Stat(unfinished); err == nil && !o.Any {
		return nil, fmt.Errorf("the run in %s is under way or was killed; petconform judge %s judges its recording",
			path, path)
	} else if err == nil {
		path = unfinished
	}
	return func(name string) ([]byte, error) {
		return bounded.ReadFile(filepath.Join(path, name), largest(name))
	}, nil
}

// recorded is a run as it was read: its recordings, and what results.json and release.json claim.
type recorded struct {
	path       string
	checks     *exchange.Recording
	load       *record.Recording
	recordings map[string][]byte
	// why says why the run cannot be judged; nil if it can.
	why error

	claimed *verdict.Results
	// unread says why a file of claims could not be read.
	unread []string
	policy decision.Policy
	run    string // that of release.json
}

// read reads the files of a run. It returns an error if they are not those of a run, which need not have claims.
func (o Opening) read(files Files) (one recorded, err error) {
	one.recordings = map[string][]byte{}
	var unread error
	for _, name := range append([]string{ResultsFile, ReleaseFile}, RecordingFiles()...) {
		evidence := slices.Contains(RecordingFiles(), name)
		data, err := files(name)
		if most := largest(name); err == nil && int64(len(data)) > most {
			err = bounded.TooLarge(name, most)
		}
		if err == nil {
			err = one.take(name, data)
		}
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil && evidence:
			one.why = errors.Join(one.why, fmt.Errorf("%s: %w", name, err))
		case err != nil:
			unread = errors.Join(unread, fmt.Errorf("%s: %w", name, err))
		case evidence:
			one.recordings[name] = data
		}
	}
	none := len(one.recordings) == 0
	switch {
	case unread != nil && !o.Any:
		return one, unread
	case one.claimed == nil && one.why != nil:
		return one, one.why
	case one.claimed == nil && none:
		return one, fmt.Errorf("this is not the folder of a run: it has neither %s nor %s; name the folder of a "+
			"run, or a recording", RecordingFile, LoadRecordingFile)
	case unread != nil:
		one.unread = []string{unread.Error() + "; the recording is judged without it"}
	}
	switch {
	case none:
		one.why = cmp.Or(one.why, errors.New("there is no recording beside it"))
	case one.why == nil:
		one.why = one.foreign()
	}
	return one, nil
}

// take reads one of the files. Of release.json it takes the gates, which the report in a bundle is rendered with.
func (one *recorded) take(name string, data []byte) (err error) {
	switch in := bytes.NewReader(data); name {
	case LoadRecordingFile:
		one.load, err = record.Read(in)
	case RecordingFile:
		one.checks, err = exchange.Read(in)
	case ResultsFile:
		var res verdict.Results
		if res, err = ParseResults(data); err == nil {
			one.claimed = &res
		}
	case ReleaseFile:
		var r releaseJSON
		if err = json.Unmarshal(data, &r); err == nil && r.Schema != releaseSchema {
			err = fmt.Errorf("schema %q instead of %q", r.Schema, releaseSchema)
		}
		one.policy, one.run = r.Policy, r.Run
	}
	return err
}

// foreign says that the recordings are not those of the run that results.json names: one of them is gone, or of another
// run. A run of both has their names joined by +, as Merge does.
func (one recorded) foreign() error {
	if one.claimed == nil || one.claimed.Run == "" {
		return nil
	}
	var run string
	if one.checks != nil {
		run = one.checks.Meta.Run
	}
	if one.load != nil && !strings.Contains(run, one.load.Meta.Run) {
		run = strings.TrimPrefix(run+"+"+one.load.Meta.Run, "+")
	}
	switch says := one.claimed.Run; {
	case one.run != "" && one.run != says:
		return fmt.Errorf("%s is of the run %s, but %s of the run %s", ReleaseFile, one.run, ResultsFile, says)
	case run != says:
		return fmt.Errorf("what is recorded is of the run %s, but %s names the run %s; petconform judge FILE judges one "+
			"recording", run, ResultsFile, says)
	}
	return nil
}
