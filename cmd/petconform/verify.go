package main

import (
	"context"

	"petconform/reports/bundle"
	"petconform/reports/signoff"
	"petconform/spec/verdict"
)

// verifyCommand is petconform verify.
type verifyCommand struct {
	Bundle         string   `arg:"" help:"The bundle." type:"existingfile"`
	AllowedSigners string   `help:"File of the signers that are allowed, in the form of ssh-keygen(1). With it, one of them has to have prepared the bundle and another approved it." placeholder:"FILE"`
	Require        string   `help:"What the bundle has to say for exit code 0, beside being whole: release, waived (a RELEASE WITH WAIVERS will do) or intact (whatever it says)." enum:"release,waived,intact" default:"waived"`
	PublicKey      []string `help:"Public key of a signer who used cosign, in PEM; repeatable." placeholder:"FILE" type:"existingfile"`
}

// Run is petconform verify: what the bundle says, its digests, signatures, the verdict judged again and the report rendered again.
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
	v := bundle.Verify(ctx, files, bundle.Options{Judge: judgeBundle, AllowedSigners: c.AllowedSigners, PublicKeys: c.PublicKey, Records: records})
	if err := v.Text(std.out); err != nil {
		return noVerdict(err)
	}
	if code := v.Code(bundle.Require(c.Require)); code != verdict.ExitConforms {
		return concluded{code}
	}
	return nil
}

// judgeBundle judges a bundle's recordings again.
func judgeBundle(recordings map[string][]byte) (verdict.Results, error) {
	in, err := judgeRecordings(recordings, false)
	return in.Results, err
}
