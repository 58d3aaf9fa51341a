package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"petconform/load"
	"petconform/reports"
	"petconform/reports/bundle"
	"petconform/reports/decision"
	"petconform/spec"
)

type signoffCommand struct {
	checkRun
	rateFlags  `group:"Load:"`
	LoadAnyway bool `group:"Load:" help:"Run the load even if the check already decides against a release."`
	Reference  bool `group:"Target:" help:"Sign off the built-in reference service, as an example. Without this flag, --target is required."`
}

func (c *signoffCommand) Run(ctx context.Context, a *app) error {
	send := func(beside *reports.Input) (reports.Input, error) { return c.both(ctx, a, beside) }
	return c.run(a, c.begun("signoff"), send, func(in reports.Input, v reports.View) error { return c.bundle(a, in, v) })
}

// both sends the checks and then, unless they decide already, the load.
func (c *signoffCommand) both(ctx context.Context, a *app, beside *reports.Input) (none reports.Input, err error) {
	switch {
	case c.Target == "" && !c.Reference:
		return none, usage("signoff needs the address of a service: add --target URL, or --reference to sign off the built-in reference service")
	case c.Target != "" && c.Reference:
		return none, usage("signoff takes --reference or the target %s, not both", c.Target)
	case c.Shard != "":
		return none, usage("--shard loads a part of the keys, and a sign-off is of all; leave it out")
	}
	under := loadCommand{targetFlags: c.targetFlags, rateFlags: c.rateFlags, runFlags: c.runFlags, Quick: c.Quick}
	cfg, t, err := under.config(ctx, a)
	if err != nil {
		return none, err
	}
	defer t.close()
	c.checkWith(cfg.Plans)
	if _, err := load.Plan(cfg); err != nil {
		return none, usage("%w", err)
	}
	checked, err := c.send(ctx, a, t)
	switch {
	case err != nil:
		return none, err
	case c.DryRun:
	case (checked.Results.NothingJudged() || reports.Look(resting(checked, *beside)).Word == decision.DoNotRelease) && !c.LoadAnyway:
		beside.Policy.Load = true // a sign-off has a load; that this one has none is a gate of its report
		why := "the check decides already"
		if checked.Results.NothingJudged() {
			why = "no service was judged"
		}
		a.err.Paragraph("", "The load does not run, since "+why+". --load-anyway runs it.")
		return checked, nil
	}
	if err := schedule(a, cfg); err != nil || c.DryRun {
		return none, err
	}
	loaded, err := under.send(ctx, a, cfg)
	if err != nil {
		return none, err
	}
	checked.Loaded = loaded.Loaded
	if checked.Results, err = reports.Merge(checked.Results, loaded.Results); err != nil {
		return none, noVerdict(err)
	}
	return checked, nil
}

// checkWith makes the check use the key of the largest plan, and be full from Pro upwards: four minutes there, beside a
// load of eleven.
func (c *signoffCommand) checkWith(plans []load.PlanKey) {
	largest := slices.MaxFunc(plans, func(a, b load.PlanKey) int { return cmp.Compare(a.Plan.PerMinute, b.Plan.PerMinute) })
	if c.largest = &largest; !c.Quick && !c.Deep {
		c.Deep = largest.Plan.PerMinute >= spec.Pro.PerMinute
		c.Quick = !c.Deep
	}
}

// bundle packs the files of the folder into one file that people sign, if it is of a check and a load, both whole.
func (c *signoffCommand) bundle(a *app, in reports.Input, v reports.View) (err error) {
	if why := v.NothingToSign(); why != "" {
		a.bundle = "No bundle: " + why + "; sign off again, with nothing left out, when the check passes"
		return nil
	}
	a.stage("the bundle")
	a.bundle = "Bundle: " + filepath.Join(c.Out, reports.BundleFile)
	if in.Recordings, err = reports.ReadFiles(a.folder.Path()); err != nil {
		return fmt.Errorf("the bundle: %w", err)
	}
	files, err := bundle.Collect(in)
	var packed bytes.Buffer
	if err := cmp.Or(err, files.Pack(&packed)); err != nil {
		return fmt.Errorf("the bundle: %w", err)
	}
	return a.folder.Add(reports.Files{reports.BundleFile: packed.Bytes(), bundle.SumsFile: files[bundle.SumsFile]})
}

type verifyCommand struct {
	Bundle         string `arg:"" help:"File of the bundle, or an archive around it." type:"existingfile"`
	AllowedSigners string `help:"File of allowed signers, in the form of ssh-keygen(1). One of them must have signed prepared.sig, and another one approved.sig, in the bundle or beside it. Without it no signature is checked, and the exit code is not 0." placeholder:"FILE" type:"existingfile"`
	Unsigned       bool   `help:"Check no signature: the exit code is that of the bundle's decision alone."`
	Target         string `help:"Address of the service that is to be released. A bundle of another target or build, or an older one, says nothing about it: exit code 3." env:"PETCONFORM_TARGET" placeholder:"URL"`
	Build          string `help:"Build that is to be released, as --build of signoff named it." placeholder:"TEXT"`
	MaxAge         span   `help:"Longest time since the oldest run of the bundle began, like 72h." placeholder:"TIME"`
	Require        string `help:"What the bundle must say for exit code 0: release, or waived (RELEASE or RELEASE WITH WAIVERS)." enum:"release,waived" default:"waived"`
	neededFlags
}

func (c *verifyCommand) AfterApply(a *app) error { return a.knowTarget(c.Target) }

func (c *verifyCommand) Run(ctx context.Context, a *app) error {
	if c.Unsigned && c.AllowedSigners != "" {
		return usage("--unsigned checks no signature, and --allowed-signers %s is given to check them; use one of the two", c.AllowedSigners)
	}
	a.stage("verifying")
	files, signatures, err := bundle.Open(c.Bundle)
	if err != nil {
		return noVerdict(err)
	}
	v := bundle.Verify(ctx, files, bundle.Options{Tool: tool, AllowedSigners: c.AllowedSigners, Unsigned: c.Unsigned,
		Waivers: c.Require == "waived", Signatures: signatures, Policy: c.policy(), Target: c.Target, Build: c.Build,
		MaxAge: time.Duration(c.MaxAge), Now: time.Now()})
	if err := v.Text(a.out, a.out.Width()); err != nil {
		return noVerdict(err)
	}
	return exitWith(v.Code())
}
