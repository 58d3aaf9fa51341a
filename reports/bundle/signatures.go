package bundle

import (
	"context"
	"errors"
	"path/filepath"
	"slices"

	"petconform/reports/plain"
	"petconform/reports/signoff"
)

// held is a record whose signature holds.
type held struct {
	signoff.Signed
	// by is the signer's name in the verifier's list of signers. key is the SHA-256 of the public key, in hexadecimal.
	by, key string
}

// signatures checks the records beside the bundle: that they are about this bundle, that their signatures hold and, when the
// signers are known, that the bundle was prepared and approved by two of them.
func (v *Verification) signatures(ctx context.Context, o Options) {
	var all []held
	names := map[string]map[signoff.Step]bool{}
	for _, r := range o.Records {
		who := plain.Line(r.Name + ", " + r.Role)
		if r.Subject != v.Subject {
			v.problem("%s (%s by %s) is about another bundle: it names %s, this one is %s", r.File, r.Step, who, r.Subject, v.Subject)
			continue
		}
		if r.Meaning != r.Step.Meaning() {
			v.problem("%s: %s belongs to %q, but the record says %q", r.File, r.Step, r.Step.Meaning(), plain.Line(r.Meaning))
		}
		if r.Signature == nil && r.Cosign == nil {
			v.unchecked("%s (%s by %s) has no signature", r.File, r.Step, who)
		}
		if names[r.Name] == nil {
			names[r.Name] = map[signoff.Step]bool{}
		}
		names[r.Name][r.Step] = true
		all = append(all, v.signature(ctx, r, who, o)...)
	}
	for name, steps := range names {
		if steps[signoff.Prepared] && steps[signoff.Approved] {
			v.problem("%s both prepared and approved; these must be two people", plain.Line(name))
		}
	}
	if o.AllowedSigners != "" || len(o.PublicKeys) > 0 {
		v.steps(lastWords(all))
	}
}

// lastWords keeps the latest record of each key and step, since a signer may change their mind.
func lastWords(all []held) []held {
	slices.SortStableFunc(all, func(a, b held) int { return a.At.Compare(b.At) })
	var last []held
	for _, h := range all {
		last = slices.DeleteFunc(last, func(k held) bool { return k.key == h.key && k.Step == h.Step })
		last = append(last, h)
	}
	return last
}

// steps checks that one signer prepared the bundle and another one approved it, both with valid signatures, and that nobody
// disagrees.
func (v *Verification) steps(all []held) {
	of := map[signoff.Step][]held{}
	for _, h := range all {
		of[h.Step] = append(of[h.Step], h)
		if h.Decision != signoff.Agree {
			v.problem("%s (%s, signed as %s) disagrees", plain.Line(h.Name), h.Step, plain.Line(h.by))
		}
	}
	for _, step := range []signoff.Step{signoff.Prepared, signoff.Approved} {
		if len(of[step]) == 0 {
			v.problem("nobody %s it: the records beside the bundle have no step %q signed by an allowed signer", step, step)
		}
	}
	for _, p := range of[signoff.Prepared] {
		for _, a := range of[signoff.Approved] {
			if p.by == a.by || p.key == a.key {
				v.problem("%s and %s were both signed by %s; these must be two signers", p.File, a.File, plain.Line(a.by))
			}
		}
	}
}

// signature checks the signatures of one record and gives it for each that holds.
func (v *Verification) signature(ctx context.Context, r signoff.Signed, who string, o Options) (all []held) {
	if r.Signature != nil {
		if h, ok := v.ssh(ctx, r, who, o.AllowedSigners); ok {
			all = append(all, h)
		}
	}
	if r.Cosign != nil {
		if h, ok := v.cosign(r, who, o.PublicKeys); ok {
			all = append(all, h)
		}
	}
	return all
}

func (v *Verification) ssh(ctx context.Context, r signoff.Signed, who, allowed string) (held, bool) {
	if allowed == "" {
		v.unchecked("%s (%s by %s) is signed; to verify the signer, give a file of allowed signers", r.File, r.Step, who)
		return held{}, false
	}
	principal, err := signoff.Check(ctx, r.Data, r.Signature, allowed)
	switch {
	case errors.Is(err, signoff.ErrNoTool):
		v.unchecked("%s (%s by %s): %v", r.File, r.Step, who, err)
		return held{}, false
	case err != nil:
		v.problem("%s (%s by %s): %v", r.File, r.Step, who, err)
		return held{}, false
	}
	key, err := signoff.KeyOf(r.Signature)
	if err != nil {
		v.problem("%s (%s by %s): %v", r.File, r.Step, who, err)
		return held{}, false
	}
	v.held("%s by %s, %s, signed as %s", r.Step, who, r.Decision, principal)
	return held{r, principal, key}, true
}

func (v *Verification) cosign(r signoff.Signed, who string, keys []string) (held, bool) {
	if len(keys) == 0 {
		v.unchecked("%s (%s by %s) is signed with cosign; to verify the signer, give the signer's public key", r.File, r.Step, who)
		return held{}, false
	}
	name, err := signoff.CheckCosign(r.Data, r.Cosign, keys)
	if err != nil {
		v.problem("%s (%s by %s): %v", r.File, r.Step, who, err)
		return held{}, false
	}
	key, err := signoff.PublicKeyDigest(name)
	if err != nil {
		v.problem("%s (%s by %s): %v", r.File, r.Step, who, err)
		return held{}, false
	}
	v.held("%s by %s, %s, signed with the key of %s", r.Step, who, r.Decision, filepath.Base(name))
	return held{r, filepath.Base(name), key}, true
}
