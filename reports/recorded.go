package reports

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
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

// The largest files of a run that are read, in bytes. A load ends before it records more, and a check writes at most
// 64 MiB. The largest results are of a day of all four plans, with the figures of 86,400 seconds and eight series of
// 4,000 points for each: about 50 MB.
const (
	MaxRecording = record.MaxSize
	maxResults   = 64 << 20
)

var sizes = map[string]int64{ResultsFile: maxResults, RecordingFile: MaxRecording, LoadRecordingFile: MaxRecording}

// Files are files of a run, by the names that they have in its folder.
type Files map[string][]byte

// Digests are the SHA-256 of the files, in hexadecimal.
func (f Files) Digests() map[string]string {
	sums := map[string]string{}
	for name, data := range f {
		sums[name] = safe.Digest(data)
	}
	return sums
}

// filesOf reads the files of a folder, or a single recording: a load's begins with its format.
func (o Opening) filesOf(path string) (Files, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("%s is not the folder of a run: %w", path, err)
	}
	if !info.IsDir() {
		data, err := bounded.ReadFile(path, MaxRecording)
		if bytes.Contains(data[:min(len(data), 512)], []byte(record.Formats)) {
			return Files{LoadRecordingFile: data}, err
		}
		return Files{RecordingFile: data}, err
	}
	unfinished := filepath.Join(path, Unfinished)
	if _, err := os.Stat(unfinished); err == nil && !o.Any {
		return nil, fmt.Errorf("the run in %s is under way or was killed; petconform judge %s judges its recording",
			path, path)
	} else if err == nil {
		path = unfinished
	}
	return ReadFiles(path)
}

// ReadFiles reads the files of a run from its folder.
func ReadFiles(dir string) (Files, error) {
	files := Files{}
	for name, most := range sizes {
		data, err := bounded.ReadFile(filepath.Join(dir, name), most)
		if err == nil {
			files[name] = data
		} else if !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	return files, nil
}

type recorded struct {
	Input
	load *record.Recording
	claims
}

// claims are what is read of results.json, which anyone may have written: the run that it is of, and how its report was
// made. What the run found is not read, since its recordings show it; so no file takes much memory.
type claims struct {
	Schema, Run, Unjudged string
	Strict                bool
	Release               struct{ Policy decision.Policy }
}

const mostQuoted = 200

// claimsOf returns no claims unless data are results of this layout.
func claimsOf(data []byte) (c claims, ours bool) {
	if json.Unmarshal(data, &c) != nil || c.Schema != verdict.Schema {
		return claims{}, false
	}
	return c, true
}

// read reads the files of a run, which need not have claims. The error says why its recordings are not those of a run.
func read(files Files) (one recorded, err error) {
	for name, most := range sizes { // those of a bundle were not read as files
		if int64(len(files[name])) > most {
			return one, bounded.TooLarge(name, most)
		}
	}
	one.Recordings = maps.Clone(files)
	delete(one.Recordings, ResultsFile)
	one.claims, _ = claimsOf(files[ResultsFile])
	if len(one.Recordings) == 0 && one.Unjudged != "" {
		return one, fmt.Errorf("the run was not judged: %s", safe.Clip(one.Unjudged, mostQuoted))
	} else if len(one.Recordings) == 0 {
		return one, fmt.Errorf("there is no %s and no %s; name the folder of a run, or a recording", RecordingFile, LoadRecordingFile)
	}
	if data := one.Recordings[RecordingFile]; data != nil {
		if one.Recording, err = exchange.Read(bytes.NewReader(data)); err != nil {
			return one, fmt.Errorf("%s: %w", RecordingFile, err)
		}
	}
	if data := one.Recordings[LoadRecordingFile]; data != nil {
		if one.load, err = record.Read(bytes.NewReader(data)); err != nil {
			return one, fmt.Errorf("%s: %w", LoadRecordingFile, err)
		}
	}
	return one, one.foreign()
}

// foreign says that the recordings are not those of the run that results.json names: one of them is gone, or of another
// run. A run of both has their names joined by +, as Merge does.
func (one recorded) foreign() error {
	var run string
	if one.Recording != nil {
		run = one.Recording.Meta.Run
	}
	if one.load != nil && !strings.Contains(run, one.load.Meta.Run) {
		run = strings.TrimPrefix(run+"+"+one.load.Meta.Run, "+")
	}
	if says := one.Run; says != "" && run != says {
		return fmt.Errorf("what is recorded is of the run %s, but %s names the run %s; petconform judge FILE judges one "+
			"recording", run, ResultsFile, says)
	}
	return nil
}
