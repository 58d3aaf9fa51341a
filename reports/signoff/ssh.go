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
)

// Namespace keeps a signature over a sign-off record from being taken for one over anything else (ssh-keygen -n).
const Namespace = "petconform-signoff"

// ErrNoTool means that ssh-keygen, which signs and checks, is not installed.
var ErrNoTool = errors.New("ssh-keygen is not installed")

// Sign signs a file with an SSH key, a private key or a public one whose private key an agent has, and writes the signature to
// file.sig. ssh-keygen asks for the passphrase of the key on the terminal. The error is ErrNoTool if ssh-keygen is not installed.
func Sign(ctx context.Context, key, file string) error {
	tool, err := exec.LookPath("ssh-keygen")
	if err != nil {
		return ErrNoTool
	}
	// A signature that is there already would make ssh-keygen ask whether to overwrite it.
	if err := os.Remove(file + ".sig"); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	cmd := exec.CommandContext(ctx, tool, "-Y", "sign", "-q", "-f", key, "-n", Namespace, file)
	cmd.Stdin, cmd.Env = os.Stdin, environment()
	var said bytes.Buffer
	cmd.Stderr = &said
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("ssh-keygen could not sign %s with %s: %s", file, key, reason(said.String(), err))
	}
	return nil
}

// Check returns the principal in a file of allowed signers (ssh-keygen(1), ALLOWED SIGNERS) who made the signature over data. It
// returns an error if none of them did, or if the signature is not valid, and ErrNoTool if ssh-keygen is not installed.
func Check(ctx context.Context, data, signature []byte, allowed string) (principal string, err error) {
	tool, err := exec.LookPath("ssh-keygen")
	if err != nil {
		return "", ErrNoTool
	}
	dir, err := os.MkdirTemp("", "petconform-signature-")
	if err != nil {
		return "", err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	sig := filepath.Join(dir, "signature")
	if err := os.WriteFile(sig, signature, 0o600); err != nil {
		return "", err
	}
	var out, said bytes.Buffer
	find := exec.CommandContext(ctx, tool, "-Y", "find-principals", "-s", sig, "-f", allowed)
	find.Stdout, find.Stderr, find.Env = &out, &said, environment()
	if err := find.Run(); err != nil {
		return "", fmt.Errorf("this signature is not by any signer of %s: %s", allowed, reason(said.String(), err))
	}
	principal, _, _ = strings.Cut(strings.TrimSpace(out.String()), "\n")
	verify := exec.CommandContext(ctx, tool, "-Y", "verify", "-f", allowed, "-I", principal, "-n", Namespace, "-s", sig)
	verify.Stdin, verify.Env = bytes.NewReader(data), environment()
	said.Reset()
	verify.Stderr = &said
	if err := verify.Run(); err != nil {
		return "", fmt.Errorf("the signature of %s is not valid: %s", principal, reason(said.String(), err))
	}
	return principal, nil
}

// reason returns what a tool wrote before it failed, or else its error.
func reason(output string, err error) string {
	if output = strings.TrimSpace(output); output != "" {
		return output
	}
	return err.Error()
}
