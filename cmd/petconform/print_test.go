package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/alecthomas/kong"
	"github.com/rogpeppe/go-internal/diff"
	"github.com/rogpeppe/go-internal/testscript"

	"petconform/reports"
	"petconform/spec/verdict"
)

// escapes are the sequences that draw lines again.
var escapes = regexp.MustCompile(`\x1b\[[0-9;]*[A-Za-z]`)

// onTerminal runs petconform on a terminal of so many columns, without TERM where that is empty, and returns what it printed.
func onTerminal(ts *testscript.TestScript, args []string) []byte {
	run := "stty cols " + args[0] + "; petconform " + strings.Join(args[1:], " ")
	if ts.Getenv("TERM") == "" {
		run = "unset TERM; " + run
	}
	cmd := exec.Command("script", "-qec", run, "/dev/null")
	cmd.Dir = ts.MkAbs(".")
	for _, name := range []string{"PATH", "HOME", "NO_COLOR", "TERM", "PETCONFORM_KEY"} {
		cmd.Env = append(cmd.Env, name+"="+ts.Getenv(name))
	}
	out, _ := cmd.CombinedOutput() // the exit code is another test's
	return out
}

// coloured wants what petconform prints on a terminal to have escape sequences: coloured COLUMNS ARGUMENT….
func coloured(ts *testscript.TestScript, neg bool, args []string) {
	if out := onTerminal(ts, args); bytes.Contains(out, []byte("\x1b")) == neg || !bytes.Contains(out, []byte("DEVIATES")) {
		ts.Fatalf("escape sequences: not wanted is %t: %q", neg, out)
	}
}

// narrow runs petconform on a terminal of so many columns, and wants no line to be wider: narrow COLUMNS ARGUMENT… A word of a
// command that is to be copied stays whole.
func narrow(ts *testscript.TestScript, _ bool, args []string) {
	columns, err := strconv.Atoi(args[0])
	ts.Check(err)
	out := onTerminal(ts, args)
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

// inReadme is the transcript in README.md: a command line, and what it prints.
var inReadme = regexp.MustCompile(`(?m)^    \$ petconform (.*)\n((?:    .*\n|\n)+)`)

// volatile is what differs from one run to the next: ports, numbers of exchanges, sizes, times.
var volatile = regexp.MustCompile(`(127\.0\.0\.1:|#)\d+|\d+ bytes|(under )?[0-9.]+ ?m?s\b`)

// readme runs the command of README.md's transcript, and wants it to print what stands there: readme CODE TARGET. With -update
// it writes what was printed there.
func readme(ts *testscript.TestScript, _ bool, args []string) {
	const file = "../../README.md"
	text, err := os.ReadFile(file)
	ts.Check(err)
	shown := inReadme.FindStringSubmatch(string(text))
	if shown == nil {
		ts.Fatalf("README.md has no transcript")
	}
	address := regexp.MustCompile(`http://\S+`).FindString(shown[1])
	line := strings.Fields(strings.ReplaceAll(shown[1], address, args[1]))
	exits(ts, false, append(args[:1:1], line...))
	want := masked(strings.ReplaceAll("\n"+shown[2], "\n    ", "\n"))
	got := masked(ts.ReadFile("stdout"))
	d := diff.Diff("README.md", want, "printed", got)
	if d != nil && *update {
		printed := strings.ReplaceAll(strings.TrimSpace(ts.ReadFile("stdout")), args[1], address)
		indented := regexp.MustCompile(`(?m)^(.+)$`).ReplaceAllString(printed, "    $1") + "\n\n"
		ts.Check(os.WriteFile(file, bytes.Replace(text, []byte(shown[2]), []byte(indented), 1), 0o644))
	} else if d != nil {
		ts.Fatalf("petconform %s does not print what README.md shows; run go test ./cmd/petconform -update:\n%s", shown[1], d)
	}
}

func masked(text string) []byte {
	return []byte(volatile.ReplaceAllString(strings.TrimSpace(text), "$1…") + "\n")
}

// TestClosedOutput: a reader that has enough, as in petconform check | head, ends a command quietly, and a run with its report.
func TestClosedOutput(t *testing.T) {
	dir := runIn(t)
	for _, args := range []string{"list openapi", "diff out out", "report out", "check --verbose --out checked"} {
		r, w, err := os.Pipe()
		noError(t, err)
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

// TestHelp: the default of a flag stands in its help, where it does not stand behind its name; and each flag of the commands with many
// flags stands under a heading, so that a new one is given a place.
func TestHelp(t *testing.T) {
	parser, err := kong.New(&commands{}, kong.Vars{"version": "", "limiters": "", "phases": ""})
	noError(t, err)
	flags := 0
	for _, command := range parser.Model.Leaves(false) {
		for _, flag := range command.Flags {
			flags++
			if flag.HasDefault && flag.PlaceHolder != "" && !strings.Contains(flag.Help, "Default: ") {
				t.Errorf("%s --%s: the help does not tell the default, %s", command.Path(), flag.Name, flag.Default)
			}
			if flag.Group == nil && slices.Contains([]string{"check", "load", "signoff"}, command.Name) {
				t.Errorf("%s --%s has no group", command.Name, flag.Name)
			}
		}
	}
	if flags < 50 {
		t.Errorf("%d flags were looked at; more are wanted", flags)
	}
}
