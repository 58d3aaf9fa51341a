package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"petconform/reports"
)

type judgeCommand struct {
	partFlags
	Recording string `arg:"" help:"A recording.jsonl or load-recording.jsonl, or the folder of a run."`
	Out       string `help:"Folder for the results and the report. Default: write nothing." placeholder:"DIR"`
	Strict    bool   `help:"Let a broken should fail the run, like a broken must."`
	Verbose   bool   `short:"v" help:"Also print every failure separately, with all its cases."`
}

// Run judges a recording again. It sends nothing.
func (c *judgeCommand) Run(a *app) error {
	if _, err := os.Stat(c.Recording); errors.Is(err, fs.ErrNotExist) {
		return usage("%s does not exist; name a recording, or the folder of a run", c.Recording)
	}
	run, err := openRun(a, reports.Opening{Strict: c.Strict, Any: true}, c.Recording)
	if err != nil {
		return err
	}
	if err := unjudged(run); err != nil {
		return err
	}
	in := run.Again()
	c.partFlags.apply(&in)
	if c.Out == "" {
		v := reports.Look(in)
		return printOnly(a, v, c.Verbose, exitWith(v.Code))
	}
	from := c.Recording
	if info, err := os.Stat(from); err == nil && !info.IsDir() {
		from = filepath.Dir(from)
	}
	if !same(c.Out, from) {
		if err := a.putRecordings(c.Out, run); err != nil {
			return printOnly(a, reports.Look(in), c.Verbose, err)
		}
	}
	return conclude(a, c.Out, in, c.Verbose)
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
