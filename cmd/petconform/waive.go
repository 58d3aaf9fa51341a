package main

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"petconform/cmd/petconform/terminal"
	"petconform/reports"
	"petconform/reports/cause"
	"petconform/reports/waiver"
	"petconform/spec"
	"petconform/spec/verdict"
)

type waiveCommand struct {
	What     string `arg:"" help:"Id of the check or requirement that failed, or the number of a cause." ids:"checks"`
	From     string `help:"Folder of the run with the failure. Default: petconform-out." default:"petconform-out" placeholder:"DIR"`
	Days     int    `help:"Number of days that the waiver lasts." default:"30"`
	Reason   string `help:"Why it is not fixed before the release."`
	Risk     string `help:"The effect on clients."`
	Ticket   string `help:"The ticket for the fix."`
	Owner    string `help:"Who fixes it."`
	Approver string `help:"Who approves the waiver; not the owner."`
}

// Run prints a waiver, or one for each check of a cause. What no flag gives is left empty for its owner to fill in.
func (c *waiveCommand) Run(std streams) error {
	in, err := openRun(std, reports.Opening{}, c.From)
	if err == nil {
		err = unjudged(in)
	}
	if err != nil {
		return err
	}
	if n, err := strconv.Atoi(c.What); err == nil {
		return c.cause(std, n, cause.Of(in.Results))
	}
	if check, found := in.Results.Check(c.What); found {
		if !check.Verdict.Failing() {
			return usage("check %s did not fail in %s (its verdict is %s), so there is nothing to waive", c.What, c.From, check.Verdict)
		}
		c.print(std, check.ID, "", check.Findings)
		return nil
	}
	id := spec.ID(strings.ToUpper(c.What))
	if findings := about(id, in.Results.Checks); len(findings) > 0 {
		c.print(std, "", id, findings)
		return nil
	}
	var failed []string
	for _, one := range cause.Of(in.Results) {
		failed = append(failed, one.Checks()...)
	}
	return usage("the run in %s has no failed check or requirement %q; these failed: %s", c.From, c.What,
		cmp.Or(spec.List(failed), "none"))
}

// cause prints a waiver for each check that shows a cause.
func (c *waiveCommand) cause(std streams, n int, all []cause.Cause) error {
	if n < 1 || n > len(all) {
		return usage("the run in %s has %s, and none with the number %d", c.From, spec.Count(len(all), "cause"), n)
	}
	for _, id := range all[n-1].Checks() {
		var findings []verdict.Finding
		for _, p := range all[n-1].Places {
			if p.Check.ID == id {
				findings = append(findings, p.Finding)
			}
		}
		c.print(std, id, "", findings)
	}
	return nil
}

func (c *waiveCommand) print(std streams, check string, id spec.ID, findings []verdict.Finding) {
	day := time.Now().UTC().Truncate(24 * time.Hour)
	w := waiver.Waiver{ID: "W-" + check + string(id), Check: check, Requirement: id, Reason: c.Reason, Risk: c.Risk, Ticket: c.Ticket,
		Owner: c.Owner, Approver: c.Approver, From: spec.Date{Time: day}, Ends: spec.Date{Time: day.AddDate(0, 0, c.Days)}}
	fmt.Fprint(std.out, w.Draft(findings))
	if missing := w.Missing(); len(missing) > 0 {
		terminal.Paragraph(std.err, "", fmt.Sprintf("%s is a draft: --waivers refuses it until these are filled in, in the file or by flags: --%s.",
			w.ID, strings.Join(missing, ", --")))
	}
}

// about returns the findings of failed checks about a requirement.
func about(id spec.ID, checks []verdict.Check) []verdict.Finding {
	var all []verdict.Finding
	for _, c := range checks {
		if c.Verdict.Failing() {
			all = append(all, slices.DeleteFunc(slices.Clone(c.Findings), func(f verdict.Finding) bool { return f.Requirement != id })...)
		}
	}
	return all
}
