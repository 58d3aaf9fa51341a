package main

import (
	"encoding/json"
	"fmt"

	"petconform/cmd/petconform/terminal"
	"petconform/reports"
	"petconform/spec/verdict"
)

type diffCommand struct {
	Old string `arg:"" help:"Folder of the earlier run." type:"existingdir"`
	New string `arg:"" help:"Folder of the later run." type:"existingdir"`
	partFlags
	JSON bool `name:"json" help:"Print the comparison as JSON."`
}

// Run compares two runs. It exits with 1 for a new failure, and with 3 when the later run has no verdict: it might have
// failed. What the earlier run did not send is no new failure.
func (c *diffCommand) Run(std streams) error {
	before, err := openRun(std, reports.Opening{}, c.Old)
	if err != nil {
		return err
	}
	now, err := openRun(std, reports.Opening{}, c.New)
	if err != nil {
		return err
	}
	c.partFlags.apply(&now.Input)
	now.Previous = before.Past()
	out := reports.Weigh(now.Input)
	res, d := out.Results, out.Diff
	if c.JSON {
		enc := json.NewEncoder(std.out)
		enc.SetIndent("", "  ")
		err = enc.Encode(d)
	} else {
		err = d.Text(std.out, terminal.Width(std.out))
	}
	if err != nil {
		return noVerdict(err)
	}
	switch {
	case d.Regressed():
		return exitWith(verdict.ExitDeviates)
	case before.Results.Unjudged != "":
		return noVerdict(fmt.Errorf("%s has no verdict, so the comparison cannot show that nothing new fails", c.Old))
	case res.Verdict == verdict.NoVerdict && (res.Part == nil || !res.Part.Accepted):
		return noVerdict(fmt.Errorf("%s has no verdict (%s), so the comparison cannot show that nothing new fails", c.New, res.Word))
	}
	return nil
}
