package main

import (
	"bytes"
	"cmp"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"

	"petconform/spec"
	"petconform/spec/reference"
	"petconform/spec/verdict"
)

// exitCodes has the exit code of a run without waivers and without --accept-part.
var exitCodes = map[verdict.Run]int{verdict.Conforms: 0, verdict.Deviates: 1, verdict.NoVerdict: 3}

// command runs a program. This test's own binary stands for petconform: Ginkgo runs one suite in a process.
func command(env []string, program string, args ...string) *exec.Cmd {
	cmd := exec.Command(program, args...)
	cmd.Env = env
	if program == os.Args[0] {
		cmd.Args[0] = "petconform"
	}
	return cmd
}

// ran runs a command, and returns its exit code and what it wrote to standard output and standard error. The code is -1 if a signal
// ended the command, or if it did not start.
func ran(cmd *exec.Cmd) (code int, out, errs string) {
	var o, e bytes.Buffer
	if cmd.Stdout == nil {
		cmd.Stdout = &o
	}
	if cmd.Stderr == nil {
		cmd.Stderr = &e
	}
	if err := cmd.Run(); cmd.ProcessState == nil {
		return -1, "", err.Error()
	}
	return cmd.ProcessState.ExitCode(), o.String(), e.String()
}

// commanded runs the command line in this process, and returns its exit code and what it printed, on one line.
func commanded(t *testing.T, args ...string) (code int, said string) {
	t.Helper()
	var out bytes.Buffer
	code = newApp(&out, &out).commandLine(t.Context(), args)
	return code, strings.Join(strings.Fields(out.String()), " ")
}

// serving starts a reference service until the test ends, and returns its base address and its key, which is made if the
// configuration has none.
func serving(t *testing.T, cfg reference.Config) (base, key string) {
	t.Helper()
	if cfg.Keys == nil {
		cfg.Keys = []reference.Key{reference.RandomKey("test", spec.Business)}
	}
	service, err := reference.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(service)
	t.Cleanup(server.Close)
	return server.URL + "/v1", cfg.Keys[0].Secret.Reveal()
}

// runIn makes a run of the built-in reference service, and returns the folder that has its folder out.
func runIn(t *testing.T) (dir string) {
	t.Helper()
	cmd := command(nil, os.Args[0], "check", "--quick", "--out", "out")
	cmd.Dir = t.TempDir()
	if code, out, errs := ran(cmd); code != verdict.ExitConforms {
		t.Fatalf("exit code %d: %s", code, cmp.Or(errs, out))
	}
	return cmd.Dir
}
