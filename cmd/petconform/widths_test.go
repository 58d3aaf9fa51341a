package main

import (
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/testscript"
)

// escapes are the sequences that draw lines again.
var escapes = regexp.MustCompile(`\x1b\[[0-9;]*[A-Za-z]`)

// narrow runs petconform on a terminal of so many columns, and wants no line to be wider: narrow COLUMNS ARGUMENT… A word of a
// command that is to be copied stays whole.
func narrow(ts *testscript.TestScript, _ bool, args []string) {
	columns, err := strconv.Atoi(args[0])
	ts.Check(err)
	cmd := exec.Command("script", "-qec", "stty cols "+args[0]+"; petconform "+strings.Join(args[1:], " "), "/dev/null")
	cmd.Dir = ts.MkAbs(".")
	for _, name := range []string{"PATH", "HOME", "NO_COLOR", "TERM", "PETCONFORM_KEY"} {
		cmd.Env = append(cmd.Env, name+"="+ts.Getenv(name))
	}
	out, _ := cmd.CombinedOutput() // the exit code is another test's
	lines := strings.FieldsFunc(escapes.ReplaceAllString(string(out), ""), func(r rune) bool { return r == '\r' || r == '\n' })
	if len(lines) < 3 {
		ts.Fatalf("%q is all that was printed", out)
	}
	for _, line := range lines {
		whole := regexp.MustCompile(`^\s*(-H|--data-raw|--only) `).MatchString(line) // an option of a command that is to be copied
		if utf8.RuneCountInString(line) > columns && strings.Contains(strings.TrimSpace(line), " ") && !whole {
			ts.Fatalf("%d columns: %q", columns, line)
		}
	}
}
