package main

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"

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
		"lawful":              {[]string{"/pets?limit=100", "/pets?status=sold"}, true, nil, verdict.ExitNoVerdict, "PART: 5 of 10 musts hold, 0 broken"},
		"lawful, as a part":   {[]string{"/pets?limit=100", "/pets?status=sold"}, true, []string{"--accept-part"}, verdict.ExitConforms, "PART: 5 of 10 musts hold, 0 broken"},
		"deviating":           {[]string{"/pets?limit=0"}, true, nil, verdict.ExitDeviates, "DEVIATES, PART: 3 of 10 musts hold, 1 broken"},
		"deviating in a part": {[]string{"/pets?limit=0"}, true, []string{"--accept-part"}, verdict.ExitDeviates, "DEVIATES, PART: 3 of 10 musts hold, 1 broken"},
		"no key":              {[]string{"/pets"}, false, nil, verdict.ExitDeviates, "DEVIATES, PART: 1 of 10 musts hold, 1 broken"},
		"nothing":             {nil, true, []string{"--accept-part"}, verdict.ExitNoVerdict, "NO VERDICT, PART: 0 of 10 musts hold, 0 broken"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "out")
			ctx, end := context.WithCancel(t.Context())
			defer end()
			in, out := io.Pipe()
			done := make(chan int, 1)
			go func() {
				done <- run(ctx, append([]string{"client", "--listen", "127.0.0.1:0", "--out", dir, "--plain"}, c.flags...), streams{out, io.Discard})
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
			if a := before.Results.Target.Access; err == nil && (a == nil || !slices.ContainsFunc(a.Flags, func(f exchange.Flag) bool { return f.Name == "plain" })) {
				t.Errorf("the line to run again needs --plain; it has %+v", a)
			}
			if err != nil || before.Results.Kind != verdict.ClientKind || before.Results.Word != c.word {
				t.Errorf("the folder has a %s run, %s; %s was wanted (%v)", before.Results.Kind, before.Results.Word, c.word, err)
			}
			var told strings.Builder
			word, part, _ := strings.Cut(c.word, "PART: ")
			if code := run(t.Context(), append([]string{"judge", dir}, c.flags...), streams{&told, io.Discard}); code != c.code || !strings.Contains(told.String(), strings.TrimSuffix(word, ", ")) || !strings.Contains(told.String(), part) {
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
