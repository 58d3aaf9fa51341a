package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"petconform/reports"
	"petconform/reports/compare"
	"petconform/reports/waiver"
	"petconform/spec/verdict"
)

type reportCommand struct {
	gateFlags
	Dirs    []string `arg:"" name:"dir" help:"Folders of runs: of check, load or signoff, or the shards of one load." type:"existingdir"`
	Out     string   `help:"Folder for the report. Default: the folder of the run; petconform-out for several runs." placeholder:"DIR"`
	Since   string   `help:"Folder of an earlier run to compare this run with." placeholder:"DIR"`
	Waivers string   `help:"YAML file of waivers." placeholder:"FILE"`
}

func (c *reportCommand) Run(a *app) error {
	run, err := openRun(a, reports.Opening{}, c.Dirs...)
	if err != nil {
		return err
	}
	in := run.Again()
	c.apply(&in)
	if in, err = withEarlier(a, in, run.Results.Target, c.Since, c.Waivers); err != nil {
		return err
	}
	out, again, err := c.out()
	if err != nil {
		return err
	}
	if !again {
		if err := a.putRecordings(out, run); err != nil {
			return printOnly(a, reports.Look(in), false, err)
		}
	}
	return conclude(a, out, in, false)
}

// out returns the folder to write to. again is true if it is the folder of the run itself, which already has the
// recordings.
func (c *reportCommand) out() (dir string, again bool, err error) {
	if dir = c.Out; dir == "" {
		if dir = c.Dirs[0]; len(c.Dirs) > 1 {
			dir = "petconform-out"
		}
	}
	for _, of := range c.Dirs {
		if again = again || same(dir, of); again && len(c.Dirs) > 1 {
			return dir, again, usage("--out %s is the folder of one of the runs; a report of several runs needs a folder of its own", dir)
		}
	}
	return dir, again, nil
}

// withEarlier adds the waivers, and the earlier run of the target to compare with.
func withEarlier(a *app, in reports.Input, target verdict.Target, since, waivers string) (reports.Input, error) {
	if since != "" {
		if info, err := os.Stat(since); err != nil || !info.IsDir() {
			return in, usage("--since %s is not the folder of a run", since)
		}
		before, err := openRun(a, reports.Opening{}, since)
		if err != nil {
			return in, noVerdict(fmt.Errorf("--since: %w", err))
		}
		if then := before.Results.Target; !compare.OneTarget(then, target) {
			return in, usage("--since %s is a run of %s, and this one is of %s; petconform diff compares two targets", since, then.URL, target.URL)
		}
		in.Previous = &before.Input
	}
	var err error
	in.Waivers, err = readWaivers(waivers)
	return in, err
}

func readWaivers(name string) (*waiver.File, error) {
	if name == "" {
		return nil, nil
	}
	if _, err := os.Stat(name); errors.Is(err, fs.ErrNotExist) {
		return nil, usage("--waivers %s: there is no such file; README.md has a waiver to copy", name)
	}
	return readFile("--waivers", name, func(r io.Reader) (*waiver.File, error) {
		data, err := io.ReadAll(r)
		if err != nil {
			return nil, err
		}
		return waiver.Parse(data)
	})
}
