package reports

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"petconform/reports/internal/sample"
	"petconform/reports/waiver"
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
		t.Errorf("%s differs; look at it and, if it is right, run go test ./reports -update\n--- got\n%s", name, got)
	}
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
		if f.Name != ReportFile { // looked at in a browser, by its own tests
			golden(t, f.Name, f.Data)
		}
	}
	var cards bytes.Buffer
	for _, c := range in.Results.Checks {
		if c.Verdict == verdict.Failed {
			if err := Card(&cards, in.Results, c, Exchanges(c, in.Recording), CardStyle{}); err != nil {
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
	if err := Weigh(in).Diff.Text(&diff); err != nil {
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
		for i := range first {
			if !bytes.Equal(first[i].Data, again[i].Data) {
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
			_ = Card(&b, run.Results, c, Exchanges(c, run.Recording), CardStyle{})
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
