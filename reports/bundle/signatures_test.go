package bundle

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"petconform/reports/internal/sample"
	"petconform/reports/signoff"
)

// desk is where records are signed with a real key and verified.
type desk struct {
	t                    *testing.T
	files                Files
	judge                Judge
	key, folder, allowed string
}

func newDesk(t *testing.T) desk {
	t.Helper()
	tool, err := exec.LookPath("ssh-keygen")
	if err != nil {
		t.Skip("SKIPPED: ssh-keygen is not there, so no signature was made or checked")
	}
	dir := t.TempDir()
	d := desk{t: t, key: filepath.Join(dir, "key"), folder: filepath.Join(dir, "records"), allowed: filepath.Join(dir, "allowed")}
	d.files, d.judge = filed(t)
	if out, err := exec.CommandContext(t.Context(), tool, "-q", "-t", "ed25519", "-N", "", "-f", d.key).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	public, err := os.ReadFile(d.key + ".pub")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(d.allowed, []byte("ada@example.org "+string(public)), 0o600); err != nil {
		t.Fatal(err)
	}
	return d
}

func (d desk) sign(step signoff.Step, name, subject string) {
	d.t.Helper()
	r, err := signoff.New(step, signoff.Agree, name, "release manager", subject, sample.Start)
	if err != nil {
		d.t.Fatal(err)
	}
	path, err := signoff.Save(d.folder, r)
	if err != nil {
		d.t.Fatal(err)
	}
	if err := signoff.Sign(d.t.Context(), d.key, path); err != nil {
		d.t.Fatal(err)
	}
}

func (d desk) verify(allowed string) Verification {
	d.t.Helper()
	records, err := signoff.Load(d.folder)
	if err != nil {
		d.t.Fatal(err)
	}
	return Verify(d.t.Context(), d.files, Options{Judge: d.judge, AllowedSigners: allowed, Records: records})
}

func TestSignatures(t *testing.T) {
	d := newDesk(t)
	d.sign(signoff.Prepared, "Ada Vance", d.files.Subject())
	d.sign(signoff.Approved, "Noor Idris", d.files.Subject())
	if v := d.verify(d.allowed); !v.OK() || len(v.Held) != 5 {
		t.Errorf("held %q, problems %q, unchecked %q", v.Held, v.Problems, v.Unchecked)
	}
	if v := d.verify(""); v.OK() || len(v.Unchecked) != 2 {
		t.Errorf("without allowed signers: unchecked %q; both signatures are wanted", v.Unchecked)
	}
	strangers := filepath.Join(t.TempDir(), "strangers")
	if err := os.WriteFile(strangers, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if v := d.verify(strangers); len(v.Problems) != 2 {
		t.Errorf("signed by nobody who may: %q", v.Problems)
	}
	d.sign(signoff.Reviewed, "Ada Vance", strings.Repeat("0", 64))
	d.sign(signoff.Approved, "Ada Vance", d.files.Subject())
	if v := d.verify(d.allowed); len(v.Problems) != 2 {
		t.Errorf("%q; a record of another bundle and one person for two steps are wanted", v.Problems)
	}
}

// TestChangedRecord: a record that is changed after it was signed is found.
func TestChangedRecord(t *testing.T) {
	d := newDesk(t)
	d.sign(signoff.Approved, "Noor Idris", d.files.Subject())
	path := filepath.Join(d.folder, "3-approved-1.json")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, bytes.Replace(data, []byte("Noor"), []byte("Nora"), 1), 0o600); err != nil {
		t.Fatal(err)
	}
	if v := d.verify(d.allowed); len(v.Problems) != 1 || !strings.Contains(v.Problems[0], "3-approved-1.json") {
		t.Errorf("%q", v.Problems)
	}
}

// TestCosignSignatures: a record that was signed with cosign is told by its key, without cosign; a changed one is found.
func TestCosignSignatures(t *testing.T) {
	files, judge := filed(t)
	r, err := signoff.New(signoff.Approved, signoff.Agree, "Noor Idris", "release manager", files.Subject(), sample.Start)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	path, err := signoff.Save(folder, r)
	if err != nil {
		t.Fatal(err)
	}
	public := standInForCosign(t, path)
	verify := func(keys ...string) Verification {
		records, err := signoff.Load(folder)
		if err != nil {
			t.Fatal(err)
		}
		return Verify(t.Context(), files, Options{Judge: judge, Records: records, PublicKeys: keys})
	}
	if v := verify(public); !v.OK() || !strings.Contains(strings.Join(v.Held, "\n"), "approved by Noor Idris, release manager, agree, signed with the key of noor.pub") {
		t.Errorf("held %q, problems %q, unchecked %q", v.Held, v.Problems, v.Unchecked)
	}
	if v := verify(); v.OK() || len(v.Unchecked) != 1 || len(v.Problems) > 0 {
		t.Errorf("without a public key: problems %q, unchecked %q", v.Problems, v.Unchecked)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, bytes.Replace(data, []byte("Noor"), []byte("Nora"), 1), 0o600); err != nil {
		t.Fatal(err)
	}
	if v := verify(public); len(v.Problems) != 1 || !strings.Contains(v.Problems[0], "3-approved-1.json") {
		t.Errorf("%q; the changed record is wanted", v.Problems)
	}
}

// standInForCosign signs a file as cosign does, with a key of its own, and gives the file of the public key.
func standInForCosign(t *testing.T, file string) string {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(data)
	signature, err := key.Sign(rand.Reader, sum[:], crypto.SHA256)
	if err != nil {
		t.Fatal(err)
	}
	made := fmt.Sprintf(`{"messageSignature":{"messageDigest":{"algorithm":"SHA2_256"},"signature":%q}}`, base64.StdEncoding.EncodeToString(signature))
	if err := os.WriteFile(file+signoff.CosignSuffix, []byte(made), 0o600); err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKIXPublicKey(key.Public())
	if err != nil {
		t.Fatal(err)
	}
	public := filepath.Join(t.TempDir(), "noor.pub")
	if err := os.WriteFile(public, pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der}), 0o600); err != nil {
		t.Fatal(err)
	}
	return public
}
