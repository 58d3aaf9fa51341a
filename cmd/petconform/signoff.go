package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"path/filepath"

	"petconform/cmd/petconform/terminal"
	"petconform/load"
	"petconform/reports"
	"petconform/reports/bundle"
	"petconform/reports/decision"
	"petconform/reports/rerun"
	"petconform/spec"
	"petconform/spec/exchange"
)

type signoffCommand struct {
	checkRun
	rateFlags  `group:"Load:"`
	DryRun     bool `group:"Load:" help:"Print what would be sent, and how long it takes, and send nothing."`
	LoadAnyway bool `group:"Load:" help:"Run the load even if the check already decides against a release."`
	Reference  bool `group:"Target:" help:"Sign off the built-in reference service, as an example. Without this flag, --target is required."`
}

// Run runs the checks and the load, and writes the release report and its bundle.
func (c *signoffCommand) Run(ctx context.Context, a *app) error {
	c.Out, a.lines = cmp.Or(c.Out, rerun.DefaultFolder), c.Format == "line"
	before, err := withEarlier(a, reports.Input{}, c.aimedAt(), c.Since, c.Waivers) // --since may name the folder that the run is going to overwrite
	run := func() error {
		if err != nil {
			return err
		}
		return c.run(ctx, a, before)
	}
	if c.DryRun {
		return run()
	}
	return reported(a, c.Out, c.begun("signoff"), run)
}

// run sends the checks and the load, and compares them with the run before.
func (c *signoffCommand) run(ctx context.Context, a *app, before reports.Input) error {
	switch {
	case c.Target == "" && !c.Reference:
		return usage("signoff needs the address of a service: add --target URL, or --reference to sign off the built-in reference service")
	case c.Target != "" && c.Reference:
		return usage("signoff takes --reference or the target %s, not both", c.Target)
	}
	under := loadCommand{targetFlags: c.targetFlags, rateFlags: c.rateFlags, runFlags: c.runFlags, Quick: c.Quick, Out: c.Out}
	cfg, t, err := under.config(ctx, a)
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
	c.dry = c.DryRun
	checked, err := c.send(ctx, a)
	if err != nil {
		return err
	}
	if c.DryRun {
		terminal.Schedule(a.err, cfg.Base.String(), schedule)
		return a.err.Failed()
	}
	key, err := c.key(t, keyVariable)
	if err != nil {
		return err
	}
	redactor := exchange.NewRedactor(append(secrets(cfg), key)...).Sparing(cfg.Base.String())
	complete := func(in *reports.Input) {
		in.Redactor, in.Previous, in.Waivers = redactor, before.Previous, before.Waivers
		c.apply(in)
	}
	conclude := func(in reports.Input) error {
		return conclude(a, c.Out, in, c.Verbose, func(f *reports.Folder) error { return c.bundle(a, f, in) })
	}
	complete(&checked)
	if reports.Look(checked).Word == decision.DoNotRelease && !c.LoadAnyway {
		checked.Policy.Load = true // a sign-off has a load; that this one has none is a gate of its report
		err := conclude(checked)
		terminal.Paragraph(a.err, "", "The load did not run, since the check decides already. --load-anyway runs it.")
		return err
	}
	terminal.Schedule(a.err, cfg.Base.String(), schedule)
	loaded, err := under.send(ctx, a, cfg)
	if err != nil {
		return err
	}
	whole, err := reports.Merge(checked, loaded)
	if err != nil {
		return noVerdict(err)
	}
	complete(&whole)
	return conclude(whole)
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

// bundle packs the files of the folder into one file that people sign.
func (c *signoffCommand) bundle(a *app, f *reports.Folder, in reports.Input) error {
	a.stage("the bundle")
	files, err := bundle.Collect(f.Path(), c.Since, in)
	if err != nil {
		return noVerdict(err)
	}
	var packed bytes.Buffer
	if err := files.Pack(&packed); err != nil {
		return noVerdict(fmt.Errorf("the bundle: %w", err))
	}
	if err := f.Add(reports.Artefact{Name: bundle.File, Data: packed.Bytes()}, reports.Artefact{Name: bundle.SumsFile, Data: files[bundle.SumsFile]}); err != nil {
		return noVerdict(err)
	}
	fmt.Fprintf(a.out, "Bundle: %s\n", filepath.Join(c.Out, bundle.File))
	return nil
}

// Help returns the examples of signoff for its help.
func (signoffCommand) Help() string {
	return "Examples:\n\n" +
		"    petconform signoff --reference\n" +
		"    petconform signoff --plan Free --since last-release --waivers waivers.yaml"
}
