package main

import (
	"cmp"
	"slices"

	"petconform/reports"
	"petconform/reports/rerun"
)

type reportCommand struct {
	reportFlags
	Dirs []string `arg:"" name:"dir" help:"Folders of runs: of check, load or signoff, or the shards of one load." type:"existingdir"`
	Out  string   `help:"Folder for the report. Default: the folder of the run; petconform-out for several runs." placeholder:"DIR"`
}

func (c *reportCommand) Run(a *app) error {
	run, err := openRun(a, reports.Opening{}, c.Dirs...)
	if err != nil {
		return err
	}
	beside, err := c.beside(a, run.Results.Target)
	if err != nil {
		return err
	}
	out := cmp.Or(c.Out, c.Dirs[0])
	if c.Out == "" && len(c.Dirs) > 1 {
		out = rerun.DefaultFolder
	}
	own := slices.ContainsFunc(c.Dirs, func(dir string) bool { return same(out, dir) })
	if own && len(c.Dirs) > 1 {
		return usage("--out %s is the folder of one of the runs; a report of several runs needs a folder of its own", out)
	}
	return a.again(out, own, run, resting(run.Again(), beside), false)
}
