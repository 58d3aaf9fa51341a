package signoff

import (
	"bytes"
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/rsa"
	_ "crypto/sha256" // the digests that cosign signs
	_ "crypto/sha512"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// CosignSuffix follows a record's name in the name of its signature by cosign.
const CosignSuffix = ".sigstore.json"

// ErrNoCosign means that cosign is not installed. It is needed to sign, and not to check.
var ErrNoCosign = errors.New("cosign is not installed; install it, or sign with an SSH key")

// offline configures cosign without any service, so that nothing of a sign-off goes into a public log.
var offline = map[string]string{
	"signing-config": `{"mediaType":"application/vnd.dev.sigstore.signingconfig.v0.2+json","rekorTlogConfig":{},"tsaConfig":{}}`,
	"trusted-root":   `{"mediaType":"application/vnd.dev.sigstore.trustedroot+json;version=0.1"}`,
}

// SignWithCosign signs a file with a key of cosign, a file or the address of a KMS, and writes the signature to
// file.sigstore.json. The password of the key comes from COSIGN_PASSWORD, or cosign asks for it on the terminal. The error is
// ErrNoCosign if cosign is not installed.
func SignWithCosign(ctx context.Context, key, file string) error {
	tool, err := exec.LookPath("cosign")
	if err != nil {
		return ErrNoCosign
	}
	dir, err := os.MkdirTemp("", "petconform-cosign-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	args := []string{"sign-blob", "--yes", "--key", key, "--bundle", file + CosignSuffix}
	for _, flag := range []string{"signing-config", "trusted-root"} {
		name := filepath.Join(dir, flag+".json")
		if err := os.WriteFile(name, []byte(offline[flag]), 0o600); err != nil {
			return err
		}
		args = append(args, "--"+flag, name)
	}
	cmd := exec.CommandContext(ctx, tool, append(args, file)...)
	cmd.Stdin, cmd.Env = os.Stdin, environment()
	var said bytes.Buffer
	cmd.Stderr = &said
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("cosign could not sign %s with %s (petconform needs cosign 2.6 or later): %s", file, key, reason(said.String(), err))
	}
	return nil
}

// sigstore is the part of a Sigstore bundle that is read: the signature. cosign verify-blob also checks a certificate and a log
// entry.
type sigstore struct {
	Message *struct {
		Digest struct {
			Algorithm string `json:"algorithm"`
		} `json:"messageDigest"`
		Signature []byte `json:"signature"`
	} `json:"messageSignature"`
}

var digests = map[string]crypto.Hash{"SHA2_256": crypto.SHA256, "SHA2_384": crypto.SHA384, "SHA2_512": crypto.SHA512}

// CheckCosign returns the name of the file, of those in keys, whose public key in PEM made the signature over data. It needs no
// cosign. It returns an error if none of the keys did, or if a file is not an ECDSA or RSA public key.
func CheckCosign(data, signature []byte, keys []string) (key string, err error) {
	var b sigstore
	if err := json.Unmarshal(signature, &b); err != nil {
		return "", fmt.Errorf("not a Sigstore bundle: %w", err)
	}
	if b.Message == nil {
		return "", errors.New("the Sigstore bundle has no signature of a file; use one made by cosign sign-blob")
	}
	hash, known := digests[b.Message.Digest.Algorithm]
	if !known {
		return "", fmt.Errorf("the digest %q of the Sigstore bundle is not SHA2_256, SHA2_384 or SHA2_512", b.Message.Digest.Algorithm)
	}
	h := hash.New()
	h.Write(data)
	for _, name := range keys {
		public, err := readPublicKey(name)
		if err != nil {
			return "", err
		}
		if signed(public, hash, h.Sum(nil), b.Message.Signature) {
			return name, nil
		}
	}
	return "", fmt.Errorf("the signature is not valid, or was made with a key that was not given")
}

func readPublicKey(name string) (any, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	block, _ := pem.Decode(data)
	if block == nil || block.Type != "PUBLIC KEY" {
		return nil, fmt.Errorf("%s is not a public key in PEM, as cosign generate-key-pair writes it", name)
	}
	public, err := x509.ParsePKIXPublicKey(block.Bytes)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	switch public.(type) {
	case *ecdsa.PublicKey, *rsa.PublicKey:
		return public, nil
	}
	return nil, fmt.Errorf("%s is a %T; use an ECDSA or RSA key", name, public)
}

func signed(public any, hash crypto.Hash, digest, signature []byte) bool {
	switch k := public.(type) {
	case *ecdsa.PublicKey:
		return ecdsa.VerifyASN1(k, digest, signature)
	case *rsa.PublicKey:
		return rsa.VerifyPKCS1v15(k, hash, digest, signature) == nil
	}
	return false
}
