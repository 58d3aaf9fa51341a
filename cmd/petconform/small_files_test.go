package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"petconform/spec/verdict"
)

// TestFilesThatFlagsName: what is no regular file, or too large for one of its kind, is wrong usage at once. A named pipe without a
// writer would hold the command up, and /dev/zero has no end.
func TestFilesThatFlagsName(t *testing.T) {
	dir := t.TempDir()
	pipe, large := filepath.Join(dir, "pipe"), filepath.Join(dir, "large")
	if err := exec.Command("mkfifo", pipe).Run(); err != nil {
		t.Skip("no named pipes here:", err)
	}
	if err := os.WriteFile(large, make([]byte, 2<<20), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, flag := range []string{"check --target https://127.0.0.1:1/v1 --key-file", "check --target https://127.0.0.1:1/v1 --ca-cert",
		"check --target https://127.0.0.1:1/v1 --cert", "check --waivers", "check --config", "load --dry-run --target https://127.0.0.1:1/v1 --keys", "serve --keys"} {
		for file, says := range map[string]string{pipe: "name a regular file", "/dev/zero": "name a regular file", large: "larger than 1 MiB", dir: "folder"} {
			cmd := command([]string{"PETCONFORM_KEY=a-key-of-some-length"}, os.Args[0], append(strings.Fields(flag), file)...)
			cmd.Dir = dir
			code, _, said := ran(cmd)
			if code != verdict.ExitUsage || !strings.Contains(said, says) {
				t.Errorf("%s %s: exit code %d, %q; %d and %q are wanted", flag, filepath.Base(file), code, said, verdict.ExitUsage, says)
			}
		}
	}
}
