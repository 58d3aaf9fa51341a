package main

import (
	"crypto/rand"
	"fmt"
	"io"
	"os"
	"slices"

	"petconform/reports"
	"petconform/spec/exchange"
)

// stopToken ends what stopCommands began. A target cannot know it. It is "" outside of GitHub Actions.
var stopToken string

// stopCommands tells GitHub Actions to take no line of the output for a workflow command, since a line may begin with what a target
// said. It returns how to end that. Commands whose output is data are left alone.
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

// annotate writes annotations and the summary of the step for GitHub Actions, between the lines that must not be commands.
func annotate(w io.Writer, out reports.Outcome, rec *exchange.Recording) error {
	if stopToken != "" {
		fmt.Fprintf(w, "::%s::\n", stopToken)
		defer fmt.Fprintf(w, "::stop-commands::%s\n", stopToken)
	}
	return reports.GitHub(w, os.Getenv, out, rec)
}
