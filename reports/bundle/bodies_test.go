package bundle

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"petconform/reports"
	"petconform/reports/internal/test/sample"
	"petconform/reports/page"
	"petconform/spec/exchange"
	"petconform/spec/verdict"
)

// TestLargeReport goes the whole way with a report whose bodies lie beside it: written, bundled, packed, verified, a byte of
// a body changed, one added, and a smaller report written over it.
func TestLargeReport(t *testing.T) {
	run := sample.Heavy(1700, 3000)
	dir := t.TempDir()
	writeRecording(t, dir, run.Recording)
	in := reports.Input{Results: run.Results, Recording: run.Recording}
	if err := reports.Write(dir, in); err != nil {
		t.Fatal(err)
	}
	html, err := os.ReadFile(filepath.Join(dir, reports.ReportFile))
	if err != nil || len(html) > page.Most {
		t.Errorf("the page has %d bytes (%v); at most %d are wanted", len(html), err, page.Most)
	}
	lying, err := filepath.Glob(filepath.Join(dir, "bodies", "*.txt"))
	if err != nil || len(lying) != 1700 {
		t.Errorf("%d bodies lie beside the page (%v); 1,700 are wanted", len(lying), err)
	}
	t.Logf("a page of %d bytes, %d bodies", len(html), len(lying))
	files, err := Collect(dir, "", in)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, File)
	pack(t, files, path)
	if files, err = Unpack(path); err != nil {
		t.Fatal(err)
	}
	o := Options{Judge: func(*exchange.Recording) verdict.Results { return run.Results }}
	if v := Verify(t.Context(), files, o); !v.OK() {
		t.Fatalf("problems %q, unchecked %q", v.Problems, v.Unchecked)
	}
	body := files.names()[slices.IndexFunc(files.names(), page.IsBody)]
	changed := maps.Clone(files)
	changed[body] = append(bytes.Clone(files[body]), '!')
	changed["bodies/"+strings.Repeat("ab", 32)+".txt"] = []byte("slipped in")
	changed[SumsFile] = changed.sums()
	if v := Verify(t.Context(), changed, o); len(v.Problems) != 2 || !strings.Contains(v.Problems[0], body) || !strings.Contains(v.Problems[1], "abab") {
		t.Errorf("%q; the changed body and the one that was added are wanted", v.Problems)
	}
	small := sample.New()
	if err := reports.Write(dir, reports.Input{Results: small.Results, Recording: small.Recording}); err != nil {
		t.Fatal(err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "bodies")); len(left) > 0 {
		t.Error("bodies of the report before were left behind")
	}
}
