//go:build unix

package main

import (
	"bytes"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"petconform/conformance"
	"petconform/conformance/run"
	"petconform/reports"
	"petconform/spec"
	"petconform/spec/long"
	"petconform/spec/reference"
	"petconform/spec/reference/inprocess"
)

// opener is a command that opens a run: the one in dir, beside runs that nobody has touched.
type opener struct {
	name string
	args func(dir, good, bad string) []string
}

func openers() []opener {
	return []opener{
		{name: "report", args: func(dir, _, _ string) []string { return []string{"report", dir, "--out", dir + "-out"} }},
		{name: "report in place", args: func(dir, _, _ string) []string { return []string{"report", dir} }},
		{name: "report of two", args: func(dir, good, _ string) []string { return []string{"report", good, dir, "--out", dir + "-out"} }},
		{name: "report --since", args: func(dir, _, bad string) []string {
			return []string{"report", bad, "--since", dir, "--out", dir + "-out"}
		}},
		{name: "diff, earlier", args: func(dir, good, _ string) []string { return []string{"diff", dir, good} }},
		{name: "diff, later", args: func(dir, good, _ string) []string { return []string{"diff", good, dir} }},
		{name: "judge", args: func(dir, _, _ string) []string { return []string{"judge", dir} }},
		{name: "judge FILE", args: func(dir, _, _ string) []string {
			return []string{"judge", filepath.Join(dir, reports.RecordingFile)}
		}},
		{name: "check --show", args: func(dir, _, _ string) []string { return []string{"check", "--show", "1", "--out", dir} }},
	}
}

// outcome is how a command ends: with a code, and with a text on the terminal or in summary.md.
type outcome struct {
	code int
	says string
}

// tampered is what was done to the folder of a run that deviates.
type tampered struct {
	name   string
	change func(t *testing.T, dir string)
	outcomes
}

// runOf records a run against the reference service and writes its folder.
func runOf(t *testing.T, dir, name string, deviations ...string) string {
	t.Helper()
	key := reference.RandomKey(name, spec.Business)
	service, err := reference.New(reference.Config{Keys: []reference.Key{key}, Deviations: deviations})
	if err != nil {
		t.Fatal(err)
	}
	var recorded bytes.Buffer
	cfg := conformance.Config{Base: &url.URL{Scheme: "http", Host: "pets.example", Path: "/v1"}, Key: key.Secret, Tool: tool(), Recording: &recorded,
		Transport: inprocess.Transport{Handler: service}, CategoryID: 1, MaxCreates: 30, Concurrency: 8, AsOf: time.Now().UTC(), Run: run.NewName(),
		Seed: 7, Patience: 50 * time.Millisecond}
	if _, err := run.Send(t.Context(), cfg); err != nil {
		t.Fatal(err)
	}
	put(t, dir, name+".jsonl", recorded.Bytes())
	to := filepath.Join(dir, name)
	code, said := commanded(t, "judge", to+".jsonl", "--out", to)
	if want := min(len(deviations), 1); code != want {
		t.Fatalf("%s: exit code %d, want %d\n%s", name, code, want, said)
	}
	return to
}

// TestEvidence: whatever was done to a run that deviates, no command that opens it is green, and each says why. The only ones that
// exit with 0 print something of a run whose recording is there: check --show, and diff with a later run that conforms.
func TestEvidence(t *testing.T) {
	t.Setenv("PETCONFORM_KEY", "")
	runs := t.TempDir()
	good, bad, deviant := runOf(t, runs, "good"), runOf(t, runs, "bad", "limit-defaults-to-10"), runOf(t, runs, "deviant", "limit-defaults-to-10")
	type row struct {
		what tampered
		by   opener
	}
	var rows []row
	for _, what := range tamperings(good) {
		for _, c := range openers() {
			rows = append(rows, row{what, c})
		}
	}
	for _, r := range long.Rows(t, rows, func(r row) []string { return []string{r.what.name, r.by.name} }) {
		what, c := r.what, r.by
		t.Run(what.name+"/"+c.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "run")
			if err := os.CopyFS(dir, os.DirFS(deviant)); err != nil {
				t.Fatal(err)
			}
			what.change(t, dir)
			code, said := commanded(t, c.args(dir, good, bad)...)
			if summary, err := os.ReadFile(filepath.Join(dir+"-out", reports.SummaryFile)); err == nil {
				said += " " + strings.Join(strings.Fields(string(summary)), " ")
			}
			want, ok := what.outcomes[c.name]
			if !ok {
				want = what.outcomes[""]
			}
			if code != want.code || !strings.Contains(said, want.says) {
				t.Errorf("exit code %d; %d and %q are wanted in:\n%.3000s", code, want.code, want.says, said)
			}
			if claimed := "was not judged again"; strings.Contains(said, claimed) && regexp.MustCompile(`(newly failing|fixed|mended) \(`).MatchString(said) {
				t.Errorf("%s, and makes a difference:\n%.3000s", claimed, said)
			}
		})
	}
}
