package bundle

import (
	"bytes"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"petconform/reports"
	"petconform/reports/internal/sample"
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
	beside func(t *testing.T, d *desk)
	// says is a part of one of the problems.
	says string
}

// attacks are the ways that were tried to fool verify. Each of them is refused.
func attacks(files Files) []attack {
	var all []attack
	both := func(name string, change func(*testing.T, Files), says string) {
		all = append(all, attack{name: name, files: change, says: says})
		if !slices.ContainsFunc([]string{reports.JUnitFile, reports.SummaryFile, reports.HARFile, "previous/"}, func(part string) bool { return strings.Contains(name, part) }) {
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
	for _, name := range []string{reports.LoadRecordingFile, SignOffFile} {
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
	const prepared, approved = "1-prepared-1.json", "3-approved-1.json"
	move := func(t *testing.T, d *desk, from, to string) {
		t.Helper()
		if err := os.Rename(filepath.Join(d.folder, from), filepath.Join(d.folder, to)); err != nil {
			t.Fatal(err)
		}
	}
	edit := func(t *testing.T, d *desk, name, old, now string) {
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
	return []attack{
		{name: "a record edited", says: "is not valid", beside: func(t *testing.T, d *desk) { edit(t, d, approved, "Noor", "Nora") }},
		{name: "a disagreement edited into agreement", says: "is not valid", beside: func(t *testing.T, d *desk) {
			d.verify(d.allowed, d.files.Subject(), adaPrepared, signed{"noor", signoff.Approved, signoff.Disagree, "Noor Idris"})
			edit(t, d, approved, `"disagree"`, `"agree"`)
		}},
		{name: "records removed", says: "nobody approved it", beside: func(t *testing.T, d *desk) { move(t, d, approved, "gone") }},
		{name: "a signature removed", says: "nobody approved it", beside: func(t *testing.T, d *desk) { move(t, d, approved+".sig", "gone") }},
		{name: "signatures swapped", says: "is not valid", beside: func(t *testing.T, d *desk) {
			move(t, d, approved+".sig", "a")
			move(t, d, prepared+".sig", approved+".sig")
			move(t, d, "a", prepared+".sig")
		}},
		{name: "a signature replayed from another record", says: "is not valid", beside: func(t *testing.T, d *desk) {
			own := d.folder
			d.verify(d.allowed, strings.Repeat("0", 64), adaPrepared, noorApproved)
			data, err := os.ReadFile(filepath.Join(d.folder, approved+".sig"))
			if d.folder = own; err != nil || os.WriteFile(filepath.Join(own, approved+".sig"), data, 0o600) != nil {
				t.Fatal(err)
			}
		}},
		{name: "records replayed from another bundle", says: "about another bundle", beside: func(_ *testing.T, d *desk) {
			d.verify(d.allowed, strings.Repeat("0", 64), adaPrepared, noorApproved)
		}},
		{name: "signed in another namespace", says: "is not valid", beside: func(t *testing.T, d *desk) {
			file := filepath.Join(d.folder, approved)
			if err := os.Remove(file + ".sig"); err != nil {
				t.Fatal(err)
			}
			if out, err := exec.CommandContext(t.Context(), "ssh-keygen", "-Y", "sign", "-q", "-f", filepath.Join(d.keys, "noor"), "-n", "file", file).CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
		}},
		{name: "signed with an unknown key", says: "not by any signer", beside: func(t *testing.T, d *desk) { edit(t, d, "../"+filepath.Base(d.allowed), "noor@", "# noor@") }},
		{name: "signers without anyone", says: "not by any signer", beside: func(t *testing.T, d *desk) {
			if err := os.WriteFile(d.allowed, nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}},
		{name: "a signature that is none", says: "approved", beside: func(t *testing.T, d *desk) {
			if err := os.WriteFile(filepath.Join(d.folder, approved+".sig"), []byte("-----BEGIN SSH SIGNATURE-----\n"), 0o600); err != nil {
				t.Fatal(err)
			}
		}},
		{name: "one signer for both steps", says: "were both signed by", beside: func(_ *testing.T, d *desk) {
			d.verify(d.allowed, d.files.Subject(), adaPrepared, signed{"ada", signoff.Approved, signoff.Agree, "Noor Idris"})
		}},
		{name: "a record from the future of another run, unsigned", says: "nobody approved it", beside: func(t *testing.T, d *desk) {
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

// TestAttacks: whatever is changed in a signed bundle, or beside it, the bundle is not intact, and the reason is told.
func TestAttacks(t *testing.T) {
	d := newDesk(t)
	if v := d.verify(d.allowed, d.files.Subject(), adaPrepared, noorApproved); !v.OK() {
		t.Fatalf("unchanged: %q, %q", v.Problems, v.Unchecked)
	}
	whole, allowed, refused := d.files, d.allowed, 0
	signers, err := os.ReadFile(allowed)
	if err != nil {
		t.Fatal(err)
	}
	records := d.folder
	all := attacks(whole)
	for _, a := range all {
		t.Run(a.name, func(t *testing.T) {
			d.t, d.files = t, maps.Clone(whole)
			d.folder = filepath.Join(t.TempDir(), "records")
			d.allowed = filepath.Join(filepath.Dir(d.folder), "allowed")
			if err := os.CopyFS(d.folder, os.DirFS(records)); err != nil || os.WriteFile(d.allowed, signers, 0o600) != nil {
				t.Fatal(err)
			}
			if a.files != nil {
				a.files(t, d.files)
			}
			if a.refitted {
				d.files[SumsFile] = d.files.sums()
			}
			if a.beside != nil {
				a.beside(t, d)
			}
			v := d.again(d.allowed)
			if code := v.Code(RequireIntact); v.OK() || code != verdict.ExitNoVerdict || !strings.Contains(strings.Join(v.Problems, "\n"), a.says) {
				t.Errorf("exit code %d, problems %q, unchecked %q; %d and %q are wanted", code, v.Problems, v.Unchecked, verdict.ExitNoVerdict, a.says)
				return
			}
			var told strings.Builder
			if err := v.Text(&told); err != nil || !strings.HasPrefix(told.String(), "NOT INTACT.") {
				t.Errorf("%v: %s", err, told.String())
			}
			refused++
		})
	}
	t.Logf("%d attacks, %d refused", len(all), refused)
}
