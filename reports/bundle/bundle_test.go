package bundle

import (
	"archive/zip"
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
	"petconform/reports/internal/test/sample"
	"petconform/reports/waiver"
	"petconform/spec/exchange"
	"petconform/spec/verdict"
)

const waivers = `waivers:
  - {id: W-1, check: list-5, reason: soon, risk: large listings, ticket: PETS-412, owner: Ada Vance, approver: Noor Idris, from: 2026-03-01, ends: 2026-04-01}
`

// filed is a bundle with everything in it, and the judge that judges its recordings as the samples were judged.
func filed(t testing.TB) (Files, func(*exchange.Recording) verdict.Results) {
	t.Helper()
	run, old := sample.New(), sample.Good()
	dir, before := t.TempDir(), t.TempDir()
	writeRecording(t, dir, run.Recording)
	writeRecording(t, before, old.Recording)
	w, err := waiver.Parse([]byte(waivers))
	if err != nil {
		t.Fatal(err)
	}
	files, err := Collect(dir, before, reports.Input{Results: run.Results, Recording: run.Recording, Waivers: w,
		Previous: &reports.Input{Results: old.Results, Recording: old.Recording}, Redactor: exchange.NewRedactor(exchange.NewSecret("a-key-that-is-secret"))})
	if err != nil {
		t.Fatal(err)
	}
	return files, judgeOf(run.Results, old.Results)
}

// released is a bundle that says RELEASE.
func released(t testing.TB) (Files, func(*exchange.Recording) verdict.Results) {
	t.Helper()
	run, dir := sample.Good(), t.TempDir()
	writeRecording(t, dir, run.Recording)
	files, err := Collect(dir, "", reports.Input{Results: run.Results, Recording: run.Recording,
		Redactor: exchange.NewRedactor(exchange.NewSecret("a-key-that-is-secret"))})
	if err != nil {
		t.Fatal(err)
	}
	return files, judgeOf(run.Results)
}

// judgeOf judges a recording as the results of one of the sample runs were judged: those of its name, else the first.
func judgeOf(all ...verdict.Results) func(*exchange.Recording) verdict.Results {
	return func(rec *exchange.Recording) verdict.Results {
		again := all[0]
		for _, r := range all[1:] {
			if rec.Meta.Run == r.Run {
				again = r
			}
		}
		again.Requests, again.Run = len(rec.Exchanges), rec.Meta.Run
		return again
	}
}

// pack writes the archive of files into a file.
func pack(t testing.TB, files Files, path string) {
	t.Helper()
	var archive bytes.Buffer
	if err := files.Pack(&archive); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, archive.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
}

func writeRecording(t testing.TB, dir string, rec *exchange.Recording) {
	t.Helper()
	var b bytes.Buffer
	w, err := exchange.NewWriter(&b, rec.Meta)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range rec.Exchanges {
		if err := w.Write(x); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.End(*rec.End); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, reports.RecordingFile), b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestVerify(t *testing.T) {
	files, judge := filed(t)
	v := Verify(t.Context(), files, Options{Judge: judge})
	if !v.OK() || len(v.Held) != 3 {
		t.Errorf("held %q, problems %q, unchecked %q; digests, verdict and rendering are wanted, and no problem", v.Held, v.Problems, v.Unchecked)
	}
	var text strings.Builder
	if err := v.Text(&text); err != nil || !strings.HasSuffix(text.String(), "The bundle is intact, says DO NOT RELEASE; no signature was checked. Name the signers with --allowed-signers FILE, or accept the bundle without them with --unsigned.\n") {
		t.Errorf("%v\n%s", err, &text)
	}
	if v := Verify(t.Context(), files, Options{}); v.OK() {
		t.Error("a verification that did not judge again says that it is all right")
	}
}

func TestPackIsDeterministicAndComesBack(t *testing.T) {
	files, _ := filed(t)
	var a, b bytes.Buffer
	if err := files.Pack(&a); err != nil {
		t.Fatal(err)
	}
	time.Sleep(time.Millisecond)
	if err := files.Pack(&b); err != nil || !bytes.Equal(a.Bytes(), b.Bytes()) {
		t.Errorf("the archive is another the second time (%v)", err)
	}
	path := filepath.Join(t.TempDir(), File)
	pack(t, files, path)
	back, err := Unpack(path)
	if err != nil || !maps.EqualFunc(files, back, bytes.Equal) {
		t.Errorf("what was packed does not come back: %v", err)
	}
	t.Logf("%d files, %d bytes packed", len(files), a.Len())
}

// TestUnpackRefuses archives that no bundle is like.
func TestUnpackRefuses(t *testing.T) {
	for name, row := range map[string]struct {
		entries []zip.FileHeader
		want    string
	}{
		"slip":         {[]zip.FileHeader{{Name: "../results.json"}}, "a bundle has only"},
		"absolute":     {[]zip.FileHeader{{Name: "/etc/passwd"}}, "a bundle has only"},
		"other":        {[]zip.FileHeader{{Name: "run.sh"}}, "a bundle has only"},
		"twice":        {[]zip.FileHeader{{Name: "results.json"}, {Name: "results.json"}}, "twice"},
		"link":         {[]zip.FileHeader{{Name: "results.json", ExternalAttrs: 0o120777 << 16, CreatorVersion: 3 << 8}}, "not a regular file"},
		"many entries": {slices.Repeat([]zip.FileHeader{{Name: "results.json"}}, maxEntries+1), "has at most"},
	} {
		path := filepath.Join(t.TempDir(), "x.zip")
		f, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		z := zip.NewWriter(f)
		for _, h := range row.entries {
			w, err := z.CreateHeader(&h)
			if err != nil {
				t.Fatal(err)
			}
			_, _ = w.Write([]byte("{}"))
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		_ = f.Close()
		if _, err := Unpack(path); err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s: %v; %q is wanted in an error", name, err, row.want)
		}
	}
}

// TestSmallBomb: what a small archive unpacks to is bounded, however many entries it has.
func TestSmallBomb(t *testing.T) {
	var b bytes.Buffer
	zeros := make([]byte, 13<<20)
	if err := (Files{reports.ResultsFile: zeros, reports.ReportFile: zeros, reports.JUnitFile: zeros, reports.SummaryFile: zeros, reports.RecordingFile: zeros}).Pack(&b); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "bomb.zip")
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Unpack(path); err == nil || !strings.Contains(err.Error(), "unpacks to more than") {
		t.Errorf("%d bytes: %v; a bound is wanted", b.Len(), err)
	}
}

// TestBomb: an entry is read up to its bound, whatever size the archive tells.
func TestBomb(t *testing.T) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	w, err := z.Create("results.json")
	if err != nil {
		t.Fatal(err)
	}
	_, _ = w.Write(bytes.Repeat([]byte("0"), 1<<20))
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := zip.NewReader(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := read(r.File[0], 1<<10); err == nil || !strings.Contains(err.Error(), "more than 1024 bytes") {
		t.Errorf("%v; an error that names the bound is wanted", err)
	}
}

func TestSHA256SumsAreReadByTheTool(t *testing.T) {
	tool, err := exec.LookPath("sha256sum")
	if err != nil {
		t.Skip("SKIPPED: sha256sum is not there")
	}
	files, _ := filed(t)
	dir := t.TempDir()
	for name, data := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.CommandContext(t.Context(), tool, "--strict", "-c", SumsFile)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
