package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"path/filepath"

	"petconform/cmd/petconform/terminal"
	"petconform/conformance"
	"petconform/conformance/drive"
	"petconform/load"
	"petconform/reports"
	"petconform/reports/bundle"
	"petconform/reports/decision"
	"petconform/reports/rerun"
	"petconform/spec"
	"petconform/spec/exchange"
)

// signoffCommand is petconform signoff.
type signoffCommand struct {
	checkCommand
	rateFlags
	DryRun     bool `help:"Print what would be sent, and how long it takes, and send nothing."`
	LoadAnyway bool `help:"Run the load even if the check already decides against a release."`
	Reference  bool `help:"Sign off the built-in reference service, as an example. Without this flag, --target is required."`
}

// Run runs the checks and the load, and writes the release report and its bundle.
func (c *signoffCommand) Run(ctx context.Context, std streams) error {
	if err := c.validate(); err != nil {
		return err
	}
	c.Out = cmp.Or(c.Out, rerun.DefaultFolder)
	before, err := withHistory(std, reports.Input{}, c.Since, c.Waivers)
	if err != nil {
		return err
	}
	under := loadCommand{targetFlags: c.targetFlags, rateFlags: c.rateFlags, runFlags: c.runFlags, Quick: c.Quick, Out: c.Out}
	cfg, t, err := under.config(ctx)
	if err != nil {
		return err
	}
	defer t.close()
	c.opened = t
	c.checkWith(cfg.Plans)
	schedule, err := load.Plan(cfg)
	if err != nil {
		return usage("%w", err)
	}
	if c.DryRun {
		return c.tellPlan(std, cfg, schedule)
	}
	checked, err := c.send(ctx, std)
	if err != nil {
		return err
	}
	key, err := c.key(t, keyVariable)
	if err != nil {
		return err
	}
	redactor := exchange.NewRedactor(append(secrets(cfg), key)...).Sparing(cfg.Base.String())
	checked.Redactor, checked.Previous, checked.Waivers = redactor, before.Previous, before.Waivers
	c.apply(&checked)
	if reports.Weigh(checked).Decision.Word == decision.DoNotRelease && !c.LoadAnyway {
		checked.Policy.Load = true // a sign-off has a load; that this one has none is a gate of its report
		err := conclude(std, c.Out, checked, c.Verbose, func(f *reports.Folder) error { return c.bundle(std, f, checked) })
		terminal.Paragraph(std.err, "", "The load did not run, since the check decides already. --load-anyway runs it.")
		return err
	}
	terminal.Schedule(std.err, cfg.Base.String(), schedule)
	loaded, err := under.send(ctx, std, cfg)
	if err != nil {
		return err
	}
	whole, err := reports.Merge(checked, loaded)
	if err != nil {
		return noVerdict(err)
	}
	whole.Redactor = redactor
	whole.Previous, whole.Waivers = before.Previous, before.Waivers
	c.apply(&whole)
	return conclude(std, c.Out, whole, c.Verbose, func(f *reports.Folder) error { return c.bundle(std, f, whole) })
}

// fullFrom is the rate from which a sign-off makes a full check: four minutes on Pro, beside a load of eleven.
var fullFrom = spec.Pro.PerMinute

// checkWith makes the check use the key of the largest plan, and be full from Pro upwards.
func (c *signoffCommand) checkWith(plans []load.PlanKey) {
	for i, p := range plans {
		if c.largest == nil || p.Plan.PerMinute > c.largest.Plan.PerMinute {
			c.largest = &plans[i]
		}
	}
	if c.largest == nil || c.Quick || c.Deep {
		return
	}
	c.Deep = c.largest.Plan.PerMinute >= fullFrom
	c.Quick = !c.Deep
}

// validate refuses flags that do not go together.
func (c *signoffCommand) validate() error {
	switch {
	case c.Target == "" && !c.Reference:
		return usage("signoff needs the address of a service: add --target URL, or --reference to sign off the built-in reference service")
	case c.Target != "" && c.Reference:
		return usage("signoff takes --reference or the target %s, not both", c.Target)
	}
	return nil
}

// tellPlan says what the check and the load would send.
func (c *signoffCommand) tellPlan(std streams, under load.Config, schedule load.Schedule) error {
	cfg, err := c.checkCommand.config()
	if err != nil {
		return err
	}
	filter, err := drive.LabelFilter(words(c.Only), words(c.Skip))
	if err != nil {
		return usage("%w", err)
	}
	told := &terminal.Output{To: std.err, Name: "standard error"}
	cfg.Base, cfg.Reference = under.Base, under.Target.Reference
	terminal.NewProgress(told).Start(cfg, conformance.Describe(cfg).Preview(filter))
	terminal.Schedule(told, under.Base.String(), schedule)
	return told.Failed()
}

// bundle packs the files of the folder into one file that people sign.
func (c *signoffCommand) bundle(std streams, f *reports.Folder, in reports.Input) error {
	stage("the bundle")
	files, err := bundle.Collect(c.Out, c.Since, in)
	if err != nil {
		return noVerdict(err)
	}
	var packed bytes.Buffer
	if err := files.Pack(&packed); err != nil {
		return noVerdict(fmt.Errorf("the bundle: %w", err))
	}
	if err := f.Add(reports.Artefact{Name: bundle.File, Data: packed.Bytes()}); err != nil {
		return noVerdict(err)
	}
	fmt.Fprintf(std.out, "Bundle: %s\n", filepath.Join(c.Out, bundle.File))
	return nil
}
