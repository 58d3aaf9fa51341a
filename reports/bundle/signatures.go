package bundle

import (
	"bytes"
	"context"
	"errors"
	"slices"

	"petconform/reports/safe"
	"petconform/reports/signoff"
	"petconform/spec/bounded"
)

// verified is a record whose signature holds, with its signer.
type verified struct {
	signoff.Signed
	by signoff.Signer
}

// signatures checks the records beside the bundle: that they are about this bundle, that their signatures hold, and
// that two of the allowed signers prepared and approved it. Without allowed signers it reads no record, so that what is
// deleted beside a bundle cannot change what is said of it.
func (v *Verification) signatures(ctx context.Context, o Options) {
	if o.AllowedSigners == "" {
		return
	}
	signers, err := bounded.ReadFile(o.AllowedSigners, bounded.Small)
	if err != nil {
		v.unchecked("no signature was checked, since the file of allowed signers cannot be read: %v", err)
		return
	}
	var all []verified
	steps := map[string]map[signoff.Step]bool{}
	for _, r := range o.Records {
		who := safe.Line(r.Name + ", " + r.Role)
		if r.Subject != v.Subject {
			v.problem("%s (%s by %s) is about another bundle: it names %s, this one is %s", r.File, r.Step, who, r.Subject, v.Subject)
			continue
		}
		if r.Meaning != r.Step.Meaning() {
			v.problem("%s: %s belongs to %q, but the record says %q", r.File, r.Step, r.Step.Meaning(), safe.Line(r.Meaning))
		}
		if steps[r.Name] == nil {
			steps[r.Name] = map[signoff.Step]bool{}
		}
		steps[r.Name][r.Step] = true
		if by, ok := v.signer(ctx, r, who, signers); ok {
			all = append(all, verified{r, by})
		}
	}
	for name, steps := range steps {
		if steps[signoff.Prepared] && steps[signoff.Approved] {
			v.refuse(NotAgreed, "%s both prepared and approved; these must be two people", safe.Line(name))
		}
	}
	v.steps(lastWords(all))
}

// signer checks the signature of a record, and returns who made it.
func (v *Verification) signer(ctx context.Context, r signoff.Signed, who string, signers []byte) (by signoff.Signer, ok bool) {
	if r.Signature == nil {
		v.refuse(NotSigned, "%s (%s by %s) has no signature", r.File, r.Step, who)
		return by, false
	}
	by, err := signoff.Check(ctx, r.Data, r.Signature, signers)
	switch {
	case errors.Is(err, signoff.ErrAltered):
		v.problem("%s (%s by %s): %v", r.File, r.Step, who, err)
	case errors.Is(err, signoff.ErrNotListed):
		v.refuse(NotListed, "%s (%s by %s): %v", r.File, r.Step, who, err)
	case err != nil:
		v.unchecked("%s (%s by %s): %v", r.File, r.Step, who, err)
	default:
		v.held("%s by %s, %s, signed as %s", r.Step, who, r.Decision, by.Name)
	}
	return by, err == nil
}

// lastWords keeps the latest record of each key and step, since a signer may change their mind.
func lastWords(all []verified) []verified {
	slices.SortStableFunc(all, func(a, b verified) int { return a.At.Compare(b.At) })
	var last []verified
	for _, r := range all {
		last = slices.DeleteFunc(last, func(k verified) bool { return bytes.Equal(k.by.Key, r.by.Key) && k.Step == r.Step })
		last = append(last, r)
	}
	return last
}

// steps checks that one key prepared the bundle and another one approved it, and that nobody disagrees. Two keys under
// one name are one signer, and so is one key under two names.
func (v *Verification) steps(all []verified) {
	of := map[signoff.Step][]verified{}
	for _, r := range all {
		of[r.Step] = append(of[r.Step], r)
		if r.Decision != signoff.Agree {
			v.refuse(NotAgreed, "%s (%s, signed as %s) disagrees", safe.Line(r.Name), r.Step, safe.Line(r.by.Name))
		}
	}
	for _, step := range signoff.Steps() {
		if len(of[step]) == 0 {
			v.refuse(NotSigned, "nobody %s it: the records beside the bundle have no step %q signed by an allowed signer", step, step)
		}
	}
	for _, p := range of[signoff.Prepared] {
		for _, a := range of[signoff.Approved] {
			if p.by.Name == a.by.Name || bytes.Equal(p.by.Key, a.by.Key) {
				v.refuse(NotAgreed, "%s and %s were both signed by %s; these must be two signers", p.File, a.File, safe.Line(a.by.Name))
			}
		}
	}
	v.SignedOff = v.OK()
}
