package reports

import (
	"bytes"
	"encoding/hex"
	"encoding/xml"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"petconform/reports/internal/test/sample"
	"petconform/spec/exchange"
	"petconform/spec/verdict"
)

// TestWriteRefusesAKey: a key in any artefact, plain or coded, and nothing is written, nor is anything left behind.
func TestWriteRefusesAKey(t *testing.T) {
	const key = "pk-live-5f2c9a77"
	for name, put := range map[string]func(*Input){
		"a finding":      func(in *Input) { in.Results.Checks[8].Reason = "got " + key },
		"an observation": func(in *Input) { in.Results.Observations[0].Value = hex.EncodeToString([]byte(key)) },
		"a body that the page alone shows": func(in *Input) {
			for i := range in.Recording.Exchanges {
				in.Recording.Exchanges[i].Response.Body = exchange.Body(key)
			}
		},
	} {
		dir := t.TempDir()
		r := sample.New()
		in := Input{Results: r.Results, Recording: r.Recording, Redactor: exchange.NewRedactor(exchange.NewSecret(key))}
		put(&in)
		err := Write(dir, in)
		left, _ := os.ReadDir(dir)
		if !errors.Is(err, ErrKeyFound) || len(left) > 0 {
			t.Errorf("a key in %s: error %v, %d files; ErrKeyFound and no file are wanted", name, err, len(left))
		}
	}
	dir := t.TempDir()
	// On the edge of two pieces that are scanned.
	data := bytes.Repeat([]byte("x"), scanPiece-5)
	if err := os.WriteFile(filepath.Join(dir, RecordingFile), append(append(data, ' '), []byte(key+"\n")...), 0o600); err != nil {
		t.Fatal(err)
	}
	r := sample.New()
	if err := Write(dir, Input{Results: r.Results, Redactor: exchange.NewRedactor(exchange.NewSecret(key))}); !errors.Is(err, ErrKeyFound) {
		t.Errorf("a key in the recording: %v; ErrKeyFound is wanted", err)
	}
}

func TestWriteIntoAFileFails(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Write(file, Input{Results: sample.New().Results}); err == nil {
		t.Error("a report was written into a file; an error is wanted")
	}
}

// TestJUnit reads the file as its consumers do: by the elements, with counts that agree.
func TestJUnit(t *testing.T) {
	for name, run := range map[string]sample.Run{"ordinary": sample.New(), "good": sample.Good(), "hostile": sample.Foul()} {
		out := Weigh(Input{Results: run.Results, Recording: run.Recording})
		data, err := JUnit(out)
		if err != nil {
			t.Fatal(err)
		}
		var all junitSuites
		if err := xml.Unmarshal(data, &all); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		tests, red := 0, 0
		for _, s := range all.Suites {
			for _, c := range s.Cases {
				tests++
				if c.Failure != nil || c.Error != nil {
					red++
				}
				if c.Class == "" || c.Name == "" {
					t.Errorf("%s: a testcase without a name: %+v", name, c)
				}
			}
		}
		if tests != all.Tests || red != all.Failures+all.Errors || tests != len(run.Results.Checks)+len(out.Decision.Gates) {
			t.Errorf("%s: %d cases, %d red; the counts say %d and %d", name, tests, red, all.Tests, all.Failures+all.Errors)
		}
		if (red > 0) != (out.Decision.Code != 0) {
			t.Errorf("%s: %d cases are red and the exit code is %d", name, red, out.Decision.Code)
		}
	}
	none := Weigh(Input{Results: verdict.Results{Verdict: verdict.NoVerdict, Reasons: verdict.Because("no one listens")}})
	data, err := JUnit(none)
	if err != nil || !bytes.Contains(data, []byte("<error")) {
		t.Errorf("a run without a verdict is not red: %v\n%s", err, data)
	}
}

// codeSpan is text that Markdown shows as it is.
var codeSpan = regexp.MustCompile("`[^`]*`")

// TestSummary keeps within its size and lets no text of a target be more than text.
func TestSummary(t *testing.T) {
	for name, run := range map[string]sample.Run{"large": sample.Many(4000), "hostile": sample.Foul()} {
		md := Summary(Weigh(Input{Results: run.Results, Recording: run.Recording}))
		if want := "## ❌ DEVIATES"; !bytes.HasPrefix(md, []byte(want)) || !bytes.Contains(md, []byte("### Failures")) {
			t.Errorf("%s: %q and the failures are wanted in %d bytes", name, want, len(md))
		}
		if len(md) > summaryMost {
			t.Errorf("%s: %d bytes; at most %d are wanted", name, len(md), summaryMost)
		}
		fence := ""
		for line := range strings.Lines(string(md)) {
			line = strings.TrimRight(line, "\n")
			if strings.HasPrefix(line, "```") {
				switch {
				case fence == "":
					fence = strings.TrimSuffix(line, "text")
				case line == fence:
					fence = ""
				}
				continue
			}
			line = codeSpan.ReplaceAllString(strings.ReplaceAll(line, `\]`, ""), "")
			if fence == "" && (strings.Contains(line, "<script") || strings.Contains(line, "](http") || strings.Contains(line, " @everyone")) {
				t.Errorf("%s: outside of a fence: %s", name, line)
			}
		}
		if fence != "" {
			t.Errorf("%s: a fence stays open", name)
		}
	}
}

// FuzzParseResults: results.json may be anyone's; reading it ends with results or with an error, and what is read can be written.
func FuzzParseResults(f *testing.F) {
	data, err := Marshal(sample.New().WithLoad("Free").Results)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	small := sample.New().Results
	small.Checks, small.Requirements, small.Observations = small.Checks[:1], small.Requirements[:1], nil
	if data, err = Marshal(small); err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add([]byte(`{"schema":"petconform/results/1","load":` + strings.Repeat("[", 60_000) + strings.Repeat("]", 60_000) + "}"))
	f.Add([]byte(`{"schema":`))
	f.Fuzz(func(t *testing.T, data []byte) {
		res, err := ParseResults(data)
		if err != nil {
			if len(err.Error()) > 64<<10 {
				t.Errorf("an error of %d bytes", len(err.Error()))
			}
			return
		}
		again, err := Marshal(res)
		if err != nil || len(again) > 40*len(data)+1<<20 {
			t.Errorf("%d bytes became %d: %v", len(data), len(again), err)
		}
	})
}
