package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"petconform/reports/bundle"
	"petconform/reports/decision"
	"petconform/reports/safe"
	"petconform/reports/signoff"
)

type signCommand struct {
	Bundle   string `arg:"" help:"File of the bundle." type:"existingfile"`
	Step     string `help:"What the signer did: prepared or approved." enum:"prepared,approved" required:"" placeholder:"STEP"`
	Decision string `help:"The signer's decision: agree or disagree." enum:"agree,disagree" default:"agree"`
	Name     string `help:"Name of the signer." required:"" placeholder:"NAME"`
	Role     string `help:"Role of the signer." required:"" placeholder:"ROLE"`
	Comment  string `help:"Comment of the signer." placeholder:"TEXT"`
	EvenSo   string `name:"even-though" help:"Approve a bundle that says DO NOT RELEASE or NO VERDICT. WORD has to repeat what it says." placeholder:"WORD"`
	Key      string `help:"SSH key to sign with, using ssh-keygen." placeholder:"FILE"`
}

// Run writes a record beside the bundle, and signs the record if a key is given.
func (c *signCommand) Run(ctx context.Context, std streams) error {
	files, err := bundle.Unpack(c.Bundle)
	if err != nil {
		return noVerdict(err)
	}
	v := bundle.Verify(ctx, files, bundle.Options{})
	if !v.OK() {
		return noVerdict(errors.Join(fmt.Errorf("%s was changed after it was made, so it is not signed: %s", c.Bundle,
			strings.Join(append(v.Problems, v.Unchecked...), "; ")), v.Text(std.err)))
	}
	if err := c.mayApprove(v.Decision); err != nil {
		return err
	}
	record, err := signoff.New(signoff.Step(c.Step), signoff.Decision(c.Decision), c.Name, c.Role, files.Subject(), time.Now())
	if err != nil {
		return usage("%w", err)
	}
	record.Comment, record.EvenThough = c.Comment, c.EvenSo
	path, err := signoff.Save(signoff.Folder(c.Bundle), record)
	if err != nil {
		return noVerdict(err)
	}
	var public signoff.PublicKey
	if c.Key != "" {
		if public, err = signoff.Sign(ctx, c.Key, path); err != nil { // a record without its signature would refuse the bundle
			return noVerdict(errors.Join(err, os.Remove(path)))
		}
	}
	fmt.Fprintf(std.out, "%s\n%s %s by %s, %s\nof %s\nin %s\n", v.Decision.Headline, record.Step, record.Decision,
		safe.Line(record.Name), safe.Line(record.Role), safe.Groups(record.Subject), path)
	if public == nil {
		fmt.Fprintln(std.out, "The record has no signature, so verify does not accept it; sign with --key FILE.")
		return nil
	}
	fmt.Fprintf(std.out, "For the file of allowed signers, if the key is known to be this signer's:\n%s\n", public.SignersLine(record.Name))
	return nil
}

// mayApprove returns an error for the approval of a bundle that does not say RELEASE, unless --even-though repeats what
// it says.
func (c *signCommand) mayApprove(d decision.Decision) error {
	released := d.Word == decision.Release || d.Word == decision.ReleaseWithWaivers
	switch {
	case c.EvenSo != "" && c.EvenSo != string(d.Word):
		return usage("--even-though %q: the bundle says %q", c.EvenSo, d.Word)
	case signoff.Step(c.Step) == signoff.Approved && signoff.Decision(c.Decision) == signoff.Agree && !released && c.EvenSo == "":
		return usage("the bundle says %q (%s); to approve it nevertheless, add --even-though %q", d.Word, d.Sentence, d.Word)
	}
	return nil
}
