package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"petconform/reports"
	"petconform/spec/verdict"
)

// TestClosedOutput: a reader that has enough, as in petconform check | head, ends a command quietly, and a run with its report.
func TestClosedOutput(t *testing.T) {
	dir := runIn(t)
	for _, args := range []string{"list openapi", "diff out out", "report out", "check --verbose --out checked"} {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		_ = r.Close() // nobody reads
		cmd := command(nil, os.Args[0], strings.Fields(args)...)
		cmd.Dir, cmd.Stdout = dir, w
		if code, _, said := ran(cmd); code != 0 && code != -1 || strings.Contains(said, "petconform:") { // a signal may end it
			t.Errorf("petconform %s: exit code %d, and %q; a quiet end is wanted", args, code, said)
		}
		_ = w.Close()
	}
	if in, err := (reports.Opening{}).Open(filepath.Join(dir, "checked")); err != nil || in.Results.Verdict != verdict.Conforms {
		t.Errorf("the report says %q (%v)", in.Results.Verdict, err)
	}
}
