package main

import (
	"encoding/json"
	"fmt"
	"io"

	"petconform/cmd/petconform/terminal"
	"petconform/reports"
	"petconform/reports/compare"
	"petconform/spec/verdict"
)

type diffCommand struct {
	Old string `arg:"" help:"Folder of the earlier run; of two targets, that of the one to release, such as staging." type:"existingdir"`
	New string `arg:"" help:"Folder of the later run; of two targets, that of the one to compare with, such as production." type:"existingdir"`
	partFlags
	JSON bool `name:"json" help:"Print the comparison as JSON."`
}

// Run compares two runs. Of one target, it exits with 1 for a new failure, and with 3 when the later run has no verdict:
// it might have failed. What the earlier run did not send is no new failure. Of two targets, it exits with 1 if the
// first one breaks a must that the second one keeps.
func (c *diffCommand) Run(a *app) error {
	before, err := openRun(a, reports.Opening{}, c.Old)
	if err != nil {
		return err
	}
	now, err := openRun(a, reports.Opening{}, c.New)
	if err != nil {
		return err
	}
	now.Policy.AcceptPart = c.AcceptPart
	if !compare.OneTarget(before.Results.Target, now.Results.Target) {
		before.Policy.AcceptPart = c.AcceptPart
		return c.targets(a, before.Input, now.Input)
	}
	now.Previous = &before.Input
	v := reports.Look(now.Input)
	res, d := v.Results, v.Diff
	if err := c.print(a.out, d); err != nil {
		return noVerdict(err)
	}
	switch {
	case len(d.Regressions()) > 0:
		return exitWith(verdict.ExitDeviates)
	case before.Results.Unjudged != "":
		return noVerdict(fmt.Errorf("%s has no verdict, so the comparison cannot show that nothing new fails", c.Old))
	case res.Verdict == verdict.NoVerdict && (res.Part == nil || !res.Part.Accepted):
		return noVerdict(fmt.Errorf("%s has no verdict (%s), so the comparison cannot show that nothing new fails", c.New, res.Word))
	}
	return nil
}

// targets compares runs of two targets.
func (c *diffCommand) targets(a *app, first, second reports.Input) error {
	d := reports.Targets(first, second)
	if err := c.print(a.out, d); err != nil {
		return noVerdict(err)
	}
	switch d.Verdict {
	case verdict.Passed:
		return nil
	case verdict.Failed:
		return exitWith(verdict.ExitDeviates)
	}
	return noVerdict(fmt.Errorf("%s, so the comparison cannot show whether %s breaks a must that %s keeps", d.Why, c.Old, c.New))
}

// print prints a comparison, as JSON if that is asked for.
func (c *diffCommand) print(w io.Writer, d interface {
	Text(w io.Writer, width int) error
}) error {
	if !c.JSON {
		return d.Text(w, terminal.Width(w))
	}
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	return enc.Encode(d)
}
