package bundle

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"petconform/reports"
	"petconform/reports/internal/test/sample"
	"petconform/reports/signoff"
	"petconform/spec/verdict"
)

// attack changes a signed bundle, or what lies beside it.
type attack struct {
	name string
	// files changes the bundle; refitted says that SHA256SUMS is then made to fit.
	files    func(t *testing.T, f Files)
	refitted bool
	// beside changes the records, or gives another file of allowed signers.
	beside func(t *testing.T, d *signing)
	// says is a part of one of the problems, and is their kind: Altered if it is not given.
	says string
	is   Refusal
}

// attacks are the ways that were tried to fool verify. Each of them is refused.
func attacks(files Files) []attack {
	var all []attack
	both := func(name string, change func(*testing.T, Files), says string) {
		all = append(all, attack{name: name, files: change, says: says})
		if !slices.ContainsFunc([]string{reports.JUnitFile, reports.SummaryFile, "previous/"}, func(part string) bool { return strings.Contains(name, part) }) {
			all = append(all, attack{name: name + ", digests refitted", files: change, refitted: true, says: "about another bundle"})
		}
	}
	for _, name := range files.names() {
		if name == SumsFile {
			continue
		}
		both("edited: "+name, func(_ *testing.T, f Files) { f[name] = append(bytes.Clone(f[name]), ' ') }, name+" was changed")
		both("removed: "+name, func(_ *testing.T, f Files) { delete(f, name) }, name+" is listed")
	}
	for _, name := range []string{reports.LoadRecordingFile} {
		both("added: "+name, func(_ *testing.T, f Files) { f[name] = []byte("[]") }, name+" is in the bundle but not listed")
	}
	for _, pair := range [][2]string{{reports.ResultsFile, PreviousResults}, {reports.RecordingFile, PreviousRecording}, {reports.ReportFile, reports.SummaryFile}} {
		both("swapped: "+pair[0]+" and "+pair[1], func(_ *testing.T, f Files) { f[pair[0]], f[pair[1]] = f[pair[1]], f[pair[0]] }, pair[0]+" was changed")
	}
	for name, change := range map[string]func(*verdict.Results){
		"results that say conforms":    func(r *verdict.Results) { r.Verdict, r.Reasons = verdict.Conforms, nil },
		"results without a failure":    passedThroughout,
		"results of another target":    func(r *verdict.Results) { r.Target.URL = "https://api.pets.example/v1" },
		"results without a check":      func(r *verdict.Results) { r.Checks = r.Checks[1:] },
		"results with fewer requests":  func(r *verdict.Results) { r.Requests-- },
		"results that waive by itself": func(r *verdict.Results) { r.Requirements[0].Verdict = verdict.Waived },
	} {
		all = append(all, attack{name: name, refitted: true, says: "judged again", files: func(t *testing.T, f Files) {
			forged := changed(t, f, change)
			f[reports.ResultsFile] = forged[reports.ResultsFile]
		}})
	}
	slices.SortStableFunc(all, func(a, b attack) int { return strings.Compare(a.name, b.name) })
	return append(all, besideAttacks()...)
}

func passedThroughout(r *verdict.Results) {
	r.Verdict, r.Reasons = verdict.Conforms, nil
	for i := range r.Checks {
		r.Checks[i].Verdict, r.Checks[i].Findings = verdict.Passed, nil
	}
	for i := range r.Requirements {
		r.Requirements[i].Verdict = verdict.Passed
	}
}

