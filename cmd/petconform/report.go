package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"

	"petconform/reports"
	"petconform/reports/compare"
	"petconform/reports/rerun"
	"petconform/spec/verdict"
)

type reportCommand struct {
	reportFlags
	Dirs []string `arg:"" name:"dir" help:"Folders of runs: of check, load or signoff, or the shards of one load." type:"existingdir"`
	Out  string   `help:"Folder for the report. Default: the folder of the run; petconform-out for several runs." placeholder:"DIR"`
}

func (c *reportCommand) Run(a *app) error {
	run, err := openRun(reports.Opening{}, c.Dirs...)
	if err != nil {
		return err
	}
	beside, err := c.beside(run.Results.Target)
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
	return a.reportAgain(out, own, resting(run.Again(), beside), false)
}

type judgeCommand struct {
	partFlags
	Recording string `arg:"" help:"A recording.jsonl or load-recording.jsonl, or the folder of a run."`
	Out       string `help:"Folder for the results and the report. Default: write nothing." placeholder:"DIR"`
	Strict    bool   `help:"Let a broken should fail the run, like a broken must."`
	Verbose   bool   `short:"v" help:"Also print every failure separately, with all its cases."`
}

func (c *judgeCommand) Run(a *app) error {
	info, err := os.Stat(c.Recording)
	if errors.Is(err, fs.ErrNotExist) {
		return usage("%s does not exist; name a recording, or the folder of a run", c.Recording)
	}
	run, err := openRun(reports.Opening{Strict: c.Strict, Any: true}, c.Recording)
	if err != nil {
		return err
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
	return a.reportAgain(c.Out, same(c.Out, from), in, c.Verbose)
}

// same reports whether two names denote the same folder.
func same(a, b string) bool {
	one, err := os.Stat(a)
	other, err2 := os.Stat(b)
	return err == nil && err2 == nil && os.SameFile(one, other)
}

type diffCommand struct {
	Old string `arg:"" help:"Folder of the earlier run; of two targets, that of the one to release, such as staging." type:"existingdir"`
	New string `arg:"" help:"Folder of the later run; of two targets, that of the one to compare with, such as production." type:"existingdir"`
	partFlags
}

// Run compares two runs. Of one target, it exits with 1 for a new failure, and with 3 when the later run has no verdict:
// it might have failed. What the earlier run did not send is no new failure. Of two targets, it exits with 1 if the
// first one breaks a must that the second one keeps.
func (c *diffCommand) Run(a *app) error {
	before, first := openRun(reports.Opening{}, c.Old)
	now, second := openRun(reports.Opening{}, c.New)
	if err := cmp.Or(first, second); err != nil {
		return err
	}
	before.Policy.AcceptPart, now.Policy.AcceptPart = c.AcceptPart, c.AcceptPart
	if !compare.OneTarget(before.Results.Target, now.Results.Target) {
		d := reports.Targets(before, now)
		fmt.Fprint(a.out, d.Text(a.out.Width()))
		switch d.Verdict {
		case verdict.Passed:
			return nil
		case verdict.Failed:
			return exitWith(verdict.ExitDeviates)
		}
		return noVerdict(fmt.Errorf("%s, so the comparison cannot show whether %s breaks a must that %s keeps", d.Why, c.Old, c.New))
	}
	now.Previous = &before
	v := reports.Look(now)
	fmt.Fprint(a.out, v.Diff.Text(a.out.Width()))
	switch res := v.Results; {
	case len(v.Diff.Regressions()) > 0:
		return exitWith(verdict.ExitDeviates)
	case res.Verdict == verdict.NoVerdict && (res.Part == nil || !res.Part.Accepted):
		return noVerdict(fmt.Errorf("%s has no verdict (%s), so the comparison cannot show that nothing new fails", c.New, res.Word))
	}
	return nil
}

type openCommand struct {
	Dir string `arg:"" optional:"" help:"Folder of the run. Default: petconform-out." default:"petconform-out" placeholder:"DIR"`
}

// Run shows the page of a run in the browser: the one of BROWSER, or else the system's.
func (c *openCommand) Run(ctx context.Context, a *app) error {
	page, _ := filepath.Abs(filepath.Join(c.Dir, reports.ReportFile)) // the working directory is there
	if _, err := os.Stat(page); err != nil {
		return usage("%s has no report (%w); name the folder of a run", c.Dir, err)
	}
	fmt.Fprintln(a.out, page)
	system := map[string]string{"darwin": "open", "windows": "explorer"}[runtime.GOOS]
	browser := exec.CommandContext(context.WithoutCancel(ctx), cmp.Or(os.Getenv("BROWSER"), system, "xdg-open"), page)
	if err := browser.Start(); err != nil {
		return noVerdict(fmt.Errorf("no browser could be started: %w", err))
	}
	return nil
}
