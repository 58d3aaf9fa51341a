package main

import (
	"context"
	"time"

	"petconform/reports/bundle"
	"petconform/reports/signoff"
	"petconform/spec/client"
)

type verifyCommand struct {
	Bundle         string `arg:"" help:"File of the bundle." type:"existingfile"`
	AllowedSigners string `help:"File of allowed signers, in the form of ssh-keygen(1). One of its keys must have prepared the bundle, and another one approved it. Without it no signature is checked, and the exit code is not 0." placeholder:"FILE" type:"existingfile"`
	Unsigned       bool   `help:"Check no signature: the exit code is that of the bundle's decision alone."`
	Target         string `help:"Address of the service that is to be released. A bundle of another target or build, or an older one, says nothing about it: exit code 3." env:"PETCONFORM_TARGET" placeholder:"URL"`
	Build          string `help:"Build that is to be released, as --build of signoff named it." placeholder:"TEXT"`
	MaxAge         span   `help:"Longest time since the run ended, like 72h." placeholder:"TIME"`
	Require        string `help:"What the bundle must say for exit code 0: release, or waived (RELEASE or RELEASE WITH WAIVERS)." enum:"release,waived" default:"waived"`
}

// AfterApply refuses an empty target.
func (c *verifyCommand) AfterApply() error { return knowTarget(c.Target) }

// Run prints what the bundle says, and verifies its digests and signatures. It also judges the recordings and renders
// the report again.
func (c *verifyCommand) Run(ctx context.Context, std streams) error {
	if c.Unsigned && c.AllowedSigners != "" {
		return usage("--unsigned checks no signature, and --allowed-signers %s is given to check them; use one of the two", c.AllowedSigners)
	}
	if c.Target != "" {
		if _, err := client.ParseBase(c.Target); err != nil {
			return usage("--target: %w", err)
		}
	}
	stage("verifying")
	files, err := bundle.Unpack(c.Bundle)
	if err != nil {
		return noVerdict(err)
	}
	var records []signoff.Signed
	if c.AllowedSigners != "" {
		if records, err = signoff.Load(signoff.Folder(c.Bundle)); err != nil {
			return noVerdict(err)
		}
	}
	v := bundle.Verify(ctx, files, bundle.Options{AllowedSigners: c.AllowedSigners, Unsigned: c.Unsigned, Records: records,
		Release: bundle.Release{Target: c.Target, Build: c.Build, MaxAge: time.Duration(c.MaxAge), Now: time.Now()}})
	if err := v.Text(std.out); err != nil {
		return noVerdict(err)
	}
	return exitWith(v.Code(bundle.Require(c.Require)))
}
