package main

import (
	"fmt"
	"time"

	"petconform/reports"
	"petconform/reports/waiver"
	"petconform/spec/verdict"
)

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
