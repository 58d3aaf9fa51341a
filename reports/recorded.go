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
	"strings"

	"petconform/load/record"
	"petconform/reports/decision"
	"petconform/reports/safe"
	"petconform/spec/bounded"
	"petconform/spec/exchange"
	"petconform/spec/verdict"
)

// The largest files of a run that are read, in bytes. A load records about 240 bytes for a request, so a day of the
// Business plan (100,000 requests) takes 24 MB, and a million requests fit; a check writes at most 64 MiB. The largest
// results are of a day of all four plans, with the figures of 86,400 seconds and eight series of 4,000 points for each:
// about 50 MB.
const (
	MaxRecording = 256 << 20
	maxResults   = 64 << 20
)

// sizes are the largest sizes of the files of a run that are read.
var sizes = map[string]int64{ResultsFile: maxResults, RecordingFile: MaxRecording, LoadRecordingFile: MaxRecording}

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
		return bounded.ReadFile(filepath.Join(path, name), sizes[name])
	}, nil
}

// recorded is a run as it was read: its recordings, and what results.json claims.
type recorded struct {
	path       string
	checks     *exchange.Recording
	load       *record.Recording
	recordings map[string][]byte
	// why says why the run cannot be judged; nil if it can.
	why error

	claimed *verdict.Results
	// unread says why the claims could not be read.
	unread []string
	policy decision.Policy
}

// read reads the files of a run. It returns an error if they are not those of a run, which need not have claims.
func (o Opening) read(files Files) (one recorded, err error) {
	one.recordings = map[string][]byte{}
	for _, name := range append(RecordingFiles(), ResultsFile) {
		data, err := files(name)
		if most := sizes[name]; err == nil && int64(len(data)) > most {
			err = bounded.TooLarge(name, most)
		}
		if err == nil {
			err = one.take(name, data)
		}
		switch {
		case err == nil, errors.Is(err, fs.ErrNotExist):
		case name != ResultsFile:
			one.why = errors.Join(one.why, fmt.Errorf("%s: %w", name, err))
		case o.Any:
			one.unread = []string{fmt.Sprintf("%s: %v; the recording is judged without it", name, err)}
		default:
			return one, fmt.Errorf("%s: %w", name, err)
		}
	}
	if len(one.recordings) == 0 {
		one.why = cmp.Or(one.why, fmt.Errorf("there is no %s and no %s; name the folder of a run, or a recording",
			RecordingFile, LoadRecordingFile))
	} else if one.why == nil {
		one.why = one.foreign()
	}
	if one.claimed == nil {
		return one, one.why
	}
	return one, nil
}

// take reads one of the files. Of results.json it takes the gates too, which the report in a bundle is rendered with.
func (one *recorded) take(name string, data []byte) (err error) {
	in := bytes.NewReader(data)
	switch name {
	case LoadRecordingFile:
		one.load, err = record.Read(in)
	case RecordingFile:
		one.checks, err = exchange.Read(in)
	default:
		var res verdict.Results
		var release released
		if res, err = ParseResults(data); err == nil && len(res.Release) > 0 {
			if err = json.Unmarshal(res.Release, &release); err != nil {
				err = errors.New(safe.Clip(err.Error(), mostQuoted))
			}
		}
		if err == nil {
			one.claimed, one.policy = &res, release.Policy
		}
		return err
	}
	if err == nil {
		one.recordings[name] = data
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
	if says := one.claimed.Run; run != says {
		return fmt.Errorf("what is recorded is of the run %s, but %s names the run %s; petconform judge FILE judges one "+
			"recording", run, ResultsFile, says)
	}
	return nil
}
