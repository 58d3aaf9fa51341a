package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"petconform/spec"
	"petconform/spec/exchange"
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

// noError ends the test if there is an error.
func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// serving starts a reference service until the test ends, and returns its base address and its key, which is made if the
// configuration has none.
func serving(t *testing.T, cfg reference.Config) (base, key string) {
	t.Helper()
	if cfg.Keys == nil {
		cfg.Keys = []reference.Key{reference.RandomKey("test", spec.Business)}
	}
	service, err := reference.New(cfg)
	noError(t, err)
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

// lister is a client that lists as often as its first argument says, waits after a 429, and ends with the exit code in its second.
func lister() {
	times, _ := strconv.Atoi(os.Args[1])
	for range times {
		r, err := http.NewRequestWithContext(context.Background(), http.MethodGet, os.Getenv("PETCONFORM_TARGET")+"/pets?limit=5", nil)
		if err != nil {
			os.Exit(100)
		}
		r.Header.Set("Authorization", "Bearer "+os.Getenv("PETCONFORM_KEY"))
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			os.Exit(101)
		}
		_, _ = io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
		if wait, ok := exchange.RetryAfter(resp.Header, time.Now()); ok {
			time.Sleep(wait)
		}
	}
	fmt.Println("listed", times)
	if len(os.Args) > 2 {
		code, _ := strconv.Atoi(os.Args[2])
		os.Exit(code)
	}
}

// exported reads the target from what the command prints, and goes on reading.
func exported(t *testing.T, r io.Reader) (target string) {
	t.Helper()
	for lines := bufio.NewScanner(r); lines.Scan(); {
		if target, found := strings.CutPrefix(lines.Text(), "export PETCONFORM_TARGET="); found {
			go func() { _, _ = io.Copy(io.Discard, r) }()
			return target
		}
	}
	t.Fatal("the command did not print a target")
	return ""
}

// TestWatch: a fault is found; the target is restarted without it, with another one, and that is told on Enter.
func TestWatch(t *testing.T) {
	key := reference.RandomKey("watch", spec.Business)
	var current atomic.Pointer[reference.Service]
	start := func(deviation string) {
		service, err := reference.New(reference.Config{Keys: []reference.Key{key}, Deviations: []string{deviation}})
		noError(t, err)
		current.Store(service)
	}
	start("limit-defaults-to-none")
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		current.Load().ServeHTTP(w, r)
	}))
	defer server.Close()
	dir := t.TempDir()
	cmd := command(append(os.Environ(), "PETCONFORM_KEY="+key.Secret.Reveal(), "NO_COLOR=1"), os.Args[0],
		"check", "--watch", server.URL+"/v1", "--patience=200ms")
	cmd.Dir = dir
	in, err := cmd.StdinPipe()
	noError(t, err)
	out, printed := io.Pipe()
	cmd.Stdout = printed
	cmd.Stderr = printed
	noError(t, cmd.Start())
	lines := bufio.NewScanner(out)
	says := func(want ...string) { // until it waits for Enter
		t.Helper()
		said := ""
		for !strings.Contains(said, "Enter checks again") && lines.Scan() {
			said += lines.Text() + "\n"
		}
		for _, text := range want {
			if !strings.Contains(said, text) {
				t.Errorf("%q is wanted in\n%s", text, said)
			}
		}
	}
	says("Without a limit, the limit is not 20")
	start("auth-no-key-403")
	_, _ = io.WriteString(in, "\n")
	says("fixed (1)\n  LIST-5", "newly failing (1)\n  AUTH-2")
	_ = in.Close()
	if err := cmd.Wait(); err == nil || cmd.ProcessState.ExitCode() != 1 {
		t.Errorf("%v: exit code 1 of the last check is wanted", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "petconform-out", "report.html")); err != nil {
		t.Error(err)
	}
}
