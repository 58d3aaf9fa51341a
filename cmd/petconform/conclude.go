package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"

	"petconform/cmd/petconform/terminal"
	"petconform/reports"
)

// conclude writes the report into the folder of a run, prints the outcome, completes the folder and ends the command.
// add may add files to the folder before. A report that cannot be written is no verdict; the outcome is printed all the
// same, but where a key was about to be written.
func conclude(a *app, dir string, in reports.Input, verbose bool, add ...func(*reports.Folder) error) error {
	a.stage("the report")
	if in.Redactor == nil {
		a.addresses = append(a.addresses, in.Results.Target.URL)
		in.Redactor = a.keys()
	}
	f, err := a.folder(dir, reports.ReopenFolder)
	if err != nil {
		return printOnly(a, reports.Look(in), verbose, err)
	}
	digest, unwritten := f.Seal(in.Redactor)
	in.RecordingDigest = cmp.Or(in.RecordingDigest, digest)
	v := reports.Look(in)
	if unwritten == nil {
		unwritten = f.Write(v)
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
	if err := errors.Join(unwritten, show(a, v, folder, verbose), a.annotate(v)); err != nil {
		return noVerdict(err)
	}
	return exitWith(v.Code)
}

// printOnly prints the outcome of a run that has no report, and ends the command with err.
func printOnly(a *app, v reports.View, verbose bool, err error) error {
	return errors.Join(err, show(a, v, "", verbose))
}

// show prints the outcome of a run, in the format that is asked for.
func show(a *app, v reports.View, folder string, verbose bool) error {
	if a.lines {
		return reports.Findings(a.out, v, cmp.Or(folder, "."))
	}
	style := terminal.Style(a.out)
	style.Folder, style.Verbose = folder, verbose
	return reports.Terminal(a.out, v, style)
}

// annotate writes annotations and the summary of the step for GitHub Actions. No line of any other output begins with
// text of a target, so that only these are workflow commands.
func (a *app) annotate(v reports.View) error {
	return reports.GitHub(terminal.Commands{Output: a.out}, os.Getenv, v)
}
