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
	"time"

	"petconform/reports/internal/test/sample"
	"petconform/reports/signoff"
)

// desk is where records are signed with real keys, Ada's and Noor's, and verified.
type desk struct {
	t                     *testing.T
	files                 Files
	judge                 Judge
	keys, folder, allowed string
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	tool, err := exec.LookPath("ssh-keygen")
	if err != nil {
		t.Skip("SKIPPED: ssh-keygen is not there, so no signature was made or checked")
	}
	d := &desk{t: t, keys: t.TempDir()}
	d.files, d.judge = filed(t)
	var allowed strings.Builder
	for _, who := range []string{"ada", "noor"} {
		key := filepath.Join(d.keys, who)
		if out, err := exec.CommandContext(t.Context(), tool, "-q", "-t", "ed25519", "-N", "", "-f", key).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		public, err := os.ReadFile(key + ".pub")
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&allowed, "%s@example.org %s", who, public)
	}
	d.allowed = filepath.Join(d.keys, "allowed")
	if err := os.WriteFile(d.allowed, []byte(allowed.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return d
}

// signed is a record to be made: whose key signs it, for which step, what it decides, under which name.
type signed struct {
	key      string
	step     signoff.Step
	decision signoff.Decision
	name     string
}

var (
	adaPrepared  = signed{"ada", signoff.Prepared, signoff.Agree, "Ada Vance"}
	noorApproved = signed{"noor", signoff.Approved, signoff.Agree, "Noor Idris"}
)

// verify makes the records anew, each a second after the one before, and verifies the bundle with them.
func (d *desk) verify(allowed, subject string, records ...signed) Verification {
	d.t.Helper()
	d.folder = d.t.TempDir()
	for i, s := range records {
		r, err := signoff.New(s.step, s.decision, s.name, "release manager", subject, sample.Start.Add(time.Duration(i)*time.Second))
		if err != nil {
			d.t.Fatal(err)
		}
		path, err := signoff.Save(d.folder, r)
		if err != nil {
			d.t.Fatal(err)
		}
		if s.key == "" {
			continue
		}
		if err := signoff.Sign(d.t.Context(), filepath.Join(d.keys, s.key), path); err != nil {
			d.t.Fatal(err)
		}
	}
	return d.again(allowed)
}

func (d *desk) again(allowed string) Verification {
	d.t.Helper()
	all, err := signoff.Load(d.folder)
	if err != nil {
		d.t.Fatal(err)
	}
	return Verify(d.t.Context(), d.files, Options{Judge: d.judge, AllowedSigners: allowed, Records: all})
}

func TestSignatures(t *testing.T) {
	d := newDesk(t)
	as := func(s signed, change func(*signed)) signed { change(&s); return s }
	disagreed := as(noorApproved, func(s *signed) { s.decision = signoff.Disagree })
	for _, row := range []struct {
		name    string
		records []signed
		// problem is wanted among the problems, unchecked among what was not checked; neither means that the bundle holds.
		problem, unchecked string
	}{
		{"prepared and approved", []signed{adaPrepared, noorApproved}, "", ""},
		{"no records", nil, "nobody prepared it", ""},
		{"prepared only", []signed{adaPrepared}, "nobody approved it", ""},
		{"approved only", []signed{noorApproved}, "nobody prepared it", ""},
		{"the approver disagrees", []signed{adaPrepared, disagreed}, "Noor Idris (approved, signed as noor@example.org) disagrees", ""},
		{"the approver disagrees at first", []signed{adaPrepared, disagreed, noorApproved}, "", ""},
		{"the approver agrees at first", []signed{adaPrepared, noorApproved, disagreed}, "disagrees", ""},
		{"a reviewer disagrees", []signed{adaPrepared, noorApproved, {"noor", signoff.Reviewed, signoff.Disagree, "Noor Idris"}}, "(reviewed, signed as noor@example.org) disagrees", ""},
		{"one key, two names", []signed{adaPrepared, as(noorApproved, func(s *signed) { s.key = "ada" })}, "were both signed by", ""},
		{"two keys, one name", []signed{adaPrepared, as(noorApproved, func(s *signed) { s.name = "Ada Vance" })}, "both prepared and approved", ""},
		{"the approval is not signed", []signed{adaPrepared, as(noorApproved, func(s *signed) { s.key = "" })}, "nobody approved it", "has no signature"},
	} {
		t.Run(row.name, func(t *testing.T) {
			v := d.verify(d.allowed, d.files.Subject(), row.records...)
			problems, unchecked := strings.Join(v.Problems, "\n"), strings.Join(v.Unchecked, "\n")
			if !strings.Contains(problems, row.problem) || !strings.Contains(unchecked, row.unchecked) || v.OK() != (row.problem == "") {
				t.Errorf("problems %q, unchecked %q; wanted are %q and %q", v.Problems, v.Unchecked, row.problem, row.unchecked)
			}
		})
	}
	if v := d.verify("", d.files.Subject(), adaPrepared, noorApproved); v.OK() || len(v.Unchecked) != 2 || len(v.Problems) > 0 {
		t.Errorf("without allowed signers: problems %q, unchecked %q; both signatures are wanted", v.Problems, v.Unchecked)
	}
	strangers := filepath.Join(t.TempDir(), "strangers")
	if err := os.WriteFile(strangers, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if v := d.verify(strangers, d.files.Subject(), adaPrepared, noorApproved); len(v.Problems) != 4 {
		t.Errorf("signed by nobody who may: %q; two signatures and two missing steps are wanted", v.Problems)
	}
	if v := d.verify(d.allowed, strings.Repeat("0", 64), adaPrepared, noorApproved); !strings.Contains(strings.Join(v.Problems, "\n"), "about another bundle") {
		t.Errorf("%q; records of another bundle are wanted", v.Problems)
	}
}

// TestOneKeyUnderTwoNames: a file of allowed signers that lists one key for two people does not make it two people.
func TestOneKeyUnderTwoNames(t *testing.T) {
	d := newDesk(t)
	public, err := os.ReadFile(filepath.Join(d.keys, "ada.pub"))
	if err != nil {
		t.Fatal(err)
	}
	twice := filepath.Join(d.keys, "twice")
	if err := os.WriteFile(twice, fmt.Appendf(nil, "ada@example.org %snoor@example.org %s", public, public), 0o600); err != nil {
		t.Fatal(err)
	}
	v := d.verify(twice, d.files.Subject(), adaPrepared, signed{"ada", signoff.Approved, signoff.Agree, "Noor Idris"})
	if !strings.Contains(strings.Join(v.Problems, "\n"), "were both signed by") {
		t.Errorf("held %q, problems %q", v.Held, v.Problems)
	}
}

// TestChangedRecord: a record that is changed after it was signed is found.
func TestChangedRecord(t *testing.T) {
	d := newDesk(t)
	d.verify(d.allowed, d.files.Subject(), adaPrepared, noorApproved)
	path := filepath.Join(d.folder, "3-approved-1.json")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, bytes.Replace(data, []byte("Noor"), []byte("Nora"), 1), 0o600); err != nil {
		t.Fatal(err)
	}
	if v := d.again(d.allowed); len(v.Problems) != 2 || !strings.Contains(v.Problems[0], "3-approved-1.json") || !strings.Contains(v.Problems[1], "nobody approved it") {
		t.Errorf("%q", v.Problems)
	}
}

// TestCosignSignatures: a record that was signed with cosign is told by its key, without cosign; a changed one is found.
func TestCosignSignatures(t *testing.T) {
	files, judge := filed(t)
	folder := t.TempDir()
	record := func(step signoff.Step, name string) string {
		r, err := signoff.New(step, signoff.Agree, name, "release manager", files.Subject(), sample.Start)
		if err != nil {
			t.Fatal(err)
		}
		path, err := signoff.Save(folder, r)
		if err != nil {
			t.Fatal(err)
		}
		return path
	}
	prepared, path := record(signoff.Prepared, "Ada Vance"), record(signoff.Approved, "Noor Idris")
	ada, public := standInForCosign(t, prepared, "ada.pub"), standInForCosign(t, path, "noor.pub")
	verify := func(keys ...string) Verification {
		records, err := signoff.Load(folder)
		if err != nil {
			t.Fatal(err)
		}
		return Verify(t.Context(), files, Options{Judge: judge, Records: records, PublicKeys: keys})
	}
	if v := verify(ada, public); !v.OK() || !strings.Contains(strings.Join(v.Held, "\n"), "approved by Noor Idris, release manager, agree, signed with the key of noor.pub") {
		t.Errorf("held %q, problems %q, unchecked %q", v.Held, v.Problems, v.Unchecked)
	}
	if v := verify(); v.OK() || len(v.Unchecked) != 2 || len(v.Problems) > 0 {
		t.Errorf("without a public key: problems %q, unchecked %q", v.Problems, v.Unchecked)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, bytes.Replace(data, []byte("Noor"), []byte("Nora"), 1), 0o600); err != nil {
		t.Fatal(err)
	}
	if v := verify(ada, public); len(v.Problems) != 2 || !strings.Contains(v.Problems[0], "3-approved-1.json") {
		t.Errorf("%q; the changed record is wanted", v.Problems)
	}
}

// standInForCosign signs a file as cosign does, with a key of its own, and gives the file of the public key.
func standInForCosign(t *testing.T, file, name string) string {
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
	public := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(public, pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der}), 0o600); err != nil {
		t.Fatal(err)
	}
	return public
}
