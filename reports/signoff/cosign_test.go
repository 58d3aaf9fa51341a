package signoff

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestCosignsOwnSignature checks what cosign 3.1.3 has signed with a key that was made for it and thrown away.
func TestCosignsOwnSignature(t *testing.T) {
	data, err := os.ReadFile("testdata/record.json")
	if err != nil {
		t.Fatal(err)
	}
	signature, err := os.ReadFile("testdata/record.json" + CosignSuffix)
	if err != nil {
		t.Fatal(err)
	}
	other := standIn(t).public
	if key, err := CheckCosign(data, signature, []string{other, "testdata/cosign.pub"}); err != nil || key != "testdata/cosign.pub" {
		t.Errorf("signed with %q, %v; cosign.pub is wanted", key, err)
	}
	if key, err := CheckCosign(data, signature, []string{other}); err == nil {
		t.Errorf("the signature was taken for one of %s", key)
	}
	for i := range data {
		changed := bytes.Clone(data)
		changed[i] ^= 1
		if _, err := CheckCosign(changed, signature, []string{"testdata/cosign.pub"}); err == nil {
			t.Fatalf("byte %d was changed, and the signature holds", i)
		}
	}
}

// stand is a key that stands in for one of cosign's.
type stand struct {
	signer crypto.Signer
	public string
}

func standIn(t *testing.T) stand {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return stand{key, publicFile(t, key)}
}

func publicFile(t *testing.T, key crypto.Signer) string {
	t.Helper()
	der, err := x509.MarshalPKIXPublicKey(key.Public())
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "key.pub")
	if err := os.WriteFile(name, pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der}), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// sign writes what cosign sign-blob would.
func (s stand) sign(t *testing.T, hash crypto.Hash, data []byte) []byte {
	t.Helper()
	h := hash.New()
	h.Write(data)
	sum := h.Sum(nil)
	signature, err := s.signer.Sign(rand.Reader, sum, hash)
	if err != nil {
		t.Fatal(err)
	}
	algorithm := map[crypto.Hash]string{crypto.SHA256: "SHA2_256", crypto.SHA384: "SHA2_384", crypto.SHA512: "SHA2_512"}[hash]
	bundle, err := json.Marshal(map[string]any{"messageSignature": map[string]any{
		"messageDigest": map[string]any{"algorithm": algorithm, "digest": sum}, "signature": signature}})
	if err != nil {
		t.Fatal(err)
	}
	return bundle
}

// TestKeys: every kind of key that cosign signs files with, and none else.
func TestKeys(t *testing.T) {
	data := []byte(`{"step":"approved"}`)
	wide, err := ecdsa.GenerateKey(elliptic.P384(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	old, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		name string
		by   stand
		hash crypto.Hash
	}{{"P-256", standIn(t), crypto.SHA256}, {"P-384", stand{wide, publicFile(t, wide)}, crypto.SHA384}, {"RSA", stand{old, publicFile(t, old)}, crypto.SHA256}} {
		bundle := row.by.sign(t, row.hash, data)
		if _, err := CheckCosign(data, bundle, []string{row.by.public}); err != nil {
			t.Errorf("%s: %v", row.name, err)
		}
		if _, err := CheckCosign(append(data, ' '), bundle, []string{row.by.public}); err == nil {
			t.Errorf("%s: a changed record was taken for the signed one", row.name)
		}
	}
}

// TestCheckCosignRefuses what is no signature over a file, or no key, with words that say what is wanted.
func TestCheckCosignRefuses(t *testing.T) {
	by, data := standIn(t), []byte("record")
	bad := filepath.Join(t.TempDir(), "bad.pub")
	if err := os.WriteFile(bad, []byte("ssh-ed25519 AAAA"), 0o600); err != nil {
		t.Fatal(err)
	}
	good := by.sign(t, crypto.SHA256, data)
	for _, row := range []struct {
		name, bundle, key, want string
	}{
		{"no JSON", "MEUCIQ==", by.public, "not a Sigstore bundle"},
		{"an attestation", `{"dsseEnvelope":{}}`, by.public, "cosign sign-blob"},
		{"a weak digest", strings.Replace(string(good), "SHA2_256", "SHA1", 1), by.public, `"SHA1"`},
		{"another digest", strings.Replace(string(good), "SHA2_256", "SHA2_512", 1), by.public, "is not valid"},
		{"an SSH key", string(good), bad, "a public key in PEM"},
		{"no such key", string(good), bad + "x", "no such file"},
	} {
		if _, err := CheckCosign(data, []byte(row.bundle), []string{row.key}); err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s: %v; %q is wanted in it", row.name, err, row.want)
		}
	}
}

// TestWithoutCosign says what to do.
func TestWithoutCosign(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	if err := SignWithCosign(t.Context(), "cosign.key", "record.json"); !errors.Is(err, ErrNoCosign) {
		t.Errorf("%v; ErrNoCosign is wanted", err)
	}
}

// TestFolderKeepsSignaturesApart: a signature in JSON is no record.
func TestFolderKeepsSignaturesApart(t *testing.T) {
	folder := t.TempDir()
	for from, to := range map[string]string{"record.json": "1-prepared-1.json", "record.json" + CosignSuffix: "1-prepared-1.json" + CosignSuffix} {
		data, err := os.ReadFile(filepath.Join("testdata", from))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, to), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	all, err := Load(folder)
	if err != nil || len(all) != 1 || all[0].Cosign == nil || all[0].Signature != nil || all[0].Step != Prepared {
		t.Errorf("%d records, %v: %+v", len(all), err, all)
	}
}

// TestCosignItself signs a record by cosign, has it checked here and by cosign, and changes it.
func TestCosignItself(t *testing.T) {
	tool, err := exec.LookPath("cosign")
	if err != nil {
		t.Skip("SKIPPED: cosign is not there, so nothing was signed with it; its signature of testdata was checked all the same")
	}
	dir := t.TempDir()
	t.Setenv("HOME", dir)
	t.Setenv("COSIGN_PASSWORD", "not a secret")
	cosign := func(args ...string) error {
		cmd := exec.CommandContext(t.Context(), tool, args...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		t.Logf("cosign %s\n%s", strings.Join(args, " "), out)
		return err
	}
	if err := cosign("generate-key-pair"); err != nil {
		t.Fatal(err)
	}
	record := filepath.Join(dir, "record.json")
	data := []byte(`{"step":"approved"}`)
	if err := os.WriteFile(record, data, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := SignWithCosign(t.Context(), filepath.Join(dir, "cosign.key"), record); err != nil {
		t.Fatal(err)
	}
	signature, err := os.ReadFile(record + CosignSuffix)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := CheckCosign(data, signature, []string{filepath.Join(dir, "cosign.pub")}); err != nil {
		t.Error(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "no-roots.json"), []byte(offline["trusted-root"]), 0o600); err != nil {
		t.Fatal(err)
	}
	verify := []string{"verify-blob", "--key", "cosign.pub", "--trusted-root", "no-roots.json", "--insecure-ignore-tlog", "--bundle", "record.json" + CosignSuffix}
	if err := cosign(append(slices.Clone(verify), "record.json")...); err != nil {
		t.Error("cosign does not take its own signature for one")
	}
	if err := os.WriteFile(record, append(data, '\n'), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := cosign(append(slices.Clone(verify), "record.json")...); err == nil {
		t.Error("cosign takes its signature for one of a changed record")
	}
	if err := SignWithCosign(t.Context(), filepath.Join(dir, "no.key"), record); err == nil || !strings.Contains(err.Error(), "no.key") {
		t.Errorf("%v; an error that names the key is wanted", err)
	}
}
