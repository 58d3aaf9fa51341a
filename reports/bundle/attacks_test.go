package bundle

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"encoding/pem"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"petconform/reports"
	"petconform/reports/internal/test/real"
	"petconform/spec/verdict"
)

// attack changes a bundle that is signed and says RELEASE, or what lies beside it, or takes it for something else.
type attack struct {
	name string
	on   func(f *filing)
	// is the kind of one of the lines, and says a part of it.
	is   Kind
	says string
	// code is the exit code; 0 stands for 3.
	code int
}

// TestAttacks: whatever is changed in a signed bundle, or beside it, is told with its reason, and never green.
func TestAttacks(t *testing.T) {
	if v, code, text := filed(t).verified(); code != verdict.ExitConforms || v.Signed != "Prepared by ada@example.org, approved by noor@example.org." {
		t.Fatalf("unchanged: exit code %d\n%s", code, text)
	}
	all := slices.Concat(onFiles(bundles(t).released), onResults(), onRuns(bundles(t)), onSignatures(), onRelease())
	for _, a := range all {
		t.Run(a.name, func(t *testing.T) {
			t.Parallel() // most of the time is that of ssh-keygen
			f := filed(t)
			a.on(f)
			a.fails(f)
			if a.is == NotSigned { // nor with the signatures in the bundle
				var err error
				f.files, f.Signatures, err = Open(put(t, reports.BundleFile, withSignatures(t, f.files, f.Signatures)))
				noError(t, err)
				a.fails(f)
			}
		})
	}
	t.Logf("%d attacks", len(all))
}

func (a attack) fails(f *filing) {
	f.Helper()
	v, code, text := f.verified()
	if want := max(a.code, 1); code == 0 || a.code > 0 && code != want || a.code == 0 && code != verdict.ExitNoVerdict {
		f.Errorf("exit code %d:\n%s", code, text)
	}
	found := slices.ContainsFunc(v.Lines, func(l Line) bool { return l.Is == a.is && strings.Contains(l.Text, a.says) })
	if a.is == (Kind{}) {
		found = strings.Contains(strings.Join(strings.Fields(text), " "), a.says)
	}
	if !found || a.is != (Kind{}) && !strings.HasPrefix(text, "DO NOT RELEASE ON THIS BUNDLE: ") {
		f.Errorf("%s, %q is wanted in:\n%s", a.is.heading, a.says, text)
	}
}

// onFiles edit, remove, add and swap files.
func onFiles(files Files) []attack {
	var all []attack
	with := func(name, says string, change func(f Files)) {
		all = append(all, attack{name: name, on: func(f *filing) { change(f.files) }, is: Altered, says: says})
	}
	for _, name := range files.names() {
		if name == SumsFile {
			continue
		}
		edit := func(f Files) { f[name] = append(bytes.Clone(f[name]), ' ') }
		with("edited: "+name, name, edit)
		with("removed: "+name, name, func(f Files) { delete(f, name) })
		all = append(all, attack{name: "edited: " + name + ", digests refitted", on: func(f *filing) { edit(f.files); f.refit() },
			is: NotSigned, says: "prepared.sig is not a signature of this bundle"})
	}
	with("added: "+previous+reports.LoadRecordingFile, "is not the file that SHA256SUMS lists", func(f Files) { f[previous+reports.LoadRecordingFile] = []byte("[]") })
	for _, pair := range [][2]string{{reports.ResultsFile, PreviousResults}, {reports.RecordingFile, previous + reports.RecordingFile}, {reports.ReportFile, reports.SummaryFile}} {
		with("swapped: "+pair[0]+" and "+pair[1], pair[0], func(f Files) { f[pair[0]], f[pair[1]] = f[pair[1]], f[pair[0]] })
	}
	return append(all,
		attack{name: "SHA256SUMS in another order", is: Altered, says: "does not list the files", on: func(f *filing) {
			lines := slices.Collect(strings.Lines(string(f.files[SumsFile])))
			slices.Reverse(lines)
			f.files[SumsFile] = []byte(strings.Join(lines, ""))
		}},
		attack{name: "SHA256SUMS removed", is: Altered, says: "does not list the files", on: func(f *filing) { delete(f.files, SumsFile) }},
		attack{name: "a page of another run, signed", is: Altered, says: "report.html is not what is made", on: func(f *filing) {
			f.files[reports.ReportFile] = bundles(f.T).checkAlone[reports.ReportFile]
			f.refit()
			f.signedBy("ada", "noor")
		}})
}

