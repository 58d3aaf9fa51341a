package main

import (
	"fmt"

	"petconform/reports"
	"petconform/spec/verdict"
)

// partFlags says how a partial run ends.
type partFlags struct {
	AcceptPart bool `name:"accept-part" help:"Exit with 0 if a partial run (--only, --skip, --read-only, --quick, --phase; a client that did not meet every must) leaves nothing broken or undecided. Every output still calls it a part."`
}

func (p partFlags) apply(in *reports.Input) {
	in.Policy.AcceptPart = p.AcceptPart
}

// conclude writes the report into the folder of a run, prints the outcome and ends the command.
func conclude(std streams, dir string, in reports.Input, verbose bool) error {
	out, err := report(std, dir, in, verbose)
	if err != nil {
		return err
	}
	return finish(dir, out)
}

// report writes the report of a run into its folder and prints the outcome. A report that cannot be written is no verdict.
func report(std streams, dir string, in reports.Input, verbose bool) (reports.Outcome, error) {
	stage("the report")
	if in.Redactor == nil {
		known.address(in.Results.Target.URL)
		in.Redactor = keysOfEnvironment()
	}
	in, err := reports.Clean(in)
	if err != nil {
		return reports.Outcome{}, noVerdict(err)
	}
	f, err := inUse.get(dir, reports.ReopenFolder)
	if err != nil {
		return reports.Outcome{}, err
	}
	if run, kept := f.Keeps(); kept {
		return unreached(std, dir, run, in)
	}
	cards, scripts := explored(in)
	if err := f.Write(in, scripts...); err != nil {
		return reports.Outcome{}, noVerdict(fmt.Errorf("the report could not be written: %w", err))
	}
	out := reports.Weigh(in)
	in.Results = out.Results
	tellExplored(std.out, dir, cards)
	tellOutcome(std.out, in, out.Decision, telling{dir, verbose, style(std.out)})
	if err := annotate(std.out, out); err != nil {
		return out, noVerdict(err)
	}
	return out, nil
}

// unreached prints the outcome of a run that reached no service. It leaves the folder to the earlier run.
func unreached(std streams, dir, earlier string, in reports.Input) (reports.Outcome, error) {
	out := reports.Weigh(in)
	in.Results = out.Results
	tellOutcome(std.out, in, out.Decision, telling{style: style(std.out)})
	paragraph(std.err, "", fmt.Sprintf("%s keeps the report of the run %s: this run reached no service, so it has none.", dir, earlier))
	if err := annotate(std.out, out); err != nil {
		return out, noVerdict(err)
	}
	return out, nil
}

// finish marks the folder as complete, or as that of an interrupted run, and ends the command with the exit code that release.json
// has.
func finish(dir string, out reports.Outcome) error {
	f, err := inUse.get(dir, reports.ReopenFolder)
	if err != nil {
		return err
	}
	if _, kept := f.Keeps(); kept {
		return exit(out)
	}
	if inUse.interrupted() {
		f.Interrupted()
	}
	if err := f.Complete(); err != nil {
		return noVerdict(err)
	}
	return exit(out)
}

// exit ends a command with the exit code of the decision, the only one that a run has.
func exit(out reports.Outcome) error {
	if code := out.Decision.Code; code != verdict.ExitConforms {
		return concluded{code}
	}
	return nil
}
