package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"time"

	"petconform/conformance"
	"petconform/load"
	"petconform/reports"
	"petconform/reports/bundle"
	"petconform/reports/rerun"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/reference"
)

// signoffCommand is petconform signoff.
type signoffCommand struct {
	checkCommand
	rateFlags
	DryRun    bool `help:"Print what would be sent, and how long it takes, and send nothing."`
	Reference bool `help:"Sign off the built-in reference service, as an example. Without this flag, --target is required."`
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
	done, err := c.ownReference(ctx)
	if err != nil {
		return err
	}
	defer done()
	under := loadCommand{targetFlags: c.targetFlags, rateFlags: c.rateFlags, Out: c.Out, CategoryID: c.CategoryID, ReadOnly: c.ReadOnly,
		Strict: c.Strict, Build: c.Build, Environment: c.Environment}
	cfg, stop, err := under.config(ctx)
	if err != nil {
		return err
	}
	defer stop()
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
	tellSchedule(std.err, cfg.Base.String(), schedule)
	loaded, err := under.send(ctx, std, cfg)
	if err != nil {
		return err
	}
	whole, err := reports.Merge(checked, loaded)
	if err != nil {
		return noVerdict(err)
	}
	key, err := c.key("PETCONFORM_KEY")
	if err != nil {
		return err
	}
	whole.Redactor = exchange.NewRedactor(append(secrets(cfg), key)...).Sparing(cfg.Base.String())
	whole.Previous, whole.Waivers = before.Previous, before.Waivers
	c.checkCommand.gateFlags.apply(&whole)
	c.partFlags.apply(&whole)
	out, err := report(std, c.Out, whole, c.Verbose)
	if err != nil {
		return err
	}
	if err := c.bundle(std, whole); err != nil {
		return err
	}
	return finish(c.Out, out)
}

// validate refuses flags that do not go together.
func (c *signoffCommand) validate() error {
	if err := c.checkCommand.gateFlags.check(); err != nil {
		return err
	}
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
	filter, err := conformance.LabelFilter(words(c.Only), words(c.Skip))
	if err != nil {
		return usage("%w", err)
	}
	told := &printed{to: std.err}
	newProgress(told).start(target{base: under.Base, reference: under.Target.Reference}, cfg, conformance.Describe(cfg).Preview(filter))
	tellSchedule(told, under.Base.String(), schedule)
	return told.err
}

// ownReference starts one reference service for both parts when there is no target.
func (c *signoffCommand) ownReference(ctx context.Context) (func(), error) {
	if c.Target != "" {
		return func() {}, nil
	}
	own := &ownTarget{keys: map[string]exchange.Secret{}}
	var keys []reference.Key
	for variable, plan := range map[string]spec.Plan{"PETCONFORM_KEY": spec.Business, "PETCONFORM_KEY_FREE": spec.Free, "PETCONFORM_KEY_PRO": spec.Pro,
		"PETCONFORM_KEY_BUSINESS": spec.Business, "PETCONFORM_KEY_OTHER": spec.Business, "PETCONFORM_KEY_BAN": spec.Free} {
		k := reference.RandomKey(variable, plan)
		keys, own.keys[variable] = append(keys, k), k.Secret
	}
	base, stop, err := startReference(ctx, reference.Config{Keys: keys, Minute: orScaled(time.Duration(c.Minute)), Day: 1440 * orScaled(time.Duration(c.Minute))})
	own.base, c.own = base, own
	return stop, err
}

// bundle packs the files of the folder into one file that people sign.
func (c *signoffCommand) bundle(std streams, in reports.Input) error {
	f, err := inUse.get(c.Out, reports.ReopenFolder)
	if err != nil {
		return err
	}
	if _, kept := f.Keeps(); kept {
		return nil
	}
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
