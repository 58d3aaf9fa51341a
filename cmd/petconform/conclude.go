package main

import (
	"fmt"
	"slices"

	"petconform/cmd/petconform/terminal"
	"petconform/conformance/explore"
	"petconform/reports"
	"petconform/spec/history"
)

// conclude writes the report into the folder of a run, prints the outcome, completes the folder and ends the command.
// add may add files to the folder before. A report that cannot be written is no verdict.
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
		return err
	}
	out := reports.Weigh(in)
	if earlier, kept := f.Keeps(); kept {
		terminal.Outcome(std.out, in, out, terminal.How{})
		terminal.Paragraph(std.err, "", fmt.Sprintf("%s keeps the report of the run %s: this run reached no service, so it has none.", dir, earlier))
		if err := annotate(std.out, out); err != nil {
			return noVerdict(err)
		}
		return exitWith(out.Decision.Code)
	}
	cards := explored(in)
	scripts := make([]reports.Artefact, len(cards))
	for i, card := range cards {
		scripts[i] = reports.Artefact{Name: explore.ScriptName(i), Data: []byte(card.Script)}
	}
	if err := f.Write(in, scripts...); err != nil {
		return noVerdict(fmt.Errorf("the report could not be written: %w", err))
	}
	terminal.Outcome(std.out, in, out, terminal.How{Folder: dir, Verbose: verbose, Aborted: inUse.interrupted(), Sequences: cards})
	if err := annotate(std.out, out); err != nil {
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

// explored returns a card for each failure that an exploration found, with the shortest sequence of requests that shows
// it, and a script that sends the sequence again.
func explored(in reports.Input) []explore.Card {
	if in.Recording == nil || !slices.Contains(in.Recording.Meta.Planned, explore.CheckID) {
		return nil
	}
	return explore.Cards(history.Of(in.Recording))
}
