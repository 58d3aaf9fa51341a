package main

import (
	"os"
	"regexp"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/rogpeppe/go-internal/testscript"
)

// inReadme is the transcript in README.md: a command line, and what it prints.
var inReadme = regexp.MustCompile(`(?m)^    \$ petconform (.*)\n((?:    .*\n|\n)+)`)

// volatile is what differs from one run to the next: ports, numbers of exchanges, sizes, times.
var volatile = regexp.MustCompile(`(127\.0\.0\.1:|#|--show )\d+|\d+ bytes|(under )?[0-9.]+ ?m?s\b`)

// readme runs the command of README.md's transcript, and wants it to print what stands there: readme CODE TARGET.
func readme(ts *testscript.TestScript, _ bool, args []string) {
	text, err := os.ReadFile("../../README.md")
	ts.Check(err)
	shown := inReadme.FindStringSubmatch(string(text))
	if shown == nil {
		ts.Fatalf("README.md has no transcript")
	}
	line := strings.Fields(regexp.MustCompile(`http://\S+`).ReplaceAllLiteralString(shown[1], args[1]))
	exits(ts, false, append(args[:1:1], line...))
	want := masked(strings.ReplaceAll("\n"+shown[2], "\n    ", "\n"))
	got := masked(ts.ReadFile("stdout"))
	if d := diff.Diff("README.md", want, "printed", got); d != nil {
		ts.Fatalf("petconform %s does not print what README.md shows:\n%s", shown[1], d)
	}
}

func masked(text string) []byte {
	return []byte(volatile.ReplaceAllString(strings.TrimSpace(text), "$1…") + "\n")
}
