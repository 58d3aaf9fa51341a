package reports

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"petconform/reports/cause"
	"petconform/reports/decision"
	"petconform/reports/internal/test/sample"
	"petconform/reports/waiver"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/verdict"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden holds what was written against what was looked at and found good.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", "golden", name)
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs; look at it and, if it is right, run go test ./reports -update\n%s", name, firstDifference(string(want), string(got)))
	}
}

// firstDifference shows the first line that is another.
func firstDifference(want, got string) string {
	a, b := strings.Split(want, "\n"), strings.Split(got, "\n")
	n := 0
	for n < min(len(a), len(b))-1 && a[n] == b[n] {
		n++
	}
	return fmt.Sprintf("line %d of %d, which had %d:\n- %.400s\n+ %.400s", n+1, len(b), len(a), a[n], b[n])
}

// TestGoldenPage holds report.html of a small run that has something in every section. The style and the script stand in
// their own files and are left out here; a line of the page, or a part of a drawing, is a line of a diff.
func TestGoldenPage(t *testing.T) {
	ids := []spec.ID{"LIST-3", "LIST-5", "LIST-8", "LIST-13", "CREATE-9", "AUTH-7", "ERROR-3", "RATE-6", "GET-5"}
	load := sample.Load("Free") // without its series: the plan's figures, its phases, its waits and its first seconds
	p := &load.Plans[0]
	p.Series, p.PerSecond, p.Waits = nil, p.PerSecond[:4], p.Waits[:2]
	r, old := only(sample.New().With(load), ids), only(sample.Good(), ids)
	in := whole(t)
	in.Results, in.Recording, in.Policy = r.Results, r.Recording, decision.Policy{P99: 250 * time.Millisecond}
	in.Results.Warnings = []string{"92 % of the answers were 401"}
	in.Previous = &Input{Results: old.Results, Recording: old.Recording}
	files, err := Render(in)
	if err != nil {
		t.Fatal(err)
	}
	page := files[slices.IndexFunc(files, func(f Artefact) bool { return f.Name == ReportFile })].Data
	for _, tag := range []string{"style", "script"} {
		part := regexp.MustCompile("(?s)<" + tag + ">.*</" + tag + ">")
		if n := len(part.FindAll(page, -1)); n != 1 {
			t.Fatalf("%d parts of <%s> in the page; one is wanted", n, tag)
		}
		page = part.ReplaceAll(page, []byte("<"+tag+">("+tag+")</"+tag+">"))
	}
	page = regexp.MustCompile(`sha256-([A-Za-z0-9/=]|&#43;)*`).ReplaceAll(page, []byte("sha256-(digest)"))
	page = regexp.MustCompile(`<(path|text|desc)`).ReplaceAll(page, []byte("\n<$1"))
	t.Logf("%d bytes", len(page))
	golden(t, ReportFile, page)
}

// only keeps the statements that are named, and the checks that prove them: a run that is small enough to be read.
func only(r sample.Run, ids []spec.ID) sample.Run {
	named := func(id spec.ID) bool { return slices.Contains(ids, id) }
	res := &r.Results
	res.Requirements = slices.DeleteFunc(slices.Clone(res.Requirements), func(q verdict.Requirement) bool { return !named(q.ID) })
	res.Checks = slices.DeleteFunc(slices.Clone(res.Checks), func(c verdict.Check) bool { return !slices.ContainsFunc(c.Requirements, named) })
	res.Observations = slices.DeleteFunc(slices.Clone(res.Observations), func(o verdict.Observation) bool { return !named(o.Requirement) })
	res.Created = res.Created[:2]
	return r
}

const waiversYAML = `waivers:
  - id: W-1
    check: list-5
    reason: The default is mended in the next release.
    risk: A listing without a limit is larger than a client expects.
    ticket: PETS-412
    owner: Ada Vance
    approver: Noor Idris
    from: 2026-03-01
    ends: 2026-04-01
  - id: W-2
    requirement: CREATE-9
    reason: Decoder is being replaced.
    risk: A fraction is cut off.
    ticket: PETS-398
    owner: Ada Vance
    approver: Noor Idris
    from: 2026-01-01
    ends: 2026-03-01
`

// whole is an input with everything in it.
func whole(t *testing.T) Input {
	t.Helper()
	r, old := sample.New(), sample.Good()
	w, err := waiver.Parse([]byte(waiversYAML))
	if err != nil {
		t.Fatal(err)
	}
	return Input{Results: r.Results, Recording: r.Recording, Waivers: w, Redactor: exchange.NewRedactor(exchange.NewSecret("a-key-that-is-secret")),
		Previous: &Input{Results: old.Results, Recording: old.Recording}}
}

func TestGolden(t *testing.T) {
	in := whole(t)
	files, err := Render(in)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if f.Name != ReportFile { // of a smaller run, in TestGoldenPage
			golden(t, f.Name, f.Data)
		}
	}
	var cards bytes.Buffer
	for _, c := range in.Results.Checks {
		if c.Verdict == verdict.Failed {
			if err := Card(&cards, c.ID, cause.OfCheck(c), in.Results, in.Recording, CardStyle{Each: true}); err != nil {
				t.Fatal(err)
			}
			cards.WriteByte('\n')
		}
	}
	golden(t, "cards.txt", cards.Bytes())
	var lines bytes.Buffer
	if err := Annotations(&lines, Weigh(in)); err != nil {
		t.Fatal(err)
	}
	golden(t, "annotations.txt", lines.Bytes())
	var diff bytes.Buffer
	if err := Weigh(in).Diff.Text(&diff, Columns); err != nil {
		t.Fatal(err)
	}
	golden(t, "diff.txt", diff.Bytes())
}

// TestSameBytes: a report is a function of its input.
func TestSameBytes(t *testing.T) {
	for name, run := range map[string]sample.Run{"ordinary": sample.New(), "load": sample.New().WithLoad("Free", "Pro"), "hostile": sample.Foul()} {
		in := Input{Results: run.Results, Recording: run.Recording}
		first, err := Render(in)
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Millisecond)
		again, err := Render(in)
		if err != nil {
			t.Fatal(err)
		}
		if len(first) < 5 || len(again) != len(first) {
			t.Fatalf("%s: %d files, then %d; five at least are wanted, twice", name, len(first), len(again))
		}
		for i := range first {
			if len(first[i].Data) == 0 || !bytes.Equal(first[i].Data, again[i].Data) {
				t.Errorf("%s: %s is another the second time", name, first[i].Name)
			}
		}
	}
}

// TestCardColumns: a card keeps within 80 columns, whatever a target sends, but for a word of a command.
func TestCardColumns(t *testing.T) {
	for _, run := range []sample.Run{sample.New(), sample.Foul()} {
		for _, c := range run.Results.Checks {
			var b strings.Builder
			if err := Card(&b, c.ID, cause.OfCheck(c), run.Results, run.Recording, CardStyle{Each: true}); err != nil || !strings.Contains(b.String(), c.ID) {
				t.Errorf("%v: the card of %s does not name it:\n%s", err, c.ID, &b)
			}
			for line := range strings.Lines(b.String()) {
				line = strings.TrimRight(line, "\n")
				word := strings.Fields(line)
				if n := len([]rune(line)); n > Columns && len(word) > 0 && len([]rune(word[len(word)-1])) < n-20 && len([]rune(word[0])) < n-20 && !strings.Contains(line, "'") {
					t.Errorf("%d columns: %s", n, line)
				}
				if strings.ContainsAny(line, "\x1b\x00\u202e") {
					t.Errorf("a control character is in %q", line)
				}
			}
		}
	}
}
