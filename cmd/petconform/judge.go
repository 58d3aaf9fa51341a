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
	info, err := os.Stat(c.Recording)
	if errors.Is(err, fs.ErrNotExist) {
		return usage("%s does not exist; name a recording, or the folder of a run", c.Recording)
	}
	run, err := openRun(a, reports.Opening{Strict: c.Strict, Any: true}, c.Recording)
	if err != nil {
		return err
	}
	if why := run.Results.Unjudged; why != "" {
		return noVerdict(errors.New(why))
	}
	in := run.Again()
	in.Policy.AcceptPart = c.AcceptPart
	if c.Out == "" {
		v := reports.Look(in)
		return errors.Join(a.show(v, "", c.Verbose), exitWith(v.Code))
	}
	from := c.Recording
	if !info.IsDir() {
		from = filepath.Dir(from)
	}
	return a.again(c.Out, same(c.Out, from), run, in, c.Verbose)
}

// again writes the report of a run that was opened. A folder that is not the run's own gets copies of its recordings.
func (a *app) again(dir string, own bool, run reports.Run, in reports.Input, verbose bool) error {
	if !own {
		if err := a.copyRun(dir, run); err != nil {
			return errors.Join(err, a.show(reports.Look(in), "", verbose))
		}
	}
	return a.conclude(dir, in, verbose)
}

// same reports whether two names denote the same folder.
func same(a, b string) bool {
	one, err := os.Stat(a)
	other, err2 := os.Stat(b)
	return err == nil && err2 == nil && os.SameFile(one, other)
}
