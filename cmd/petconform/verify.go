package main

import (
	"context"
	"time"

	"petconform/reports/bundle"
	"petconform/spec/client"
	"petconform/spec/verdict"
)

type verifyCommand struct {
	Bundle         string `arg:"" help:"File of the bundle, or an archive around it." type:"existingfile"`
	AllowedSigners string `help:"File of allowed signers, in the form of ssh-keygen(1). One of them must have signed prepared.sig, and another one approved.sig, beside the bundle. Without it no signature is checked, and the exit code is not 0." placeholder:"FILE" type:"existingfile"`
	Unsigned       bool   `help:"Check no signature: the exit code is that of the bundle's decision alone."`
	Target         string `help:"Address of the service that is to be released. A bundle of another target or build, or an older one, says nothing about it: exit code 3." env:"PETCONFORM_TARGET" placeholder:"URL"`
	Build          string `help:"Build that is to be released, as --build of signoff named it." placeholder:"TEXT"`
	MaxAge         span   `help:"Longest time since the oldest run of the bundle began, like 72h." placeholder:"TIME"`
	Require        string `help:"What the bundle must say for exit code 0: release, or waived (RELEASE or RELEASE WITH WAIVERS)." enum:"release,waived" default:"waived"`
	neededFlags
}

// AfterApply refuses an empty target.
func (c *verifyCommand) AfterApply(a *app) error { return a.knowTarget(c.Target) }

// Run says whether to release on a bundle: it verifies digests and signatures, judges the recordings again and makes
// the report again.
func (c *verifyCommand) Run(ctx context.Context, a *app) error {
	if c.Unsigned && c.AllowedSigners != "" {
		return usage("--unsigned checks no signature, and --allowed-signers %s is given to check them; use one of the two", c.AllowedSigners)
	}
	if c.Target != "" {
		if _, err := client.ParseBase(c.Target); err != nil {
			return usage("--target: %w", err)
		}
	}
	a.stage("verifying")
	files, signatures, err := bundle.Open(c.Bundle)
	if err != nil {
		return noVerdict(err)
	}
	v := bundle.Verify(ctx, files, bundle.Options{Tool: tool(), AllowedSigners: c.AllowedSigners, Unsigned: c.Unsigned, Signatures: signatures,
		Policy: c.policy(), Release: bundle.Release{Target: c.Target, Build: c.Build, MaxAge: time.Duration(c.MaxAge), Now: time.Now()}})
	if err := v.Text(a.out, a.out.Width()); err != nil {
		return noVerdict(err)
	}
	if v.Code(true) == verdict.ExitConforms && c.Require == "release" && v.Code(false) != verdict.ExitConforms {
		a.out.Paragraph("", "DO NOT RELEASE ON THIS BUNDLE: --require release wants RELEASE, without waivers.")
	}
	return exitWith(v.Code(c.Require == "waived"))
}
