package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"

	"petconform/cmd/petconform/terminal"
	"petconform/reports"
	"petconform/reports/waiver"
)

type reportCommand struct {
	gateFlags
	Dirs    []string `arg:"" name:"dir" help:"Folders of runs: of check, load or signoff, or the shards of one load." type:"existingdir"`
	Out     string   `help:"Folder for the report. Default: the folder of the run; petconform-out for several runs." placeholder:"DIR"`
	Since   string   `help:"Folder of an earlier run to compare this run with." placeholder:"DIR"`
	History bool     `help:"Report the latest of the runs, and show how the results changed from run to run."`
	Waivers string   `help:"YAML file of waivers." placeholder:"FILE"`
}

func (c *reportCommand) Run(std streams) error {
	if c.History && c.Since != "" {
		return usage("report takes --history or --since, not both")
	}
	run, err := c.open(std)
	if err != nil {
		return err
	}
	in := run.Input
	if kept := in.Policy; kept.P99 > 0 || kept.Load || kept.Comparison {
		terminal.Paragraph(std.err, "", "The gates that release.json claims to have been asked for are kept; flags add to them.")
	}
	c.apply(&in)
	if in, err = withHistory(std, in, c.Since, c.Waivers); err != nil {
		return err
	}
	out, again, err := c.out()
	if err != nil {
		return err
	}
	if !again {
		if err := putRecordings(out, run); err != nil {
			return printOnly(std, in, false, err)
		}
	}
	return conclude(std, out, in, false)
}

// open opens the runs as one. With --history that is the latest of them, compared with those before it; Dirs keeps the
// latest.
func (c *reportCommand) open(std streams) (reports.Run, error) {
	if !c.History {
		return openRun(std, reports.Opening{}, c.Dirs...)
	}
	runs := map[string]reports.Run{}
	for _, dir := range c.Dirs {
		var err error
		if runs[dir], err = openRun(std, reports.Opening{}, dir); err != nil {
			return reports.Run{}, err
		}
	}
	slices.SortStableFunc(c.Dirs, func(a, b string) int { return runs[a].Results.Started.Compare(runs[b].Results.Started) })
	last := len(c.Dirs) - 1
	run := runs[c.Dirs[last]]
	var earlier []reports.Input
	for _, dir := range c.Dirs[:last] {
		before := runs[dir]
		earlier = append(earlier, *before.Past())
	}
	if last > 0 {
		run.Previous = reports.Chain(earlier)
	}
	c.Dirs = c.Dirs[last:]
	return run, nil
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

// withHistory adds the waivers and the earlier run to compare with.
func withHistory(std streams, in reports.Input, since, waivers string) (reports.Input, error) {
	if since != "" {
		if info, err := os.Stat(since); err != nil || !info.IsDir() {
			return in, usage("--since %s is not the folder of a run", since)
		}
		before, err := openRun(std, reports.Opening{}, since)
		if err != nil {
			return in, noVerdict(fmt.Errorf("--since: %w", err))
		}
		in.Previous = before.Past()
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
