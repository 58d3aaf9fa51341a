package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"petconform/load"
	"petconform/reports"
	"petconform/reports/bundle"
	"petconform/reports/signoff"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/reference"
	"petconform/spec/verdict"
)

// signoffCommand is petconform signoff.
type signoffCommand struct {
	checkCommand
	rateFlags
	Reference bool `help:"Sign off the built-in reference service, to see how it is done. Without it, --target is needed."`
}

// Run is petconform signoff: check and load, then the release report and its bundle.
func (c *signoffCommand) Run(ctx context.Context, std streams) error {
	if err := c.checkCommand.gateFlags.check(); err != nil {
		return err
	}
	switch {
	case c.Target == "" && !c.Reference:
		return usage("signoff: give the address of the service with --target, or --reference to sign off the built-in reference service")
	case c.Target != "" && c.Reference:
		return usage("signoff: --reference and the target %s exclude each other", c.Target)
	}
	before, err := withHistory(reports.Input{}, c.Since, c.Waivers)
	if err != nil {
		return err
	}
	done, err := c.ownReference(ctx)
	if err != nil {
		return err
	}
	defer done()
	checked, err := c.send(ctx, std)
	if err != nil {
		return err
	}
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
	whole.Redactor = exchange.NewRedactor(append(secrets(cfg), key)...)
	whole.Previous, whole.Rejudged, whole.Waivers = before.Previous, before.Rejudged, before.Waivers
	c.checkCommand.gateFlags.apply(&whole)
	c.partFlags.apply(&whole)
	out, err := report(std, c.Out, whole)
	if err != nil {
		return err
	}
	if err := c.bundle(std, whole); err != nil {
		return err
	}
	return finish(c.Out, out)
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

// bundle packs what was written into one file to be filed and signed.
func (c *signoffCommand) bundle(std streams, in reports.Input) error {
	stage("the bundle")
	files, err := bundle.Collect(c.Out, c.Since, in)
	if err != nil {
		return noVerdict(err)
	}
	var packed bytes.Buffer
	if err := files.Pack(&packed); err != nil {
		return noVerdict(fmt.Errorf("the bundle: %w", err))
	}
	statement, err := files.Statement()
	if err != nil {
		return noVerdict(err)
	}
	f, err := inUse.get(c.Out, reports.ReopenFolder)
	if err != nil {
		return err
	}
	if err := f.Add(reports.Artefact{Name: bundle.File, Data: packed.Bytes()}, reports.Artefact{Name: bundle.StatementFile, Data: statement}); err != nil {
		return noVerdict(err)
	}
	fmt.Fprintf(std.out, "Bundle: %s\n", filepath.Join(c.Out, bundle.File))
	return nil
}

// signCommand is petconform sign.
type signCommand struct {
	Bundle   string `arg:"" help:"The bundle." type:"existingfile"`
	Step     string `help:"What is done: prepared, reviewed or approved." enum:"prepared,reviewed,approved" required:""`
	Decision string `help:"agree or disagree." enum:"agree,disagree" default:"agree"`
	Name     string `help:"Who signs." required:""`
	Role     string `help:"In which role." required:""`
	Comment  string `help:"What the signer wants to have said."`
	Key      string `help:"SSH key to sign with, by ssh-keygen." placeholder:"FILE" xor:"key"`
	Cosign   string `name:"cosign-key" help:"Key to sign with, by cosign: a file, or the address of a KMS. Its password comes from COSIGN_PASSWORD, or is asked for." placeholder:"KEY" xor:"key"`
}

// Run is petconform sign: it writes a record beside the bundle, and signs it where a key is given.
func (c *signCommand) Run(ctx context.Context, std streams) error {
	files, err := bundle.Unpack(c.Bundle)
	if err != nil {
		return noVerdict(err)
	}
	record, err := signoff.New(signoff.Step(c.Step), signoff.Decision(c.Decision), c.Name, c.Role, files.Subject(), time.Now())
	if err != nil {
		return usage("%w", err)
	}
	record.Comment = c.Comment
	path, err := signoff.Save(signoff.Folder(c.Bundle), record)
	if err != nil {
		return noVerdict(err)
	}
	switch {
	case c.Key != "":
		err = signoff.Sign(ctx, c.Key, path)
	case c.Cosign != "":
		err = signoff.SignWithCosign(ctx, c.Cosign, path)
	}
	if err != nil { // a record that should be signed and is not would look like one that needs no signature
		return noVerdict(errors.Join(err, os.Remove(path)))
	}
	fmt.Fprintf(std.out, "%s %s by %s, %s\nof %s\nin %s\n", record.Step, record.Decision, record.Name, record.Role, groups(record.Subject), path)
	return nil
}

// groups sets a digest in groups of eight, to be compared by eye.
func groups(digest string) string {
	var out []string
	for i := 0; i < len(digest); i += 8 {
		out = append(out, digest[i:min(i+8, len(digest))])
	}
	return strings.Join(out, " ")
}

// verifyCommand is petconform verify.
type verifyCommand struct {
	Bundle         string   `arg:"" help:"The bundle." type:"existingfile"`
	AllowedSigners string   `help:"File of the signers that are allowed, in the form of ssh-keygen(1)." placeholder:"FILE"`
	PublicKey      []string `help:"Public key of a signer who used cosign, in PEM; repeatable." placeholder:"FILE" type:"existingfile"`
}

// Run is petconform verify: digests, signatures, the verdict judged again and the report rendered again.
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
	switch {
	case len(v.Problems) > 0:
		return concluded{verdict.ExitDeviates}
	case !v.OK():
		return concluded{verdict.ExitNoVerdict}
	}
	return nil
}

// judgeBundle judges a bundle's recordings again.
func judgeBundle(recordings map[string][]byte) (verdict.Results, error) {
	in, err := judgeRecordings(recordings, false)
	return in.Results, err
}
