package main

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"petconform/cmd/petconform/terminal"
	"petconform/conformance/explore"
	"petconform/reports"
	"petconform/spec/history"
)

// conclude writes the report into the folder of a run, prints the outcome, completes the folder and ends the command.
// add may add files to the folder before. A report that cannot be written is no verdict; the outcome is printed all the
// same, but where a key was about to be written.
func conclude(std streams, dir string, in reports.Input, verbose bool, add ...func(*reports.Folder) error) error {
	stage("the report")
	if in.Redactor == nil {
		known.addresses = append(known.addresses, in.Results.Target.URL)
		in.Redactor = keysOfEnvironment()
	}
	in, err := reports.Clean(in)
	if err != nil {
		return noVerdict(err)
	}
	f, err := inUse.get(dir, reports.ReopenFolder)
	if err != nil {
		return printOnly(std, in, verbose, err)
	}
	out := reports.Weigh(in)
	cards := explored(in)
	scripts := make([]reports.Artefact, len(cards))
	for i, card := range cards {
		scripts[i] = reports.Artefact{Name: explore.ScriptName(i), Data: []byte(card.Script)}
	}
	how := terminal.How{Folder: dir, Verbose: verbose, Aborted: inUse.interrupted(), Sequences: cards}
	unwritten := f.Write(in, scripts...)
	if errors.Is(unwritten, reports.ErrKeyFound) {
		return noVerdict(unwritten)
	} else if unwritten != nil {
		unwritten, how.Folder = fmt.Errorf("the report could not be written: %w", unwritten), ""
	}
	terminal.Outcome(std.out, in, out, how)
	if err := errors.Join(unwritten, annotate(std.out, out)); err != nil {
		return noVerdict(err)
	}
	for _, file := range add {
		if err := file(f); err != nil {
			return err
		}
	}
	if inUse.interrupted() {
		f.Interrupted()
	}
	if err := f.Complete(); err != nil {
		return noVerdict(err)
	}
	return exitWith(out.Decision.Code)
}

// printOnly prints the outcome of a run that has no report, and ends the command with err.
func printOnly(std streams, in reports.Input, verbose bool, err error) error {
	terminal.Outcome(std.out, in, reports.Weigh(in), terminal.How{Verbose: verbose, Aborted: inUse.interrupted(), Sequences: explored(in)})
	return err
}

// explored returns a card for each failure that an exploration found, with the shortest sequence of requests that shows
// it, and a script that sends the sequence again.
func explored(in reports.Input) []explore.Card {
	if in.Recording == nil || !slices.Contains(in.Recording.Meta.Planned, explore.CheckID) {
		return nil
	}
	return explore.Cards(history.Of(in.Recording))
}

// stopToken is the random token that ends stopCommands, so that text of a target cannot end it. It is "" outside of
// GitHub Actions.
var stopToken string

// stopCommands makes GitHub Actions ignore workflow commands in the output, since a line may begin with text of a
// target. The returned function ends that. It does nothing for commands whose output is data.
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
