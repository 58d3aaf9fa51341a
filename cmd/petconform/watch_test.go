package main

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/reference"
)

// serveAt serves a reference service until the function that it returns is called.
func serveAt(t *testing.T, address string, key reference.Key, deviations ...string) (string, func()) {
	t.Helper()
	service, err := reference.New(reference.Config{Keys: []reference.Key{key}, Deviations: deviations})
	if err != nil {
		t.Fatal(err)
	}
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: service, ReadHeaderTimeout: time.Minute}
	go func() { _ = server.Serve(l) }()
	return l.Addr().String(), func() { _ = server.Close() }
}

// TestWatch: a fault is found, and named again on Enter; the target is restarted without it, with another one, and that is told.
func TestWatch(t *testing.T) {
	key := reference.Key{Name: "watch", Secret: exchange.NewSecret("pet-Key-0123456789-abcdef"), Plan: spec.Business}
	address, stop := serveAt(t, "127.0.0.1:0", key, "limit-defaults-to-none")
	dir := t.TempDir()
	cmd := command(append(os.Environ(), "PETCONFORM_KEY="+key.Secret.Reveal(), "NO_COLOR=1"), os.Args[0],
		"check", "--watch", "http://"+address+"/v1", "--patience=200ms")
	cmd.Dir = dir
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, printed := io.Pipe()
	cmd.Stdout = printed
	cmd.Stderr = printed
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	says := func(want ...string) { // until it watches again
		t.Helper()
		said := ""
		for !strings.Contains(said, "Watching the target") && lines.Scan() {
			said += lines.Text() + "\n"
		}
		for _, text := range want {
			if !strings.Contains(said, text) {
				t.Errorf("%q is wanted in\n%s", text, said)
			}
		}
	}
	says("Without a limit, the limit is not 20")
	_, _ = io.WriteString(in, "\n")
	says("still failing (1)\n  LIST-5")
	stop()
	time.Sleep(3 * nearLook) // a restart takes a moment
	_, stop = serveAt(t, address, key, "auth-no-key-403")
	defer stop()
	says("The target accepts connections again", "fixed (1)\n  LIST-5", "newly failing (1)\n  AUTH-2")
	_ = in.Close()
	if err := cmd.Wait(); err == nil || cmd.ProcessState.ExitCode() != 1 {
		t.Errorf("%v: exit code 1 of the last check is wanted", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "petconform-out", "report.html")); err != nil {
		t.Error(err)
	}
}
