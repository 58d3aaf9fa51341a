package main

import (
	"encoding/json"
	"fmt"

	"petconform/reports"
	"petconform/reports/compare"
	"petconform/spec/verdict"
)

// diffCommand is petconform diff.
type diffCommand struct {
	Old  string `arg:"" help:"Folder of the earlier run." type:"existingdir"`
	New  string `arg:"" help:"Folder of the later run." type:"existingdir"`
	JSON bool   `name:"json" help:"Print the comparison as JSON."`
}

// Run compares two runs. It exits with 1 for a new failure, and with 3 when the later run has no verdict: it might have failed.
func (c *diffCommand) Run(std streams) error {
	before, err := reports.Read(c.Old)
	if err != nil {
		return noVerdict(err)
	}
	now, err := reports.Read(c.New)
	if err != nil {
		return noVerdict(err)
	}
	d := compare.Runs(before.Results, now.Results, rejudge(before, c.Old))
	d.Latency = append(compare.Latencies(before.Recording, now.Recording), compare.UnderLoad(before.Results, now.Results)...)
	if c.JSON {
		enc := json.NewEncoder(std.out)
		enc.SetIndent("", "  ")
		err = enc.Encode(d)
	} else {
		err = d.Text(std.out)
	}
	if err != nil {
		return noVerdict(err)
	}
	switch res := reports.Weigh(now).Results; {
	case d.Regressed():
		return concluded{verdict.ExitDeviates}
	case res.Verdict == verdict.NoVerdict && (res.Part == nil || !res.Part.Accepted):
		return noVerdict(fmt.Errorf("%s has no verdict (%s), so the comparison cannot show that nothing new fails", c.New, res.Word))
	}
	return nil
}
