package main

import (
	"crypto/rand"
	"fmt"
	"io"
	"os"
	"slices"

	"petconform/reports"
)

// stopToken is the random token that ends stopCommands, so that text of a target cannot end it. It is "" outside of GitHub
// Actions.
var stopToken string

// stopCommands makes GitHub Actions ignore workflow commands in the output, since a line may begin with text of a target. The
// returned function ends that. It does nothing for commands whose output is data.
func stopCommands(std streams, command string) (end func()) {
	if os.Getenv("GITHUB_ACTIONS") != "true" || !slices.Contains([]string{"check", "load", "signoff", "client", "judge", "report"}, command) {
		return func() {}
	}
	stopToken = rand.Text()
	fmt.Fprintf(std.out, "::stop-commands::%s\n", stopToken)
	return func() {
		fmt.Fprintf(std.out, "::%s::\n", stopToken)
		stopToken = ""
	}
}

// annotate writes annotations and the summary of the step for GitHub Actions, while workflow commands are enabled.
func annotate(w io.Writer, out reports.Outcome) error {
	if stopToken != "" {
		fmt.Fprintf(w, "::%s::\n", stopToken)
		defer fmt.Fprintf(w, "::stop-commands::%s\n", stopToken)
	}
	return reports.GitHub(w, os.Getenv, out)
}