// onResults claim something that the recordings do not show. Both sign it: what is told is not that they did not.
func onResults() []attack {
	var all []attack
	for name, change := range map[string]func(*verdict.Results){
		"without a check":       func(r *verdict.Results) { r.Checks = r.Checks[1:] },
		"with fewer requests":   func(r *verdict.Results) { r.Requests-- },
		"that waive":            func(r *verdict.Results) { r.Requirements[0].Verdict = verdict.Waived },
		"of another target":     func(r *verdict.Results) { r.Target.URL = "https://api.pets.example/v1" },
		"of another build":      func(r *verdict.Results) { r.Target.Build = "9.9.9" },
		"of an environment":     func(r *verdict.Results) { r.Target.Environment = "production" },
		"of the reference":      func(r *verdict.Results) { r.Target.Reference = true },
		"of a target behind":    func(r *verdict.Results) { r.Target.Way = []string{"through a proxy"} },
		"of a check":            func(r *verdict.Results) { r.Kind = "check" },
		"of another version":    func(r *verdict.Results) { r.Tool = "petconform/9" },
		"of another day":        func(r *verdict.Results) { r.Started = r.Started.AddDate(0, 0, 1) },
		"of a run that deviate": func(r *verdict.Results) { r.Verdict = verdict.Deviates },
	} {
		all = append(all, attack{name: "results " + name, is: Altered, says: "results.json is not what is made", on: func(f *filing) {
			var r verdict.Results
			data := f.files[reports.ResultsFile]
			err := json.Unmarshal(data, &r)
			if change(&r); err == nil {
				f.files[reports.ResultsFile], err = reports.Marshal(r)
			}
			if err != nil || bytes.Equal(data, f.files[reports.ResultsFile]) {
				f.Fatalf("the results are unchanged (%v)", err)
			}
			f.refit()
			f.signedBy("ada", "noor")
		}})
	}
	return all
}

// onRuns file something else than a sign-off that says RELEASE, signed by both.
func onRuns(made made) []attack {
	of := func(files Files) func(f *filing) {
		return func(f *filing) {
			f.files = maps.Clone(files)
			f.signedBy("ada", "noor")
		}
	}
	edit := func(file, from, to string) func(f *filing) {
		return func(f *filing) {
			if !bytes.Contains(f.files[file], []byte(from)) {
				f.Fatalf("%s has no %q", file, from)
			}
			f.files[file] = bytes.Replace(f.files[file], []byte(from), []byte(to), 1)
			f.refit()
			f.signedBy("ada", "noor")
		}
	}
	return []attack{
		{name: "a load that deviates", on: of(made.broken), says: "failed (RATE-7", code: verdict.ExitDeviates},
		{name: "the check alone of that", on: of(made.checkAlone), says: "No verdict: rate limits (no load run"},
		{name: "a load alone", on: of(made.loadAlone), says: "needs a check run"},
		{name: "a check of one run and a load of another", is: Altered, says: "is not what is made", on: func(f *filing) {
			f.files[reports.LoadRecordingFile] = made.broken[reports.LoadRecordingFile]
			f.refit()
			f.signedBy("ada", "noor")
		}},
		{name: "a gate that is edited away", on: edit(reports.ResultsFile, `"p99Ns": 1000000000`, `"p99Ns": 9000000000`), is: Altered, says: "report.html is not what is made"},
		{name: "a gate that the verifier asks for", on: func(f *filing) { f.Policy.P99 = time.Nanosecond }, says: "DO NOT RELEASE", code: verdict.ExitDeviates},
		{name: "a waiver by its owner", on: edit(WaiversFile, "Noor Idris", "Аda Vance"), is: Altered, says: "mixes letters"},
		{name: "a waiver that is added", on: edit(WaiversFile, "soon", "later"), is: Altered, says: "report.html is not what is made"},
		{name: "another version, whose page is edited", is: NotSigned, says: "not a signature of this bundle", on: func(f *filing) {
			f.Tool = "petconform of tomorrow"
			f.files[reports.ReportFile] = bytes.ReplaceAll(f.files[reports.ReportFile], []byte("RELEASE"), []byte("release"))
			f.refit()
		}},
		{name: "another version, of a load that deviates", says: "failed (RATE-7", code: verdict.ExitDeviates, on: func(f *filing) {
			f.Tool = "petconform of tomorrow"
			of(made.broken)(f)
		}},
	}
}