// besideAttacks change the records and the signers.
func besideAttacks() []attack {
	const prepared, approved = "1-prepared-1.json", "2-approved-1.json"
	move := func(t *testing.T, d *signing, from, to string) {
		t.Helper()
		if err := os.Rename(filepath.Join(d.folder, from), filepath.Join(d.folder, to)); err != nil {
			t.Fatal(err)
		}
	}
	edit := func(t *testing.T, d *signing, name, old, now string) {
		t.Helper()
		path := filepath.Join(d.folder, name)
		data, err := os.ReadFile(path)
		if err != nil || !bytes.Contains(data, []byte(old)) {
			t.Fatalf("%s has no %q (%v)", name, old, err)
		}
		if err := os.WriteFile(path, bytes.Replace(data, []byte(old), []byte(now), 1), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	one := func(_ *testing.T, d *signing) {
		d.verify(d.allowed, d.files.Subject(), adaPrepared, signed{"ada", signoff.Approved, signoff.Agree, "Noor Idris"})
	}
	bind := func(r Release) func(*testing.T, *signing) { return func(_ *testing.T, d *signing) { d.release = r } }
	return []attack{
		{name: "a record edited", says: "is not valid", beside: func(t *testing.T, d *signing) { edit(t, d, approved, "Noor", "Nora") }},
		{name: "a disagreement edited into agreement", says: "is not valid", beside: func(t *testing.T, d *signing) {
			d.verify(d.allowed, d.files.Subject(), adaPrepared, signed{"noor", signoff.Approved, signoff.Disagree, "Noor Idris"})
			edit(t, d, approved, `"disagree"`, `"agree"`)
		}},
		{name: "records removed", says: "nobody approved it", is: NotSigned, beside: func(t *testing.T, d *signing) { move(t, d, approved, "gone") }},
		{name: "a signature removed", says: "nobody approved it", is: NotSigned, beside: func(t *testing.T, d *signing) { move(t, d, approved+".sig", "gone") }},
		{name: "signatures swapped", says: "is not valid", beside: func(t *testing.T, d *signing) {
			move(t, d, approved+".sig", "a")
			move(t, d, prepared+".sig", approved+".sig")
			move(t, d, "a", prepared+".sig")
		}},
		{name: "a signature replayed from another record", says: "is not valid", beside: func(t *testing.T, d *signing) {
			own := d.folder
			d.verify(d.allowed, strings.Repeat("0", 64), adaPrepared, noorApproved)
			data, err := os.ReadFile(filepath.Join(d.folder, approved+".sig"))
			if d.folder = own; err != nil || os.WriteFile(filepath.Join(own, approved+".sig"), data, 0o600) != nil {
				t.Fatal(err)
			}
		}},
		{name: "records replayed from another bundle", says: "about another bundle", beside: func(_ *testing.T, d *signing) {
			d.verify(d.allowed, strings.Repeat("0", 64), adaPrepared, noorApproved)
		}},
		{name: "signed in another namespace", says: "is not valid", beside: func(t *testing.T, d *signing) {
			file := filepath.Join(d.folder, approved)
			if err := os.Remove(file + ".sig"); err != nil {
				t.Fatal(err)
			}
			if out, err := exec.CommandContext(t.Context(), "ssh-keygen", "-Y", "sign", "-q", "-f", filepath.Join(d.keys, "noor"), "-n", "file", file).CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
		}},
		{name: "signed with an unknown key", says: "not by any signer", is: NotListed, beside: func(t *testing.T, d *signing) { edit(t, d, "../"+filepath.Base(d.allowed), "noor@", "# noor@") }},
		{name: "signers without anyone", says: "not by any signer", is: NotListed, beside: func(t *testing.T, d *signing) {
			if err := os.WriteFile(d.allowed, nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}},
		{name: "a signature that is none", says: "approved", beside: func(t *testing.T, d *signing) {
			if err := os.WriteFile(filepath.Join(d.folder, approved+".sig"), []byte("-----BEGIN SSH SIGNATURE-----\n"), 0o600); err != nil {
				t.Fatal(err)
			}
		}},
		{name: "one signer for both steps", says: "were both signed by", is: NotAgreed, beside: one},
		{name: "one key in two names", says: "were both signed by", is: NotAgreed, beside: func(t *testing.T, d *signing) {
			public, err := os.ReadFile(filepath.Join(d.keys, "ada.pub"))
			if err != nil || os.WriteFile(d.allowed, fmt.Appendf(nil, "noor@example.org %s\nada@example.org %s", public, public), 0o600) != nil {
				t.Fatal(err)
			}
			one(t, d)
		}},
		{name: "approval deleted, with its signature", says: "nobody approved it", is: NotSigned, beside: func(t *testing.T, d *signing) {
			move(t, d, approved, "gone")
			move(t, d, approved+".sig", "gone.sig")
		}},
		{name: "signatures deleted", says: "has no signature", is: NotSigned, beside: func(t *testing.T, d *signing) {
			move(t, d, prepared+".sig", "gone")
			move(t, d, approved+".sig", "gone")
		}},
		{name: "signatures and records deleted", says: "nobody prepared it", is: NotSigned, beside: func(t *testing.T, d *signing) {
			if err := os.RemoveAll(d.folder); err != nil {
				t.Fatal(err)
			}
		}},
		{name: "another target", says: `and "https://api.pets.example/v1" is to be released`, is: NotThis, beside: bind(Release{Target: "https://api.pets.example/v1"})},
		{name: "another path of the target", says: `and "https://staging.pets.example/v2" is to be released`, is: NotThis, beside: bind(Release{Target: "https://staging.pets.example/v2"})},
		{name: "another build", says: `and "2.15.0" is to be released`, is: NotThis, beside: bind(Release{Build: "2.15.0"})},
		{name: "an old bundle", says: "its run ended 72h0m1s ago, at 2026-03-02 09:30:01 UTC; at most 72h0m0s is accepted", is: NotThis,
			beside: bind(Release{MaxAge: 72 * time.Hour, Now: ended.Add(72*time.Hour + time.Second)})},
		{name: "a bundle from the future", says: "which is 5m1s from now", is: NotThis, beside: bind(Release{MaxAge: 72 * time.Hour, Now: ended.Add(-5*time.Minute - time.Second)})},
		{name: "a record from the future of another run, unsigned", says: "nobody approved it", is: NotSigned, beside: func(t *testing.T, d *signing) {
			move(t, d, approved, "gone")
			r, err := signoff.New(signoff.Approved, signoff.Agree, "Noor Idris", "release manager", d.files.Subject(), sample.Start.Add(time.Hour))
			if err == nil {
				_, err = signoff.Save(d.folder, r)
			}
			if err != nil {
				t.Fatal(err)
			}
			_ = os.Remove(filepath.Join(d.folder, approved+".sig")) // of the record that is gone
		}},
	}
}

// ended is when the runs of the sample bundles ended.
var ended = sample.Start.Add(1840 * time.Millisecond)

// TestAttacks: whatever is changed in a signed bundle, or beside it, is told with its reason, and never green. The files are
// changed in a bundle with everything in it, which says DO NOT RELEASE. What lies beside one is changed for it and for one that says
// RELEASE.
func TestAttacks(t *testing.T) {
	d := newSigning(t)
	refused := d.attacked(t, attacks(d.files), verdict.ExitDeviates)
	d.files, d.judge = released(t)
	t.Logf("%d attacks refused", refused+d.attacked(t, besideAttacks(), verdict.ExitConforms))
}

// attacked makes the attacks, one at a time, on the signed bundle of d, which is worth an exit code as it is. It returns how
// many were refused.
func (d *signing) attacked(t *testing.T, all []attack, code int) (refused int) {
	d.t = t
	d.release = Release{Target: "https://STAGING.pets.example:443/v1/", Build: d.build(), MaxAge: time.Hour, Now: ended.Add(time.Hour)}
	if v := d.verify(d.allowed, d.files.Subject(), adaPrepared, noorApproved); !v.SignedOff || v.Code(RequireWaived) != code {
		t.Fatalf("unchanged: exit code %d, %q, %q", v.Code(RequireWaived), v.Problems, v.Unchecked)
	}
	whole := *d
	signers, err := os.ReadFile(d.allowed)
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range all {
		t.Run(a.name, func(t *testing.T) {
			d := whole
			d.t, d.files = t, maps.Clone(whole.files)
			d.folder = filepath.Join(t.TempDir(), "records")
			d.allowed = filepath.Join(filepath.Dir(d.folder), "allowed")
			if err := os.CopyFS(d.folder, os.DirFS(whole.folder)); err != nil || os.WriteFile(d.allowed, signers, 0o600) != nil {
				t.Fatal(err)
			}
			if a.files != nil {
				a.files(t, d.files)
			}
			if a.refitted {
				d.files[SumsFile] = d.files.sums()
			}
			if a.beside != nil {
				a.beside(t, &d)
			}
			v := d.again(d.allowed)
			if code := v.Code(RequireWaived); v.OK() || v.SignedOff || code != verdict.ExitNoVerdict || !strings.Contains(strings.Join(v.Problems, "\n"), a.says) {
				t.Errorf("exit code %d, problems %q, unchecked %q; %d and %q are wanted", code, v.Problems, v.Unchecked, verdict.ExitNoVerdict, a.says)
				return
			}
			kind := cmp.Or(a.is, Altered)
			var text strings.Builder
			if err := v.Text(&text); err != nil || !strings.HasPrefix(text.String(), string(kind)+". The bundle says:\n") || !strings.Contains(text.String(), "\n"+kind.ToDo()+"\n") {
				t.Errorf("%v: %s", err, text.String())
			}
			refused++
		})
	}
	return refused
}

// TestUnsigned: a bundle without signers is intact and not green, whoever made it and whatever lies beside it, unless no signature is
// asked for; then nothing beside it counts either.
func TestUnsigned(t *testing.T) {
	d := newSigning(t)
	broken := d.files
	good, judge := released(t)
	for _, row := range []struct {
		name     string
		files    Files
		unsigned bool
		code     int
		says     string
	}{
		{"RELEASE, as anyone may forge it", good, false, verdict.ExitNoVerdict, "The bundle is intact, says RELEASE; no signature was checked. "},
		{"RELEASE, and no signature is asked for", good, true, verdict.ExitConforms, "The bundle is intact, says RELEASE; no signature was checked, as --unsigned asks."},
		{"DO NOT RELEASE", broken, false, verdict.ExitDeviates, "The bundle is intact, says DO NOT RELEASE; no signature was checked. "},
		{"DO NOT RELEASE, and no signature is asked for", broken, true, verdict.ExitDeviates, "The bundle is intact, says DO NOT RELEASE; no signature was checked, as --unsigned asks."},
	} {
		disagreed := signed{"noor", signoff.Approved, signoff.Disagree, "Noor Idris"}
		for _, records := range [][]signed{nil, {adaPrepared, noorApproved}, {adaPrepared, disagreed}} {
			d.verify("", row.files.Subject(), records...)
			all, err := signoff.Load(d.folder)
			if err != nil {
				t.Fatal(err)
			}
			own := d.judge
			if row.files.Subject() == good.Subject() {
				own = judge
			}
			v := Verify(t.Context(), row.files, Options{Judge: own, Unsigned: row.unsigned, Records: all})
			var text strings.Builder
			if err := v.Text(&text); err != nil || v.Code(RequireWaived) != row.code || v.SignedOff || !strings.Contains(text.String(), row.says) {
				t.Errorf("%s with %d records: exit code %d, want %d: %v\n%s", row.name, len(records), v.Code(RequireWaived), row.code, err, &text)
			}
		}
	}
}
