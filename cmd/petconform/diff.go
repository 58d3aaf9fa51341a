package main

import (
	"encoding/json"
	"fmt"
	"io"

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
	before.Policy.AcceptPart, now.Policy.AcceptPart = c.AcceptPart, c.AcceptPart
	if !compare.OneTarget(before.Results.Target, now.Results.Target) {
		return c.targets(a, reports.Targets(before.Input, now.Input))
	}
	now.Previous = &before.Input
	v := reports.Look(now.Input)
	c.print(a, v.Diff)
	switch res := v.Results; {
	case len(v.Diff.Regressions()) > 0:
		return exitWith(verdict.ExitDeviates)
	case before.Results.Unjudged != "":
		return noVerdict(fmt.Errorf("%s has no verdict, so the comparison cannot show that nothing new fails", c.Old))
	case res.Verdict == verdict.NoVerdict && (res.Part == nil || !res.Part.Accepted):
		return noVerdict(fmt.Errorf("%s has no verdict (%s), so the comparison cannot show that nothing new fails", c.New, res.Word))
	}
	return nil
}

// targets tells the comparison of runs of two targets.
func (c *diffCommand) targets(a *app, d compare.Diff) error {
	c.print(a, d)
	switch d.Verdict {
	case verdict.Passed:
		return nil
	case verdict.Failed:
		return exitWith(verdict.ExitDeviates)
	}
	return noVerdict(fmt.Errorf("%s, so the comparison cannot show whether %s breaks a must that %s keeps", d.Why, c.Old, c.New))
}

// print prints a comparison, as JSON if that is asked for. a.out keeps an error of its writer.
func (c *diffCommand) print(a *app, d interface {
	Text(w io.Writer, width int) error
}) {
	if !c.JSON {
		_ = d.Text(a.out, a.out.Width())
		return
	}
	enc := json.NewEncoder(a.out)
	enc.SetIndent("", "  ")
	_ = enc.Encode(d)
}
