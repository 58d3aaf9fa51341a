package bundle

import (
	"context"
	"errors"
	"path/filepath"

	"petconform/reports/plain"
	"petconform/reports/signoff"
)

// signatures checks the records beside the bundle: that they are about this bundle, that their signatures hold, and that not
// one person alone prepared and approved.
func (v *Verification) signatures(ctx context.Context, o Options) {
	steps := map[signoff.Step]map[string]bool{}
	for _, r := range o.Records {
		who := plain.Line(r.Name + ", " + r.Role)
		if r.Subject != v.Subject {
			v.problem("%s (%s by %s) is about another bundle: it names %s, this one is %s", r.File, r.Step, who, r.Subject, v.Subject)
			continue
		}
		if r.Meaning != r.Step.Meaning() {
			v.problem("%s: %s stands for %q; the record says %q", r.File, r.Step, r.Step.Meaning(), plain.Line(r.Meaning))
		}
		if steps[r.Step] == nil {
			steps[r.Step] = map[string]bool{}
		}
		steps[r.Step][r.Name] = true
		v.signature(ctx, r, who, o)
	}
	for name := range steps[signoff.Approved] {
		if steps[signoff.Prepared][name] {
			v.problem("%s both prepared and approved; two people are wanted", plain.Line(name))
		}
	}
}

func (v *Verification) signature(ctx context.Context, r signoff.Signed, who string, o Options) {
	if r.Signature == nil && r.Cosign == nil {
		v.unchecked("%s (%s by %s) carries no signature", r.File, r.Step, who)
	}
	if r.Signature != nil {
		v.ssh(ctx, r, who, o.AllowedSigners)
	}
	if r.Cosign != nil {
		v.cosign(r, who, o.PublicKeys)
	}
}

func (v *Verification) ssh(ctx context.Context, r signoff.Signed, who, allowed string) {
	if allowed == "" {
		v.unchecked("%s (%s by %s) is signed; a file of allowed signers is wanted to tell by whom", r.File, r.Step, who)
		return
	}
	principal, err := signoff.Check(ctx, r.Data, r.Signature, allowed)
	switch {
	case errors.Is(err, signoff.ErrNoTool):
		v.unchecked("%s (%s by %s): %v", r.File, r.Step, who, err)
	case err != nil:
		v.problem("%s (%s by %s): %v", r.File, r.Step, who, err)
	default:
		v.held("%s by %s, %s, signed as %s", r.Step, who, r.Decision, principal)
	}
}

func (v *Verification) cosign(r signoff.Signed, who string, keys []string) {
	if len(keys) == 0 {
		v.unchecked("%s (%s by %s) is signed with cosign; the signer's public key is wanted to tell by whom", r.File, r.Step, who)
		return
	}
	key, err := signoff.CheckCosign(r.Data, r.Cosign, keys)
	if err != nil {
		v.problem("%s (%s by %s): %v", r.File, r.Step, who, err)
		return
	}
	v.held("%s by %s, %s, signed with the key of %s", r.Step, who, r.Decision, filepath.Base(key))
}
