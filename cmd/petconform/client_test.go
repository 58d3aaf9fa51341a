package main

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"petconform/reports"
	"petconform/spec/verdict"
)

// TestClientCommand: the exit code, the folder, and the verdict again from the recording.
func TestClientCommand(t *testing.T) {
	for name, c := range map[string]struct {
		paths []string
		key   bool
		code  int
	}{
		"lawful":    {[]string{"/pets?limit=100", "/pets?status=sold"}, true, verdict.ExitConforms},
		"deviating": {[]string{"/pets?limit=0"}, true, verdict.ExitDeviates},
		"no key":    {[]string{"/pets"}, false, verdict.ExitDeviates},
		"nothing":   {nil, true, verdict.ExitNoVerdict},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "out")
			ctx, end := context.WithCancel(t.Context())
			defer end()
			in, out := io.Pipe()
			done := make(chan int, 1)
			go func() {
				done <- run(ctx, []string{"client", "--listen", "127.0.0.1:0", "--out", dir, "--plain"}, streams{out, io.Discard})
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
			if a := before.Results.Target.Access; err == nil && (a == nil || len(a.Flags) != 1 || a.Flags[0].Name != "plain") {
				t.Errorf("the line to run again needs --plain; it has %+v", a)
			}
			if err != nil || before.Results.Kind != verdict.ClientKind || exitCodes[before.Results.Verdict] != c.code {
				t.Errorf("the folder has a %s run that %s (%v)", before.Results.Kind, before.Results.Verdict, err)
			}
			var told strings.Builder
			if code := run(t.Context(), []string{"judge", dir}, streams{&told, io.Discard}); code != c.code || !strings.Contains(told.String(), before.Results.Word) {
				t.Errorf("judged again: %d, want %d\n%s", code, c.code, told.String())
			}
		})
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
