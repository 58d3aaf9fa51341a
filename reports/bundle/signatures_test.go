package bundle

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"petconform/reports/internal/test/sample"
	"petconform/reports/signoff"
	"petconform/spec/exchange"
	"petconform/spec/verdict"
)

// signing is where records are signed with real keys, Ada's and Noor's, and verified.
type signing struct {
	t                     *testing.T
	files                 Files
	judge                 func(*exchange.Recording) verdict.Results
	keys, folder, allowed string
	release               Release
}

func newSigning(t *testing.T) *signing {
	t.Helper()
	tool, err := exec.LookPath("ssh-keygen")
	if err != nil {
		t.Skip("SKIPPED: ssh-keygen is not there, so no signature was made or checked")
	}
	d := &signing{t: t, keys: t.TempDir()}
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
func (d *signing) verify(allowed, subject string, records ...signed) Verification {
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
		if _, err := signoff.Sign(d.t.Context(), filepath.Join(d.keys, s.key), path); err != nil {
			d.t.Fatal(err)
		}
	}
	return d.again(allowed)
}

func (d *signing) again(allowed string) Verification {
	d.t.Helper()
	all, err := signoff.Load(d.folder)
	if err != nil {
		d.t.Fatal(err)
	}
	return Verify(d.t.Context(), d.files, Options{Judge: d.judge, AllowedSigners: allowed, Records: all, Release: d.release})
}

func TestSignatures(t *testing.T) {
	d := newSigning(t)
	as := func(s signed, change func(*signed)) signed { change(&s); return s }
	disagreed := as(noorApproved, func(s *signed) { s.decision = signoff.Disagree })
	for _, row := range []struct {
		name    string
		records []signed
		// problem is wanted among the problems; without one the bundle holds.
		problem string
		is      Refusal
	}{
		{"prepared and approved", []signed{adaPrepared, noorApproved}, "", ""},
		{"no records", nil, "nobody prepared it", NotSigned},
		{"prepared only", []signed{adaPrepared}, "nobody approved it", NotSigned},
		{"approved only", []signed{noorApproved}, "nobody prepared it", NotSigned},
		{"the approver disagrees", []signed{adaPrepared, disagreed}, "Noor Idris (approved, signed as noor@example.org) disagrees", NotAgreed},
		{"the approver disagrees at first", []signed{adaPrepared, disagreed, noorApproved}, "", ""},
		{"the approver agrees at first", []signed{adaPrepared, noorApproved, disagreed}, "disagrees", NotAgreed},
		{"another one disagrees", []signed{adaPrepared, noorApproved, {"noor", signoff.Prepared, signoff.Disagree, "Noor"}}, "(prepared, signed as noor@example.org) disagrees", NotAgreed},
		{"one key, two names", []signed{adaPrepared, as(noorApproved, func(s *signed) { s.key = "ada" })}, "were both signed by", NotAgreed},
		{"two keys, one name", []signed{adaPrepared, as(noorApproved, func(s *signed) { s.name = "Ada Vance" })}, "both prepared and approved", NotAgreed},
		{"the approval is not signed", []signed{adaPrepared, as(noorApproved, func(s *signed) { s.key = "" })}, "has no signature", NotSigned},
	} {
		t.Run(row.name, func(t *testing.T) {
			v := d.verify(d.allowed, d.files.Subject(), row.records...)
			if !strings.Contains(strings.Join(v.Problems, "\n"), row.problem) || v.OK() != (row.problem == "") || v.SignedOff != v.OK() || len(v.Unchecked) > 0 {
				t.Errorf("signed off is %t, problems %q, unchecked %q; %q is wanted", v.SignedOff, v.Problems, v.Unchecked, row.problem)
			}
			if row.is != "" && !slices.Contains(v.Refused, row.is) {
				t.Errorf("refused as %q; %s is wanted", v.Refused, row.is)
			}
		})
	}
	if v := d.verify("", d.files.Subject(), adaPrepared, noorApproved); v.SignedOff || !v.OK() {
		t.Errorf("without allowed signers: signed off is %t, problems %q, unchecked %q; an intact bundle is wanted that is not signed off", v.SignedOff, v.Problems, v.Unchecked)
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
	d := newSigning(t)
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
	d := newSigning(t)
	d.verify(d.allowed, d.files.Subject(), adaPrepared, noorApproved)
	path := filepath.Join(d.folder, "2-approved-1.json")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, bytes.Replace(data, []byte("Noor"), []byte("Nora"), 1), 0o600); err != nil {
		t.Fatal(err)
	}
	if v := d.again(d.allowed); len(v.Problems) != 2 || !strings.Contains(v.Problems[0], "2-approved-1.json") || !strings.Contains(v.Problems[1], "nobody approved it") {
		t.Errorf("%q", v.Problems)
	}
}

// TestSignersThatCannotBeRead: without a list of signers nothing is signed off.
func TestSignersThatCannotBeRead(t *testing.T) {
	d := newSigning(t)
	for name, says := range map[string]string{"/dev/zero": "regular file", d.keys: "is a folder", filepath.Join(d.keys, "nothing"): "no such file"} {
		v := d.verify(name, d.files.Subject(), adaPrepared, noorApproved)
		if v.SignedOff || v.Code(RequireWaived) != verdict.ExitNoVerdict || !strings.Contains(strings.Join(v.Unchecked, "\n"), says) {
			t.Errorf("%s: signed off is %t, unchecked %q; %q is wanted", name, v.SignedOff, v.Unchecked, says)
		}
	}
}

// build returns the build that the bundle of d names.
func (d *signing) build() string {
	d.t.Helper()
	in, err := d.files.open(Options{Judge: d.judge})
	if err != nil {
		d.t.Fatal(err)
	}
	return in.Results.Target.Build
}
