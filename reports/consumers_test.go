package reports

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/joshdk/go-junit"

	"petconform/reports/internal/test/sample"
)

// TestJUnitByAReader has the file read by a parser that nobody here wrote.
func TestJUnitByAReader(t *testing.T) {
	for name, run := range map[string]sample.Run{"ordinary": sample.New(), "hostile": sample.Foul()} {
		out := Weigh(Input{Results: run.Results, Recording: run.Recording})
		data, err := JUnit(out)
		if err != nil {
			t.Fatal(err)
		}
		suites, err := junit.Ingest(data)
		if err != nil || len(suites) != 2 {
			t.Fatalf("%s: %d suites, %v", name, len(suites), err)
		}
		gates, checks := suites[0].Totals, suites[1].Totals
		if gates.Tests != 8 || gates.Failed != 1 || checks.Tests != len(run.Results.Checks) || checks.Failed != 3 || checks.Skipped == 0 {
			t.Errorf("%s: gates %+v, checks %+v", name, gates, checks)
		}
	}
}

// TestGitHub writes what a workflow shows, and nothing outside of one.
func TestGitHub(t *testing.T) {
	run := sample.New()
	out := Weigh(Input{Results: run.Results, Recording: run.Recording})
	step := filepath.Join(t.TempDir(), "summary")
	env := map[string]string{"GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": step}
	var stdout bytes.Buffer
	for range 2 {
		if err := GitHub(&stdout, func(k string) string { return env[k] }, out); err != nil {
			t.Fatal(err)
		}
	}
	written, err := os.ReadFile(step)
	if err != nil || bytes.Count(written, []byte("## ❌ DEVIATES")) != 2 || !strings.HasPrefix(stdout.String(), "::error") {
		t.Errorf("%v: what steps before wrote is kept: %d bytes", err, len(written))
	}
	stdout.Reset()
	if err := GitHub(&stdout, func(string) string { return "" }, out); err != nil || stdout.Len() > 0 {
		t.Errorf("outside of a workflow: %v, %s", err, &stdout)
	}
}

// TestAnnotations: ten lines at most, and none that a target made.
func TestAnnotations(t *testing.T) {
	for name, run := range map[string]sample.Run{"large": sample.Many(1000), "hostile": sample.Foul(), "good": sample.Good()} {
		var b bytes.Buffer
		if err := Annotations(&b, Weigh(Input{Results: run.Results, Recording: run.Recording})); err != nil {
			t.Fatal(err)
		}
		n := 0
		for line := range strings.Lines(b.String()) {
			n++
			if !strings.HasPrefix(line, "::error title=") {
				t.Errorf("%s: %q is no annotation", name, line)
			}
		}
		if n > MaxAnnotations || (n == 0) != (name == "good") {
			t.Errorf("%s: %d annotations", name, n)
		}
	}
}
