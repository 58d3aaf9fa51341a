package main

import (
	"context"

	"petconform/reports/bundle"
	"petconform/reports/signoff"
	"petconform/spec/verdict"
)

// verifyCommand is petconform verify.
type verifyCommand struct {
	Bundle         string   `arg:"" help:"File of the bundle." type:"existingfile"`
	AllowedSigners string   `help:"File of allowed signers, in the form of ssh-keygen(1). One of them must have prepared the bundle, and another one approved it." placeholder:"FILE" type:"existingfile"`
	Require        string   `help:"What an intact bundle must say for exit code 0: release, waived (RELEASE or RELEASE WITH WAIVERS) or intact (anything)." enum:"release,waived,intact" default:"waived"`
	PublicKey      []string `help:"Public key in PEM of a signer who used cosign; repeatable." placeholder:"FILE" type:"existingfile"`
}

// Run prints what the bundle says, and verifies its digests and signatures. It also judges the recordings and renders the report again.
func (c *verifyCommand) Run(ctx context.Context, std streams) error {
	stage("verifying")
	files, err := bundle.Unpack(c.Bundle)
	if err != nil {
		return noVerdict(err)
	}
	records, err := signoff.Load(signoff.Folder(c.Bundle))
	if err != nil {
		return noVerdict(err)
	}
	v := bundle.Verify(ctx, files, bundle.Options{AllowedSigners: c.AllowedSigners, PublicKeys: c.PublicKey, Records: records})
	if err := v.Text(std.out); err != nil {
		return noVerdict(err)
	}
	if code := v.Code(bundle.Require(c.Require)); code != verdict.ExitConforms {
		return concluded{code}
	}
	return nil
}
