package main

import (
	"bytes"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/reference"
)

// told is what a process has printed so far.
type told struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (o *told) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(p)
}

func (o *told) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// await waits until the text was printed n times.
func (o *told) await(t *testing.T, text string, n int) {
	t.Helper()
	for end := time.Now().Add(time.Minute); strings.Count(o.String(), text) < n; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%q is wanted %d times in\n%s", text, n, o)
		}
	}
}

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
	dir, out := t.TempDir(), &told{}
	cmd := command(append(os.Environ(), "PETCONFORM_KEY="+key.Secret.Reveal(), "NO_COLOR=1"), os.Args[0],
		"check", "--watch", "http://"+address+"/v1", "--patience=200ms")
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, out, out
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	out.await(t, "Watching the target", 1)
	out.await(t, "Without a limit, the limit is not 20", 1)
	_, _ = io.WriteString(in, "\n")
	out.await(t, "still failing (1)\n  LIST-5", 1)
	out.await(t, "Watching the target", 2)
	stop()
	time.Sleep(3 * nearLook) // a restart takes a moment
	_, stop = serveAt(t, address, key, "auth-no-key-403")
	defer stop()
	out.await(t, "The target accepts connections again", 1)
	out.await(t, "fixed (1)\n  LIST-5", 1)
	out.await(t, "newly failing (1)\n  AUTH-2", 1)
	out.await(t, "Watching the target", 3)
	_ = in.Close()
	if err := cmd.Wait(); err == nil || cmd.ProcessState.ExitCode() != 1 {
		t.Errorf("%v: exit code 1 of the last check is wanted\n%s", err, out)
	}
	if _, err := os.Stat(filepath.Join(dir, "petconform-out", "report.html")); err != nil {
		t.Error(err)
	}
}
