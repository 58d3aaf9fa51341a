package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"petconform/reports"
	"petconform/spec"
	"petconform/spec/reference"
	"petconform/spec/verdict"
)

// TestClosedOutput: a reader that has enough, as in petconform check | head, ends a command quietly, and a run with its report.
func TestClosedOutput(t *testing.T) {
	dir := runIn(t)
	for _, args := range []string{"list openapi", "diff out out", "report out", "check --verbose --out checked"} {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		_ = r.Close() // nobody reads
		cmd := command(nil, os.Args[0], strings.Fields(args)...)
		cmd.Dir, cmd.Stdout = dir, w
		if code, _, said := ran(cmd); code != 0 && code != -1 || strings.Contains(said, "petconform:") { // a signal may end it
			t.Errorf("petconform %s: exit code %d, and %q; a quiet end is wanted", args, code, said)
		}
		_ = w.Close()
	}
	if in, err := (reports.Opening{}).Open(filepath.Join(dir, "checked")); err != nil || in.Results.Verdict != verdict.Conforms {
		t.Errorf("the report says %q (%v)", in.Results.Verdict, err)
	}
}

// TestWhatCannotBeWritten: a run whose files cannot be written says what it found, then what could not be written, and
// has no verdict.
func TestWhatCannotBeWritten(t *testing.T) {
	inTheWay := func(file ...string) func(string) error {
		return func(out string) error {
			return os.MkdirAll(filepath.Join(out, filepath.Join(file...), "in the way"), 0o755)
		}
	}
	for name, row := range map[string]struct {
		// spoil makes something in the folder impossible while the run sends.
		spoil func(out string) error
		says  string
	}{
		"results.json":          {inTheWay("unfinished", "results.json"), "the report could not be written: writing results.json: "},
		"report.html":           {inTheWay("report.html"), "the report could not be written: the folder "},
		"a folder that is gone": {os.RemoveAll, "was removed or replaced during the run"},
	} {
		key := reference.RandomKey("few", spec.Business)
		service, err := reference.New(reference.Config{Keys: []reference.Key{key}, Deviations: []string{"limit-defaults-to-10"}})
		if err != nil {
			t.Fatal(err)
		}
		out := filepath.Join(t.TempDir(), "out")
		once := sync.OnceValue(func() error { return row.spoil(out) })
		target := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodPost && once() != nil {
				t.Errorf("%s: %v", name, once())
			}
			service.ServeHTTP(w, r)
		}))
		code, said, failed := ran(command(append(os.Environ(), "PETCONFORM_KEY="+key.Secret.Reveal()), os.Args[0], "check", "--quick", "--target", target.URL+"/v1", "--out", out))
		target.Close()
		if code != verdict.ExitNoVerdict || !strings.Contains(said, "DEVIATES") || !strings.Contains(said, "LIST-5") ||
			strings.Contains(said, "Report: ") || !strings.Contains(failed, row.says) {
			t.Errorf("%s: exit code %d; 3, what was found, and then %q were wanted, in:\n%s%s", name, code, row.says, said, failed)
		}
	}
}

// limited is petconform with fewer means than usual, by a line of sh.
func limited(t *testing.T, limit string, args ...string) *exec.Cmd {
	t.Helper()
	self, err := filepath.Abs(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(t.TempDir(), "petconform")
	if err := os.Symlink(self, program); err != nil {
		t.Fatal(err)
	}
	return command(os.Environ(), "/bin/sh", append([]string{"-c", limit + `; exec "$@"`, "sh", program}, args...)...)
}

// TestAFullDisk: a recording that cannot be written ends the run, and what came before is told, by a check, a load, and
// by judge, which copies the recording.
func TestAFullDisk(t *testing.T) {
	dir := runIn(t)
	for args, word := range map[string]string{"check --quick": "NO VERDICT", "load --quick --plan Free --minute 1s": "NO VERDICT",
		"judge " + filepath.Join(dir, "out"): "CONFORMS"} {
		// A file may have 20 blocks of 512 bytes, or of 1,024 where sh is bash.
		code, said, failed := ran(limited(t, "ulimit -f 20", append(strings.Fields(args), "--out", filepath.Join(t.TempDir(), "out"))...))
		if code != verdict.ExitNoVerdict || !strings.Contains(said, word) || strings.Contains(said, "Report: ") ||
			!strings.Contains(failed, "the recording could not be written: ") {
			t.Errorf("%s: exit code %d; 3, %s and the recording were wanted, in:\n%s%s", args, code, word, said, failed)
		}
	}
}

// TestNoFileDescriptors: a machine that has too few file descriptors accuses no target, and the report is written where a file can be.
// Descriptors that the test inherits, of flock say, are closed, so that they do not count.
func TestNoFileDescriptors(t *testing.T) {
	target, key := serving(t, reference.Config{})
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
		out := filepath.Join(t.TempDir(), "out")
		cmd := limited(t, fmt.Sprintf("exec 3>&- 4>&- 5>&-; ulimit -n %d", row.descriptors), slices.Concat(row.args, []string{"--target", target, "--out", out})...)
		cmd.Env = append(cmd.Env, "PETCONFORM_KEY="+key)
		code, said, failed := ran(cmd)
		if said += failed; code != 3 || !strings.Contains(strings.Join(strings.Fields(said), " "), row.says) || strings.Contains(said, "goroutine ") {
			t.Errorf("%d file descriptors: exit code %d; 3 and %q were wanted, in:\n%s", row.descriptors, code, row.says, said)
		}
		if _, err := os.Stat(filepath.Join(out, "results.json")); (err == nil) != row.report {
			t.Errorf("%d file descriptors: results.json: %v", row.descriptors, err)
		}
	}
}