// onSignatures change what lies beside the bundle.
func onSignatures() []attack {
	const prepared, approved, yes, no = "petconform-prepared", "petconform-approved", reports.ApprovedFile, reports.PreparedFile
	sign := func(file, key, namespace string) func(f *filing) {
		return func(f *filing) { f.Signatures[file] = f.signature(key, namespace, f.files[SumsFile]) }
	}
	put := func(file string, data ...byte) func(f *filing) {
		return func(f *filing) { f.Signatures[file] = append([]byte{}, data...) }
	}
	onlyAda := func(f *filing, lines ...string) { f.list(lines...); f.signedBy("ada", "ada") }
	return []attack{
		{name: "no approval", is: NotSigned, says: "nobody approved it", on: func(f *filing) { delete(f.Signatures, yes) }},
		{name: "no preparation", is: NotSigned, says: "nobody prepared it", on: func(f *filing) { delete(f.Signatures, no) }},
		{name: "no signature", is: NotSigned, says: "nobody prepared it", on: func(f *filing) { f.Signatures = nil }},
		{name: "no signers", says: "NOT SIGNED OFF: no signature was checked", on: func(f *filing) { f.AllowedSigners = "" }},
		{name: "nobody allowed", is: NotSigned, says: "No principal matched", on: func(f *filing) { f.list() }},
		{name: "signers that are a device", is: Unchecked, says: "regular file", on: func(f *filing) { f.AllowedSigners = "/dev/zero" }},
		{name: "signers that cannot be read", is: NotSigned, says: "signers:1: ", on: func(f *filing) { f.list("ada@example.org namespaces " + f.public("ada")) }},
		{name: "swapped", is: NotSigned, says: "namespace does not match", on: func(f *filing) {
			f.Signatures[yes], f.Signatures[no] = f.Signatures[no], f.Signatures[yes]
		}},
		{name: "of another bundle", is: NotSigned, says: "incorrect signature", on: func(f *filing) {
			f.Signatures[yes] = f.signature("noor", approved, bundles(f.T).broken[SumsFile])
		}},
		{name: "of something else", is: NotSigned, says: "namespace does not match", on: sign(yes, "noor", "file")},
		{name: "empty, as a redirection leaves it", is: NotSigned, says: "approved.sig", on: put(yes)},
		{name: "cut off", is: NotSigned, says: "approved.sig", on: func(f *filing) { f.Signatures[yes] = f.Signatures[yes][:150] }},
		{name: "of another tool", is: NotSigned, says: "approved.sig", on: put(yes, []byte(`{"messageSignature":{"signature":"MAYCAQECAQE="}}`)...)},
		{name: "by a stranger", is: NotSigned, says: "approved.sig is not signed with a key that is in the file", on: func(f *filing) {
			f.key("eve")
			sign(yes, "eve", approved)(f)
		}},
		{name: "by one who may only prepare", is: NotSigned, says: "that ada@example.org may make, with -n petconform-approved", on: sign(yes, "ada", approved)},
		{name: "by one who might until 2020", is: NotSigned, says: "approved.sig", on: func(f *filing) {
			f.list(line("ada@example.org", prepared, f.public("ada")), `noor@example.org valid-before="20200101" `+f.public("noor"))
		}},
		{name: "one key under one name", is: NotSigned, on: func(f *filing) { onlyAda(f, line("ada@example.org", "petconform-*", f.public("ada"))) }},
		{name: "one key under two names", is: NotSigned, says: "approved.sig is not a signature of this bundle that ada@example.org", on: func(f *filing) {
			onlyAda(f, line("ada@example.org", prepared, f.public("ada")), line("noor@example.org", approved, f.public("ada")))
		}},
		{name: "one key under two names on a line", is: NotSigned, on: func(f *filing) {
			onlyAda(f, line("ada@example.org,noor@example.org", "petconform-*", f.public("ada")))
		}},
		{name: "two keys under one name", is: NotSigned, on: func(f *filing) {
			f.list(line("ada@example.org", prepared, f.public("ada")), line("ada@example.org", approved, f.public("noor")))
		}},
		{name: "two keys under names that read alike", is: NotSigned, on: func(f *filing) {
			f.list(line("ada@example.org", prepared, f.public("ada")), line("ADA@Example.org", approved, f.public("noor")))
		}},
		{name: "two keys with a name in common", is: NotSigned, on: func(f *filing) {
			f.list(line("ada@example.org", prepared, f.public("ada")), line("noor@example.org,ada@example.org", approved, f.public("noor")))
		}},
		{name: "a pattern for names", is: NotSigned, says: "which is no person's name", on: func(f *filing) {
			f.list(line("ada@example.org", prepared, f.public("ada")), line("*@example.org", approved, f.public("noor")))
		}},
		{name: "an authority's certificate", is: NotSigned, says: "with a certificate", on: func(f *filing) {
			authority := f.key("ca")
			f.keygen(nil, "-q", "-s", "ca", "-I", "noor", "-n", "noor@example.org", "noor.pub")
			f.list(line("ada@example.org", prepared, f.public("ada")), "noor@example.org cert-authority "+authority)
			sign(yes, "noor-cert.pub", approved)(f)
		}},
		{name: "two blocks, the second by the approver", is: NotSigned, on: func(f *filing) {
			f.list(line("ada@example.org", "petconform-*", f.public("ada")), line("noor@example.org", approved, f.public("noor")))
			f.Signatures[yes] = append(f.signature("ada", approved, f.files[SumsFile]), f.Signatures[yes]...)
		}},
		{name: "two blocks, the first of another bundle", is: NotSigned, says: "approved.sig", on: func(f *filing) {
			f.Signatures[yes] = append(f.signature("noor", approved, bundles(f.T).broken[SumsFile]), f.Signatures[yes]...)
		}},
		{name: "one RSA key in two forms", is: NotSigned, on: func(f *filing) {
			key := f.key("rsa", "-t", "rsa", "-b", "2048")
			f.list(line("ada@example.org", prepared, key), line("noor@example.org", approved, twiceWritten(f, key)), line("ada@example.org", approved, key))
			f.signedBy("rsa", "rsa")
			f.Signatures[yes] = longer(f, f.Signatures[yes])
		}},
	}
}

