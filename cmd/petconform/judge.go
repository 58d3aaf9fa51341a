package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"petconform/conformance"
	"petconform/load"
	"petconform/reports"
	"petconform/spec/exchange"
	"petconform/spec/verdict"
)

// judgeCommand is petconform judge.
type judgeCommand struct {
	Recording string `arg:"" help:"A recording.jsonl, or the folder of a run."`
	Out       string `help:"Folder for the results and the report; nothing is written without it." placeholder:"DIR"`
	Strict    bool   `help:"Count a should as a must."`
}

// Run is petconform judge: it sends nothing.
func (c *judgeCommand) Run(std streams) error {
	if in, ok, err := judgeLoad(c.Recording); ok {
		if err != nil {
			return noVerdict(err)
		}
		return c.conclude(std, in)
	}
	rec, err := readRecording(c.Recording)
	if err != nil {
		return noVerdict(err)
	}
	rec.Meta.Strict = rec.Meta.Strict || c.Strict
	suite := conformance.DescribeRecording(rec)
	suite.Run("", io.Discard, false)
	return c.conclude(std, reports.Input{Results: suite.Results(), Recording: rec})
}

// judgeLoad judges a load recording, where the name is one's or its folder's holds no other.
func judgeLoad(name string) (reports.Input, bool, error) {
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		if _, err := os.Stat(filepath.Join(name, reports.RecordingFile)); err == nil {
			return reports.Input{}, false, nil
		}
		name = filepath.Join(name, reports.LoadRecordingFile)
	}
	f, err := os.Open(name)
	if err != nil {
		return reports.Input{}, false, nil
	}
	defer f.Close()
	first := make([]byte, 512)
	n, _ := f.Read(first)
	if !bytes.Contains(first[:n], []byte(load.RecordingFormat)) {
		return reports.Input{}, false, nil
	}
	if _, err := f.Seek(0, 0); err != nil {
		return reports.Input{}, true, err
	}
	rec, err := load.Read(f)
	if err != nil {
		return reports.Input{}, true, fmt.Errorf("%s: %w", name, err)
	}
	results, err := load.Judge(rec)
	if err != nil {
		return reports.Input{}, true, fmt.Errorf("%s: %w", name, err)
	}
	return reports.Input{Results: *results}, true, nil
}

func (c *judgeCommand) conclude(std streams, in reports.Input) error {
	if c.Out != "" {
		if err := reports.Write(c.Out, in); err != nil {
			return noVerdict(fmt.Errorf("the report could not be written: %w", err))
		}
	}
	if err := tellExplored(std.out, "", in); err != nil {
		return noVerdict(err)
	}
	tellOutcome(std.out, c.Out, in, style(std.out))
	if code := in.Results.Verdict.ExitCode(); code != verdict.ExitConforms {
		return concluded{code}
	}
	return nil
}

// readRecording reads a recording, or the one in a run's folder.
func readRecording(name string) (*exchange.Recording, error) {
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		name = filepath.Join(name, reports.RecordingFile)
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("a recording is wanted: %w", err)
	}
	defer f.Close()
	rec, err := exchange.Read(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return rec, nil
}
