package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"petconform/reports"
	"petconform/spec/exchange"
	"petconform/spec/verdict"
)

// TestClientCommand: the exit code, the folder, and the verdict again from the recording.
func TestClientCommand(t *testing.T) {
	for name, c := range map[string]struct {
		paths []string
		key   bool
		flags []string
		code  int
		word  string
	}{
		"lawful":            {[]string{"/pets?limit=100", "/pets?status=sold"}, true, nil, verdict.ExitConforms, "CONFORMS"},
		"deviating":         {[]string{"/pets?limit=0"}, true, nil, verdict.ExitDeviates, "DEVIATES"},
		"no key":            {[]string{"/pets"}, false, nil, verdict.ExitDeviates, "DEVIATES"},
		"nothing":           {nil, true, nil, verdict.ExitNoVerdict, "NO VERDICT"},
		"a required should": {[]string{"/pets", "/pets/1"}, true, []string{"--require", "CLIENT-14"}, verdict.ExitDeviates, "DEVIATES"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "out")
			ctx, end := context.WithCancel(t.Context())
			defer end()
			in, out := io.Pipe()
			done := make(chan int, 1)
			go func() {
				done <- newApp(out, io.Discard).commandLine(ctx, append([]string{"client", "--listen", "127.0.0.1:0", "--out", dir, "--plain"}, c.flags...))
				out.Close()
			}()
			target, key := exported(t, in)
			for _, path := range c.paths {
				r, err := http.NewRequestWithContext(ctx, http.MethodGet, target+path, nil)
				if err != nil {
					t.Fatal(err)
				}
				if c.key {
					r.Header.Set("Authorization", "Bearer "+key)
				}
				resp, err := http.DefaultClient.Do(r)
				if err != nil {
					t.Fatal(err)
				}
				resp.Body.Close()
			}
			end()
			if code := <-done; code != c.code {
				t.Errorf("exit code %d, want %d", code, c.code)
			}
			before, err := reports.Opening{}.Open(dir)
			if flags := before.Results.Target.Flags; err == nil && !slices.ContainsFunc(flags, func(f exchange.Flag) bool { return f.Name == "plain" }) {
				t.Errorf("the line to run again needs --plain; it has %+v", flags)
			}
			if err != nil || before.Results.Kind != verdict.ClientKind || before.Results.Word != c.word {
				t.Errorf("the folder has a %s run, %s; %s was wanted (%v)", before.Results.Kind, before.Results.Word, c.word, err)
			}
			var told strings.Builder
			if code := newApp(&told, io.Discard).commandLine(t.Context(), []string{"judge", dir}); code != c.code || !strings.Contains(told.String(), c.word) {
				t.Errorf("judged again: %d, want %d\n%s", code, c.code, told.String())
			}
		})
	}
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

// exported reads the target and the key from what the command prints, and goes on reading.
func exported(t *testing.T, r io.Reader) (target, key string) {
	t.Helper()
	lines := bufio.NewScanner(r)
	for (target == "" || key == "") && lines.Scan() {
		if v, ok := strings.CutPrefix(lines.Text(), "export PETCONFORM_TARGET="); ok {
			target = v
		}
		if v, ok := strings.CutPrefix(lines.Text(), "export PETCONFORM_KEY="); ok {
			key = v
		}
	}
	if target == "" || key == "" {
		t.Fatal("the command did not print a target and a key")
	}
	go func() { _, _ = io.Copy(io.Discard, r) }()
	return target, key
}
