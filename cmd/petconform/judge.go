package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"petconform/load"
	"petconform/reports"
)

// judgeCommand is petconform judge.
type judgeCommand struct {
	partFlags
	Recording string `arg:"" help:"A recording.jsonl or load-recording.jsonl, or the folder of a run." predictor:"file"`
	Out       string `help:"Folder for the results and the report. Default: write nothing." placeholder:"DIR"`
	Strict    bool   `help:"Let a broken should fail the run, like a broken must."`
	Verbose   bool   `short:"v" help:"Also print every failure separately, with all its cases."`
}

// Run judges a recording again. It sends nothing.
func (c *judgeCommand) Run(std streams) error {
	recordings, err := readRecordings(c.Recording)
	if err != nil {
		return noVerdict(err)
	}
	if cleanRecordings(recordings) {
		fmt.Fprintf(std.err, "Warning: the recording %s contains an API key; the report leaves it out.\n", c.Recording)
	}
	in, err := judgeRecordings(recordings, c.Strict, judgeRecorded)
	if err != nil {
		return noVerdict(fmt.Errorf("%s: %w", c.Recording, err))
	}
	if info, err := os.Stat(c.Recording); err == nil && info.IsDir() {
		if err := reports.BelongsTo(c.Recording, in.Results); err != nil {
			return noVerdict(err)
		}
	}
	c.partFlags.apply(&in)
	if c.Out != "" {
		return c.write(std, in, recordings)
	}
	out := reports.Weigh(in)
	in.Results = out.Results
	cards, _ := explored(in)
	tellExplored(std.out, "", cards)
	tellOutcome(std.out, in, out.Decision, telling{verbose: c.Verbose, style: style(std.out)})
	return exit(out)
}

// write writes the report into a folder, with copies of the recordings that it was made from.
func (c *judgeCommand) write(std streams, in reports.Input, recordings map[string][]byte) error {
	from := c.Recording
	if info, err := os.Stat(from); err == nil && !info.IsDir() {
		from = filepath.Dir(from)
	}
	if same(c.Out, from) {
		return conclude(std, c.Out, in, c.Verbose)
	}
	if err := putRecordings(c.Out, recordings); err != nil {
		return err
	}
	return conclude(std, c.Out, in, c.Verbose)
}

// same reports whether two names denote the same folder.
func same(a, b string) bool {
	one, err := os.Stat(a)
	if err != nil {
		return false
	}
	other, err := os.Stat(b)
	return err == nil && os.SameFile(one, other)
}

// putRecordings writes recordings of an earlier run into a new folder.
func putRecordings(dir string, recordings map[string][]byte) error {
	if _, err := inUse.get(dir, reports.OpenFolder); err != nil {
		return err
	}
	for _, name := range reports.RecordingFiles() {
		data, ok := recordings[name]
		if !ok {
			continue
		}
		file, err := openFolder(dir, name)
		if err != nil {
			return err
		}
		_, err = file.Write(data)
		if err := errors.Join(err, file.Close()); err != nil {
			return noVerdict(err)
		}
	}
	return nil
}

// readRecordings reads a recording file, or the recordings in a run's folder. The keys are the file names in a run's folder.
func readRecordings(name string) (map[string][]byte, error) {
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		recordings, err := readFolder(name)
		if err == nil && len(recordings) == 0 {
			err = fmt.Errorf("%s has neither %s nor %s; name the folder of a run", name, reports.RecordingFile, reports.LoadRecordingFile)
		}
		return recordings, err
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("cannot read the recording: %w; name a recording or the folder of a run", err)
	}
	kind := reports.RecordingFile
	if bytes.Contains(data[:min(512, len(data))], []byte(load.RecordingFormat)) {
		kind = reports.LoadRecordingFile
	}
	return map[string][]byte{kind: data}, nil
}

// readFolder reads the recordings in a run's folder. There may be none.
func readFolder(dir string) (map[string][]byte, error) {
	recordings := map[string][]byte{}
	for _, name := range reports.RecordingFiles() {
		data, err := os.ReadFile(filepath.Join(dir, name))
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return nil, err
		default:
			recordings[name] = data
		}
	}
	return recordings, nil
}
