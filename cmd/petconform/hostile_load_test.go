package main

import (
	"bytes"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"petconform/reports"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/reference"
	"petconform/spec/verdict"
)

// loadTargets misbehave under load.
func loadTargets() []hostile {
	hang := func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	return []hostile{
		{name: "hangs on every request", want: verdict.NoVerdict, wrap: always(hang), says: "the first request got no response"},
		{name: "hangs from the 10th request on", want: verdict.NoVerdict, wrap: from(10, hang), says: "RATE-6 could not be told"},
		{name: "drips headers", want: verdict.NoVerdict, wrap: always(repeated("HTTP/1.1 200 OK\r\n", "X-A: b\r\n", 10*time.Millisecond)), says: "the first request got no response"},
		{name: "an endless body", want: verdict.Deviates, wrap: from(10, repeated(okHead+"\r\n[", strings.Repeat(" ", 1<<15), 0)), says: "RATE-1"},
		{name: "status 000", want: verdict.Deviates, wrap: from(10, connected(func(c net.Conn) { _, _ = c.Write([]byte("HTTP/1.1 000 Nothing\r\n\r\n")) })), says: "RATE-"},
		{name: "echoes the key: a header's name", want: verdict.NoVerdict, leak: true, wrap: func(reference http.Handler, key string) http.Handler {
			return altered(same200, key, "1")(reference, key)
		}, says: "0 broken"}, // --quick is a part
		{name: "429 with Retry-After of a year", want: verdict.Deviates, wrap: from(10, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "31536000")
			w.WriteHeader(http.StatusTooManyRequests)
		}), says: "RATE-"},
		{name: "closes each connection", want: verdict.NoVerdict, wrap: always(raw("")), says: "no service to judge"},
		{name: "redirects to itself", want: verdict.NoVerdict, wrap: always(func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, r.URL.Path, http.StatusFound) }), says: "is redirected"},
	}
}

// TestLoadOnHostileTargets: whatever a target sends under load, the run ends in bounded time, memory and disk, with the right verdict
// and its report, and the ledger of the key is there for the next run.
func TestLoadOnHostileTargets(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs petconform against 9 targets")
	}
	var mu sync.Mutex
	var table []hostileRow
	var all sync.WaitGroup
	for _, target := range loadTargets() {
		all.Go(func() {
			t.Run(target.name, func(t *testing.T) {
				r := target.load(t)
				mu.Lock()
				defer mu.Unlock()
				table = append(table, r)
			})
		})
	}
	all.Wait()
	slices.SortFunc(table, func(a, b hostileRow) int { return strings.Compare(a.name, b.name) })
	for _, r := range table {
		t.Log(r)
	}
}

// load runs petconform load against the target in a process of its own, with minutes of a second.
func (h hostile) load(t *testing.T) hostileRow {
	t.Helper()
	key := reference.RandomKey("hostile", spec.Free)
	service, err := reference.New(reference.Config{Keys: []reference.Key{key}, Minute: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(h.wrap(service, key.Secret.Reveal()))
	defer server.Close()
	defer server.CloseClientConnections()
	dir, peak := t.TempDir(), filepath.Join(t.TempDir(), "peak")
	cmd := command(append(os.Environ(), "PETCONFORM_KEY="+key.Secret.Reveal(), "NO_COLOR=1", "PEAK="+peak), os.Args[0], "load", "--quick",
		"--target", server.URL+"/v1", "--out", filepath.Join(dir, "out"), "--ledger", filepath.Join(dir, "ledger"), "--minute", "1s", "--timeout", "300ms")
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	begun := time.Now()
	_ = cmd.Run() // the exit code is held to below
	r := hostileRow{name: h.name, took: time.Since(begun), cpu: cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), code: cmd.ProcessState.ExitCode(),
		memory: peakOf(t, peak), disk: sizeOf(t, dir), line: lineOf(said.String())}
	if r.took > mostTime || r.memory > mostMemory || r.disk > mostDisk {
		t.Errorf("%s; at most %s, %d MiB and %d MiB are wanted", r, mostTime, mostMemory>>20, mostDisk>>20)
	}
	text := strings.Join(strings.Fields(said.String()), " ")
	if r.code != h.want.ExitCode() || !strings.Contains(text, h.says) || strings.Contains(text, "fault of its own") || h.leak != strings.Contains(text, "sent an API key back") {
		t.Errorf("exit code %d; %d and %q were wanted, in:\n%.4000s", r.code, h.want.ExitCode(), h.says, said.String())
	}
	if _, err := reports.Read(filepath.Join(dir, "out")); err != nil {
		t.Errorf("the report: %v", err)
	}
	books := 0
	eachFile(t, dir, func(name string, data []byte) {
		if strings.HasPrefix(name, filepath.Join(dir, "ledger")) {
			books++
		}
		if exchange.NewRedactor(key.Secret).Found(data) {
			t.Errorf("the key stands in %s", name)
		}
	})
	if books == 0 {
		t.Error("the ledger of the key is lost")
	}
	return r
}
