package bundle

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"petconform/reports/waiver"
	"petconform/spec/bounded"
)

// step is one of the two steps of a sign-off, by its name.
type step string

var steps = []step{"prepared", "approved"}

// file has the signature, and namespace keeps it from being taken for one of anything else (ssh-keygen -n).
func (s step) file() string      { return string(s) + ".sig" }
func (s step) namespace() string { return "petconform-" + string(s) }

// Signatures are the files of signatures of a bundle, by name. They are no part of SHA256SUMS.
type Signatures map[string][]byte

// signer is who made a signature, in the words of ssh-keygen: the names that the file of allowed signers gives the key,
// and the key's fingerprint.
type signer struct {
	names []string
	key   string
}

func (s signer) String() string { return strings.Join(s.names, ", ") }

// same reports whether two signatures may be of one person: they have a name or the key in common.
func (s signer) same(other signer) bool {
	return s.key == other.key || slices.ContainsFunc(s.names, func(a string) bool {
		return slices.ContainsFunc(other.names, func(b string) bool { return waiver.SamePerson(a, b) })
	})
}

// signatures checks that one allowed signer prepared the bundle and another one approved it. Who signed is what
// ssh-keygen says; nothing here reads a signature or a key.
func (v *Verification) signatures(ctx context.Context, sums []byte, o Options) {
	if o.AllowedSigners == "" {
		return
	}
	_, err := bounded.ReadFile(o.AllowedSigners, bounded.Small) // ssh-keygen reads a device without end
	k := keygen{signers: o.AllowedSigners, sums: sums}
	if err == nil {
		k.tool, err = exec.LookPath("ssh-keygen")
	}
	if err == nil {
		k.dir, err = os.MkdirTemp("", "petconform-signature-")
	}
	if err != nil {
		v.add(Unchecked, "the signatures: %v", err)
		return
	}
	defer func() { _ = os.RemoveAll(k.dir) }()
	var by []signer
	for _, s := range steps {
		one, why := k.signer(ctx, s, o.Signatures[s.file()])
		if why != nil {
			v.Lines = append(v.Lines, *why)
			continue
		}
		v.add(Holds, "%s by %s, with the key %s", s, one, one.key)
		by = append(by, one)
	}
	switch {
	case len(by) < len(steps):
	case by[0].same(by[1]):
		v.add(NotSigned, "%s prepared it, and %s approved it: one name or one key", by[0], by[1])
	default:
		v.Signed = fmt.Sprintf("Prepared by %s, approved by %s.", by[0], by[1])
	}
}

// keygen asks ssh-keygen about signatures of SHA256SUMS, by the file of allowed signers. dir is for its files.
type keygen struct {
	tool, signers, dir string
	sums               []byte
}

// good is what ssh-keygen says of a signature that holds.
var good = regexp.MustCompile(`^Good "(.*)" signature for (.*) with ([A-Z0-9-]+) key (SHA256:[A-Za-z0-9+/]{43})$`)

// signer returns who made a signature, or why it does not count.
func (k keygen) signer(ctx context.Context, s step, signature []byte) (by signer, why *Line) {
	if signature == nil {
		return by, lineOf(NotSigned, "nobody %s it: there is no %s in the bundle or beside it", s, s.file())
	}
	file := filepath.Join(k.dir, s.file())
	if err := os.WriteFile(file, signature, 0o600); err != nil {
		return by, lineOf(Unchecked, "%s: %v", s.file(), err)
	}
	no := lineOf(NotSigned, "%s is not signed with a key that is in the file %s", s.file(), k.signers)
	names, why := k.ask(ctx, no, "find-principals", "-f", k.signers, "-s", file)
	if why != nil {
		return by, why
	}
	by.names = strings.FieldsFunc(names, func(r rune) bool { return strings.ContainsRune("\r\n,", r) })
	if len(by.names) == 0 || strings.ContainsAny(names, "*?!") {
		return by, lineOf(NotSigned, "%s is signed with a key that the file %s gives to %q, which is no person's name", s.file(), k.signers, names)
	}
	no = lineOf(NotSigned, "%s is not a signature of this bundle that %s may make, with -n %s", s.file(), by, s.namespace())
	said, why := k.ask(ctx, no, "verify", "-f", k.signers, "-I", by.names[0], "-n", s.namespace(), "-s", file)
	if why != nil {
		return by, why
	}
	words := good.FindStringSubmatch(said)
	if words == nil || words[1] != s.namespace() || words[2] != by.names[0] {
		return by, lineOf(Unchecked, "%s: ssh-keygen said something unknown: %q", s.file(), said)
	}
	if by.key = words[4]; strings.HasSuffix(words[3], "-CERT") {
		return by, lineOf(NotSigned, "%s is signed by %s with a certificate; it has to be a key that the file %s lists", s.file(), by, k.signers)
	}
	return by, nil
}

// refused is the exit code with which ssh-keygen says no.
const refused = 255

// ask returns what ssh-keygen says if it says yes. If it says no, why is no with its reason.
func (k keygen) ask(ctx context.Context, no *Line, question string, args ...string) (said string, why *Line) {
	cmd := exec.CommandContext(ctx, k.tool, append([]string{"-Y", question}, args...)...)
	var out, reason bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(k.sums), &out, &reason
	cmd.Env = append(slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "PETCONFORM_KEY") }), "LC_ALL=C")
	err := cmd.Run()
	if err == nil {
		return strings.TrimSpace(out.String()), nil
	}
	first, _, _ := strings.Cut(strings.TrimSpace(reason.String()), "\n")
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == refused {
		return "", lineOf(no.Is, "%s (%s)", no.Text, first)
	}
	return "", lineOf(Unchecked, "ssh-keygen -Y %s failed: %v: %s", question, err, first)
}
