package main

import (
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"petconform/cmd/petconform/terminal"
	"petconform/conformance/explore"
	"petconform/reports"
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
		return printOnly(std, reports.Look(in), verbose, err)
	}
	digest, unwritten := f.Seal(in.Redactor)
	in.RecordingDigest = cmp.Or(in.RecordingDigest, digest)
	v := reports.Look(in)
	if unwritten == nil {
		scripts := make([]reports.Artefact, len(v.Sequences))
		for i, card := range v.Sequences {
			scripts[i] = reports.Artefact{Name: explore.ScriptName(i), Data: []byte(card.Script)}
		}
		unwritten = f.Write(v, scripts...)
	}
	for _, file := range add {
		if unwritten == nil {
			unwritten = file(f)
		}
	}
	if unwritten == nil {
		unwritten = f.Complete()
	}
	folder := dir
	if errors.Is(unwritten, reports.ErrKeyFound) {
		return noVerdict(unwritten)
	} else if unwritten != nil {
		unwritten, folder = fmt.Errorf("the report could not be written: %w", unwritten), ""
	}
	if err := errors.Join(unwritten, show(std, v, folder, verbose), annotate(std.out, v)); err != nil {
		return noVerdict(err)
	}
	return exitWith(v.Code)
}

// printOnly prints the outcome of a run that has no report, and ends the command with err.
func printOnly(std streams, v reports.View, verbose bool, err error) error {
	return errors.Join(err, show(std, v, "", verbose))
}

// show prints the outcome of a run, in the format that is asked for.
func show(std streams, v reports.View, folder string, verbose bool) error {
	if std.lines {
		return reports.Findings(std.out, v, cmp.Or(folder, "."))
	}
	style := terminal.Style(std.out)
	style.Folder, style.Verbose, style.Aborted = folder, verbose, inUse.interrupted()
	return reports.Terminal(std.out, v, style)
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
	fmt.Fprintf(terminal.Commands(std.out), "::stop-commands::%s\n", stopToken)
	return func() {
		fmt.Fprintf(terminal.Commands(std.out), "::%s::\n", stopToken)
		stopToken = ""
	}
}

// annotate writes annotations and the summary of the step for GitHub Actions, while workflow commands are enabled.
func annotate(w io.Writer, v reports.View) error {
	w = terminal.Commands(w)
	if stopToken != "" {
		fmt.Fprintf(w, "::%s::\n", stopToken)
		defer fmt.Fprintf(w, "::stop-commands::%s\n", stopToken)
	}
	return reports.GitHub(w, os.Getenv, v)
}
