package reports

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"github.com/joshdk/go-junit"

	"petconform/reports/internal/test/sample"
	"petconform/spec"
	"petconform/spec/verdict"
)

// many are requirements that a check of their own shows.
var many = []spec.ID{"LIST-1", "LIST-3", "LIST-5", "LIST-8", "LIST-10", "CREATE-1", "CREATE-6", "CREATE-8", "CREATE-9", "CREATE-10", "GET-1", "ERROR-3"}

// TestJUnit has the file read by a parser that nobody here wrote: the gates and each check have a testcase, with a class
// and a name of its own, and one is red if the exit code is not 0.
func TestJUnit(t *testing.T) {
	none := sample.Run{Results: verdict.Results{Verdict: verdict.NoVerdict, Reasons: verdict.Reasons{"no one listens"}}}
	for name, row := range map[string]struct {
		run sample.Run
		red int
	}{"ordinary": {sample.New(), 3}, "good": {sample.Good(), 0}, "hostile": {sample.Foul(), 3}, "many": {failing(many...), 12}, "no run": {none, 1}} {
		v := Look(inputOf(row.run))
		suites, err := junit.Ingest([]byte(rendered(t, inputOf(row.run), JUnitFile)))
		if err != nil || len(suites) != 2 {
			t.Fatalf("%s: %d suites, %v", name, len(suites), err)
		}
		tests, red, named := 0, 0, map[string]bool{}
		for _, s := range suites {
			tests, red = tests+s.Totals.Tests, red+s.Totals.Failed+s.Totals.Error
			for _, c := range s.Tests {
				if c.Classname == "" || c.Name == "" || named[c.Classname+c.Name] {
					t.Errorf("%s: a testcase without a name of its own: %+v", name, c)
				}
				named[c.Classname+c.Name] = true
			}
		}
		if tests != len(row.run.Results.Checks)+len(v.Gates) || red != row.red || (red > 0) != (v.Code != 0) {
			t.Errorf("%s: %d cases, %d red, and the exit code is %d; %d are wanted red", name, tests, red, v.Code, row.red)
		}
	}
}

// TestAnnotations: ten errors at most, and none that a target made.
func TestAnnotations(t *testing.T) {
	for name, run := range map[string]sample.Run{"many": failing(many...), "hostile": sample.Foul(), "good": sample.Good()} {
		var b bytes.Buffer
		NoError(t, Annotations(&b, Look(inputOf(run))))
		n := 0
		for line := range strings.Lines(b.String()) {
			n++
			if !strings.HasPrefix(line, "::error title=") {
				t.Errorf("%s: %q is no annotation", name, line)
			}
		}
		if n > MaxAnnotations || (n == 0) != (name == "good") || name == "many" && n != MaxAnnotations {
			t.Errorf("%s: %d annotations", name, n)
		}
	}
}

// codeSpan is text that Markdown shows as it is.
var codeSpan = regexp.MustCompile("`[^`]*`")

// TestSummary keeps within its size and lets no text of a target be more than text.
func TestSummary(t *testing.T) {
	large := failing(many...)
	for _, c := range large.Results.Checks {
		for i := range c.Findings {
			c.Findings[i].Expected, c.Findings[i].Actual = strings.Repeat("犬", 5000), strings.Repeat("犬", 5000)
			c.Findings[i].Hint = strings.Repeat("犬 ", 2000)
		}
	}
	for name, run := range map[string]sample.Run{"large": large, "hostile": sample.Foul()} {
		md := rendered(t, inputOf(run), SummaryFile)
		if want := "## ❌ DEVIATES"; !strings.HasPrefix(md, want) || !strings.Contains(md, "### 1. ") {
			t.Errorf("%s: %q and the failures are wanted in %d bytes", name, want, len(md))
		}
		if len(md) > summaryMost || strings.Contains(md, "_The summary is cut off here") != (name == "large") {
			t.Errorf("%s: %d bytes; at most %d are wanted, and the word that there are more", name, len(md), summaryMost)
		}
		fence := ""
		for line := range strings.Lines(md) {
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

// FuzzClaims: results.json may be anyone's; what it claims is a run and the gates of its report, or nothing.
func FuzzClaims(f *testing.F) {
	data, err := Marshal(sample.New().Results)
	NoError(f, err)
	f.Add(data)
	f.Add([]byte(`{"schema":"petconform/results/1","load":` + strings.Repeat("[", 60_000) + strings.Repeat("]", 60_000) + "}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if c, ours := claimsOf(data); ours != (c.Schema == verdict.Schema) || !ours && c != (claims{}) {
			t.Errorf("%t: %+v", ours, c)
		}
	})
}
