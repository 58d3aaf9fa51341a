package main

import (
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"petconform/spec"
	"petconform/spec/reference"
)

// TestNoFileDescriptors: a machine that has too few file descriptors accuses no target, and the report is written where a file can be.
// Descriptors that the test inherits, of flock say, are closed, so that they do not count.
func TestNoFileDescriptors(t *testing.T) {
	self, err := filepath.Abs(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	key := reference.RandomKey("few", spec.Business)
	service, err := reference.New(reference.Config{Keys: []reference.Key{key}})
	if err != nil {
		t.Fatal(err)
	}
	target := httptest.NewServer(service)
	defer target.Close()
	check, load := []string{"check", "--timeout", "1s", "--max-wait", "1s"}, []string{"load", "--quick", "--plan", "Business"}
	for _, row := range []struct {
		args        []string
		descriptors int
		says        string
		report      bool
	}{
		{check, 8, "too many open files", false},
		{check, 9, "too many open files", true},
		{check, 10, "NO VERDICT", true},
		{check, 12, "NO VERDICT", true},
		{load, 10, "the run was aborted: this machine has no file descriptor left", true},
	} {
		dir := t.TempDir()
		out, program := filepath.Join(dir, "out"), filepath.Join(dir, "petconform")
		if err := os.Symlink(self, program); err != nil {
			t.Fatal(err)
		}
		script := []string{"-c", fmt.Sprintf(`exec 3>&- 4>&- 5>&-; ulimit -n %d; exec "$@"`, row.descriptors), "sh", program}
		args := slices.Concat(script, row.args, []string{"--target", target.URL + "/v1", "--out", out})
		cmd := command(append(os.Environ(), "PETCONFORM_KEY="+key.Secret.Reveal()), "/bin/sh", args...)
		said, _ := cmd.CombinedOutput() // the exit code is held to below
		if code := cmd.ProcessState.ExitCode(); code != 3 || !strings.Contains(strings.Join(strings.Fields(string(said)), " "), row.says) || strings.Contains(string(said), "goroutine ") {
			t.Errorf("%d file descriptors: exit code %d; 3 and %q were wanted, in:\n%s", row.descriptors, code, row.says, said)
		}
		if _, err := os.Stat(filepath.Join(out, "results.json")); (err == nil) != row.report {
			t.Errorf("%d file descriptors: results.json: %v", row.descriptors, err)
		}
	}
}
