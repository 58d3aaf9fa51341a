package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"petconform/reports"
	"petconform/reports/waiver"
	"petconform/spec"
	"petconform/spec/verdict"
)

// waiveCommand is petconform waive.
type waiveCommand struct {
	Check string `arg:"" help:"Id of the check that failed." predictor:"check"`
	From  string `help:"Folder of the run in which the check failed. Default: petconform-out." default:"petconform-out" placeholder:"DIR" predictor:"file"`
	Days  int    `help:"Number of days that the waiver lasts." default:"30"`
}

// Run prints a draft of a waiver. The reason, the risk and the people are left empty for its owner to fill in.
func (c *waiveCommand) Run(std streams) error {
	in, err := openRun(std, reports.Opening{}, c.From)
	if err == nil {
		err = unjudged(in)
	}
	if err != nil {
		return err
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
	if failed := failedFor(spec.ID(strings.ToUpper(c.Check)), in.Results.Checks); len(failed) > 0 {
		return usage("%s is a requirement, and a waiver is drafted for a check; the checks that failed for it: %s", c.Check, strings.Join(failed, ", "))
	}
	return usage("the run in %s has no check %q; petconform list names the checks", c.From, c.Check)
}

// failedFor lists the failed checks with a finding about a requirement.
func failedFor(id spec.ID, checks []verdict.Check) []string {
	var failed []string
	for _, check := range checks {
		if check.Verdict == verdict.Failed && slices.ContainsFunc(check.Findings, func(f verdict.Finding) bool { return f.Requirement == id }) {
			failed = append(failed, check.ID)
		}
	}
	return failed
}
