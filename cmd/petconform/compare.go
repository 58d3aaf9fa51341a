package main

import (
	"encoding/json"
	"fmt"
	"time"

	"petconform/reports"
	"petconform/reports/compare"
	"petconform/reports/waiver"
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

// waiveCommand is petconform waive.
type waiveCommand struct {
	Check string `arg:"" help:"Id of the check that failed." predictor:"check"`
	From  string `help:"Folder of the run in which the check failed. Default: petconform-out." default:"petconform-out" placeholder:"DIR"`
	Days  int    `help:"Number of days that the waiver lasts." default:"30"`
}

// Run prints a draft of a waiver. The reason, the risk and the people are left empty for its owner to fill in.
func (c *waiveCommand) Run(std streams) error {
	in, err := reports.Read(c.From)
	if err != nil {
		return noVerdict(err)
	}
	for _, check := range in.Results.Checks {
		if check.ID != c.Check {
			continue
		}
		if check.Verdict != verdict.Failed && check.Verdict != verdict.Waived {
			return usage("check %s did not fail in %s (its verdict is %s), so there is nothing to waive", c.Check, c.From, check.Verdict)
		}
		fmt.Fprint(std.out, waiver.Draft(check, time.Now(), c.Days))
		return nil
	}
	return usage("the run in %s has no check %q; petconform list names the checks", c.From, c.Check)
}
