package signoff

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"petconform/spec/bounded"
)

// Namespace keeps a signature over a sign-off record from being taken for one over anything else (ssh-keygen -n).
const Namespace = "petconform-signoff"

// ErrNoTool means that ssh-keygen, which signs and checks, is not installed.
var ErrNoTool = errors.New("ssh-keygen is not installed")

// Sign signs a file with an SSH key, a private key or a public one whose private key an agent has, and writes the
// signature to file.sig. It returns the public key. ssh-keygen asks for the passphrase of the key on the terminal. The
// error is ErrNoTool if ssh-keygen is not installed.
func Sign(ctx context.Context, key, file string) (PublicKey, error) {
	tool, err := exec.LookPath("ssh-keygen")
	if err != nil {
		return nil, ErrNoTool
	}
	if f, err := bounded.Open(key, bounded.Small); err == nil {
		_ = f.Close()
	} else if !errors.Is(err, os.ErrNotExist) { // ssh-keygen finds the key of a certificate or of an agent by another name
		return nil, fmt.Errorf("the key: %w", err) // ssh-keygen reads a device or a pipe without end
	}
	// A signature that is there already would make ssh-keygen ask whether to overwrite it.
	if err := os.Remove(file + ".sig"); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, tool, "-Y", "sign", "-q", "-f", key, "-n", Namespace, file)
	cmd.Stdin, cmd.Env = os.Stdin, environment()
	var said bytes.Buffer
	cmd.Stderr = &said
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("ssh-keygen could not sign %s with %s: %s", file, key, reason(said.String(), err))
	}
	signature, err := bounded.ReadFile(file+".sig", bounded.Small)
	if err != nil {
		return nil, err
	}
	public, err := KeyOf(signature)
	if err == nil && public.certificate() {
		err = fmt.Errorf("%s is a certificate; sign with the key itself, which a file of allowed signers can list", key)
	}
	return public, err
}

// ErrAltered means that a signature does not hold for a record: one of the two was changed after the record was signed.
var ErrAltered = errors.New("the signature is not valid")

// ErrNotListed means that a signature holds, and the file of allowed signers does not let its key sign.
var ErrNotListed = errors.New("this signature is not by any signer of the list")

// Signer is who made a signature: the name in the file of allowed signers, and the key.
type Signer struct {
	Name string
	Key  PublicKey
}

// Check returns who made the signature over data. signers is the content of a file of allowed signers (ssh-keygen(1),
// ALLOWED SIGNERS). The error wraps ErrAltered if the signature does not hold, ErrNotListed if signers does not allow
// its key, and is ErrNoTool if ssh-keygen is not installed.
func Check(ctx context.Context, data, signature, signers []byte) (Signer, error) {
	key, err := KeyOf(signature)
	if err != nil {
		return Signer{}, fmt.Errorf("%w: %w", ErrAltered, err)
	}
	tool, err := exec.LookPath("ssh-keygen")
	if err != nil {
		return Signer{}, ErrNoTool
	}
	dir, err := os.MkdirTemp("", "petconform-signature-")
	if err != nil {
		return Signer{}, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	sig, allowed := filepath.Join(dir, "signature"), filepath.Join(dir, "signers")
	if err := errors.Join(os.WriteFile(sig, signature, 0o600), os.WriteFile(allowed, signers, 0o600)); err != nil {
		return Signer{}, err
	}
	run := func(why error, args ...string) (string, error) {
		cmd := exec.CommandContext(ctx, tool, append(args, "-s", sig)...)
		var out, said bytes.Buffer
		cmd.Stdin, cmd.Stdout, cmd.Stderr, cmd.Env = bytes.NewReader(data), &out, &said, environment()
		if err := cmd.Run(); ctx.Err() != nil {
			return "", ctx.Err()
		} else if err != nil {
			said := strings.ReplaceAll(reason(said.String(), err), allowed+":", "line ")
			return "", fmt.Errorf("%w: its key is %s: %s", why, key.Fingerprint(), said)
		}
		first, _, _ := strings.Cut(strings.TrimSpace(out.String()), "\n")
		return first, nil
	}
	if _, err := run(ErrAltered, "-Y", "check-novalidate", "-n", Namespace); err != nil {
		return Signer{}, err
	}
	if key.certificate() || !key.listed(signers) {
		return Signer{}, fmt.Errorf("%w: its key is %s", ErrNotListed, key.Fingerprint())
	}
	name, err := run(ErrNotListed, "-Y", "find-principals", "-f", allowed)
	if err != nil {
		return Signer{}, err
	}
	_, err = run(ErrNotListed, "-Y", "verify", "-f", allowed, "-I", name, "-n", Namespace)
	return Signer{name, key}, err
}

// reason returns what a tool wrote before it failed, or else its error.
func reason(output string, err error) string {
	if output = strings.TrimSpace(output); output != "" {
		return output
	}
	return err.Error()
}
