package main

import (
	"cmp"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"petconform/spec"
	"petconform/spec/reference"
)

// inPipeline are the lines of README.md for a pipeline.
var inPipeline = regexp.MustCompile(`(?m)^## In a pipeline\n\n((?:    .*\n)+)`)

// builder stands for Go: it builds the petconform that this test has in PATH.
const builder = `#!/bin/sh
test "$*" = "build -o petconform ./cmd/petconform" && ln -s "$(command -v petconform)" petconform
`

// TestReadmePipeline runs the lines of README.md as a step of GitHub's does, by bash -e: the step ends with petconform's exit
// code, and its summary has that of the run once.
func TestReadmePipeline(t *testing.T) {
	t.Parallel()
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	lines := inPipeline.FindSubmatch(readme)
	if lines == nil {
		t.Fatal("README.md has no lines for a pipeline")
	}
	key := reference.RandomKey("pipeline", spec.Business)
	for name, c := range map[string]struct {
		key, deviation, target string
		code                   int
		says                   string
	}{
		"no key":      {key: "", code: 2, says: "no API key is given"},
		"never ready": {key: key.Secret.Reveal(), target: "http://127.0.0.1:1/v1", code: 3, says: "not ready within 100ms"},
		"deviates":    {key: key.Secret.Reveal(), deviation: "limit-defaults-to-10", code: 1, says: "LIST-5"},
		"conforms":    {key: key.Secret.Reveal(), code: 0, says: "CONFORMS"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			target, _ := serving(t, reference.Config{Keys: []reference.Key{key}, Deviations: strings.Fields(c.deviation)})
			dir, bin := t.TempDir(), t.TempDir()
			if err := os.WriteFile(filepath.Join(bin, "go"), []byte(builder), 0o700); err != nil {
				t.Fatal(err)
			}
			script := strings.NewReplacer("…", c.key, "60s", "100ms").Replace(string(lines[1]))
			env := append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"), "STAGING="+cmp.Or(c.target, target), "NO_COLOR=1",
				"GITHUB_ACTIONS=true", "GITHUB_STEP_SUMMARY="+filepath.Join(dir, "step-summary"))
			cmd := command(env, "bash", "-e", "-c", script)
			cmd.Dir = dir
			code, out, errs := ran(cmd)
			if code != c.code {
				t.Errorf("exit code %d, want %d\n%s%s", code, c.code, out, errs)
			}
			step, err := os.ReadFile(filepath.Join(dir, "step-summary"))
			if err != nil {
				t.Fatalf("%v\n%s%s", err, out, errs)
			}
			own, err := os.ReadFile(filepath.Join(dir, "check", "summary.md"))
			if err != nil || string(own) != string(step) || !strings.Contains(string(step), c.says) {
				t.Errorf("%v: the summary of the run once, with %q, is wanted in that of the step:\n%s", err, c.says, step)
			}
		})
	}
}
