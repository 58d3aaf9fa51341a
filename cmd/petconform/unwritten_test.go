package main

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"petconform/spec"
	"petconform/spec/reference"
	"petconform/spec/verdict"
)

// TestWhatCannotBeWritten: a run whose files cannot be written says what it found, then what could not be written, and
// has no verdict.
func TestWhatCannotBeWritten(t *testing.T) {
	key := reference.RandomKey("few", spec.Business)
	t.Setenv("PETCONFORM_KEY", key.Secret.Reveal())
	for name, row := range map[string]struct {
		// spoil makes something in the folder impossible while the run sends.
		spoil func(t *testing.T, out string)
		says  string
	}{
		"results.json": {func(t *testing.T, out string) {
			if err := os.MkdirAll(filepath.Join(out, "unfinished", "results.json", "in the way"), 0o755); err != nil {
				t.Error(err)
			}
		}, "the report could not be written: writing results.json: "},
		"report.html": {func(t *testing.T, out string) {
			if err := os.MkdirAll(filepath.Join(out, "report.html", "in the way"), 0o755); err != nil {
				t.Error(err)
			}
		}, "the report could not be written: the folder "},
		"a folder that is gone": {func(t *testing.T, out string) {
			if err := os.RemoveAll(out); err != nil {
				t.Error(err)
			}
		}, "was removed or replaced during the run"},
	} {
		service, err := reference.New(reference.Config{Keys: []reference.Key{key}, Deviations: []string{"limit-defaults-to-10"}})
		if err != nil {
			t.Fatal(err)
		}
		out := filepath.Join(t.TempDir(), "out")
		once := sync.OnceFunc(func() { row.spoil(t, out) })
		target := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodPost {
				once()
			}
			service.ServeHTTP(w, r)
		}))
		code, said, failed := executed(command(os.Environ(), os.Args[0], "check", "--quick", "--target", target.URL+"/v1", "--out", out))
		target.Close()
		if code != verdict.ExitNoVerdict || !strings.Contains(said, "DEVIATES") || !strings.Contains(said, "LIST-5") ||
			strings.Contains(said, "Report: ") || !strings.Contains(failed, row.says) {
			t.Errorf("%s: exit code %d; 3, what was found, and then %q were wanted, in:\n%s%s", name, code, row.says, said, failed)
		}
	}
}

// TestAFullDisk: a recording that cannot be written ends the run, and what came before is told, by a check, a load, and
// by judge, which copies the recording.
func TestAFullDisk(t *testing.T) {
	self, err := filepath.Abs(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	program := filepath.Join(dir, "petconform")
	if err := os.Symlink(self, program); err != nil {
		t.Fatal(err)
	}
	whole := filepath.Join(dir, "whole")
	if code, said, failed := executed(command(os.Environ(), os.Args[0], "check", "--quick", "--out", whole)); code != verdict.ExitConforms {
		t.Fatalf("exit code %d:\n%s%s", code, said, failed)
	}
	for name, args := range map[string][]string{
		"check": {"check", "--quick"},
		"load":  {"load", "--quick", "--plan", "Free", "--minute", "1s"},
		"judge": {"judge", whole},
	} {
		// A file may have 20 blocks of 512 bytes, or of 1,024 where sh is bash.
		limited := append([]string{"-c", `ulimit -f 20; exec "$@"`, "sh", program}, args...)
		code, said, failed := executed(command(os.Environ(), "/bin/sh", append(limited, "--out", filepath.Join(dir, name))...))
		word := "NO VERDICT"
		if name == "judge" {
			word = "CONFORMS"
		}
		if code != verdict.ExitNoVerdict || !strings.Contains(said, word) || strings.Contains(said, "Report: ") ||
			!strings.Contains(failed, "the recording could not be written: ") {
			t.Errorf("%s: exit code %d; 3, %s and the recording were wanted, in:\n%s%s", name, code, word, said, failed)
		}
	}
}

// executed runs a command, and returns its exit code and what it wrote to standard output and standard error.
func executed(cmd *exec.Cmd) (code int, said, failed string) {
	var out, err bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &err
	_ = cmd.Run() // the exit code is what is wanted
	return cmd.ProcessState.ExitCode(), out.String(), err.String()
}