// twiceWritten puts a zero byte in front of the exponent of an RSA public key. OpenSSH reads the same number.
func twiceWritten(f *filing, public string) string {
	words := strings.Fields(public)
	key, err := base64.StdEncoding.DecodeString(words[1])
	noError(f, err)
	return words[0] + " " + base64.StdEncoding.EncodeToString(zeroBeforeExponent(key))
}

func zeroBeforeExponent(key []byte) []byte {
	at := 4 + int(binary.BigEndian.Uint32(key)) // behind the type
	n := binary.BigEndian.Uint32(key[at:])
	out := binary.BigEndian.AppendUint32(bytes.Clone(key[:at]), n+1)
	return append(append(out, 0), key[at+4:]...)
}

// longer does the same to the key in a signature.
func longer(f *filing, signature []byte) []byte {
	block, _ := pem.Decode(signature)
	if block == nil {
		f.Fatal("no signature")
	}
	const head = len("SSHSIG") + 4
	n := int(binary.BigEndian.Uint32(block.Bytes[head:]))
	key := zeroBeforeExponent(block.Bytes[head+4 : head+4+n])
	out := binary.BigEndian.AppendUint32(bytes.Clone(block.Bytes[:head]), uint32(len(key)))
	block.Bytes = append(append(out, key...), block.Bytes[head+4+n:]...)
	return pem.EncodeToMemory(block)
}

// onRelease take the bundle for another release.
func onRelease() []attack {
	want := func(change func(*Options)) func(f *filing) { return func(f *filing) { change(&f.Options) } }
	return []attack{
		{name: "another target", is: NotThis, says: `"https://api.pets.example/v1" is to be released`, on: want(func(r *Options) { r.Target = "https://api.pets.example/v1" })},
		{name: "another path", is: NotThis, says: `staging.pets.example/v2" is to be released`, on: want(func(r *Options) { r.Target = "https://staging.pets.example/v2" })},
		{name: "another build", is: NotThis, says: `"2.15.0" is to be released`, on: want(func(r *Options) { r.Build = "2.15.0" })},
		{name: "an old bundle", is: NotThis, says: "the oldest run began 72h0m1s ago", on: want(func(r *Options) {
			r.MaxAge, r.Now = 72*time.Hour, real.Started.Add(72*time.Hour+time.Second)
		})},
		{name: "an old check with a fresh load", is: NotThis, says: "the oldest run began", on: want(func(r *Options) { r.MaxAge = real.Pause + 50*time.Minute })},
		{name: "a bundle from the future", is: NotThis, says: "which is in the future", on: want(func(r *Options) { r.Now = real.Started.Add(real.Pause) })},
	}
}
