package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"petconform/spec/verdict"
)

// TestFullOutput: when standard output cannot be written, the exit code is 3 and standard error says so, whatever the command.
func TestFullOutput(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer full.Close()
	for _, args := range [][]string{{"list"}, {"explain", "LIST-5"}, {"version"}, {"--version"}, {"--help"}, {"list", "openapi"}, {"check", "--out", "out"},
		{"judge", "out"}, {"report", "out"}, {"diff", "out", "out"}, {"check", "--show", "1", "--out", "out"}} {
		cmd := command(nil, os.Args[0], args...)
		var said strings.Builder
		cmd.Dir, cmd.Stdout, cmd.Stderr = filepath.Dir(outOf(t)), full, &said
		_ = cmd.Run() // the exit code is held to below
		if code := cmd.ProcessState.ExitCode(); code != verdict.ExitNoVerdict || !strings.Contains(said.String(), "standard output could not be written") {
			t.Errorf("petconform %s: exit code %d, and %q; %d and the reason are wanted", strings.Join(args, " "), code, said.String(), verdict.ExitNoVerdict)
		}
	}
}

// TestClosedOutput: a reader that has enough ends a command quietly.
func TestClosedOutput(t *testing.T) {
	for _, args := range [][]string{{"list", "openapi"}, {"diff", "out", "out"}, {"report", "out"}} {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		_ = r.Close() // nobody reads
		cmd := command(nil, os.Args[0], args...)
		var said strings.Builder
		cmd.Dir, cmd.Stdout, cmd.Stderr = filepath.Dir(outOf(t)), w, &said
		_ = cmd.Run() // a signal may end it
		_ = w.Close()
		if code := cmd.ProcessState.ExitCode(); code != 0 && code != -1 || strings.Contains(said.String(), "petconform:") {
			t.Errorf("petconform %s: exit code %d, and %q; a quiet end is wanted", strings.Join(args, " "), code, said.String())
		}
	}
}

// outOf returns the folder of a run, named out.
func outOf(t *testing.T) string {
	t.Helper()
	cmd := command(nil, os.Args[0], "check", "--out", "out")
	cmd.Dir = t.TempDir()
	if said, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	return filepath.Join(cmd.Dir, "out")
}
