package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"

	"petconform/cmd/petconform/terminal"
	"petconform/reports"
	"petconform/spec"
	"petconform/spec/verdict"
)

// again runs a failure of the run in the folder again, with all that it needs, and says what became of that failure
// alone: exit code 0 if it is fixed, 1 if it still shows.
func (c *checkCommand) again(ctx context.Context, a *app) error {
	dir := c.Out
	run, err := openRun(a, reports.Opening{}, dir)
	if err != nil {
		return err
	}
	v := reports.Look(run.Input)
	switch n := *c.Rerun; {
	case len(v.Cards) == 0:
		return usage("--rerun %d: the run in %s has no failure", n, dir)
	case n < 1 || n > len(v.Cards):
		return usage("--rerun %d: the run in %s has the failures 1 to %d", n, dir, len(v.Cards))
	case v.Results.OfClient():
		return usage("--rerun %d: the run in %s judged a client; run petconform client again", n, dir)
	}
	card := v.Cards[*c.Rerun-1]
	args := append(slices.Concat(v.Options(card)...), "--out", partFolder)
	// What it prints of the part is left out: what became of the one failure is the answer.
	if code, err := runChild(ctx, args, io.Discard, a.err); err != nil || code == verdict.ExitUsage { // it has said why
		return errors.Join(err, exitWith(code))
	}
	now, err := openRun(a, reports.Opening{}, partFolder)
	if err != nil {
		return err
	}
	return tellAgain(a, card, reports.Look(now.Input), dir)
}

// tellAgain says whether a failure still shows in a run of what it needs.
func tellAgain(a *app, card reports.Card, now reports.View, dir string) error {
	for _, c := range now.Cards {
		if slices.ContainsFunc(c.Requirements, func(id spec.ID) bool { return slices.Contains(card.Requirements, id) }) {
			style := terminal.Style(a.out)
			style.Folder = dir
			if c.N = card.N; a.lines {
				now.Cards = []reports.Card{c}
				return errors.Join(reports.Findings(a.out, now, partFolder), exitWith(verdict.ExitDeviates))
			}
			fmt.Fprint(a.out, reports.CardText(c, style))
			terminal.Sentence(a.out, "\n✗ %d still fails.", card.N)
			return exitWith(verdict.ExitDeviates)
		}
	}
	for _, id := range card.Requirements {
		if q, _ := now.Results.Requirement(id); q.Verdict == verdict.Passed {
			terminal.Sentence(a.out, "✓ %d is fixed: %s was tested again and passed. Run the whole check to see what else changed.", card.N, spec.Join(card.Requirements, ", "))
			return nil
		}
	}
	return noVerdict(fmt.Errorf("%d could not be tested again: %s", card.N, now.Sentence))
}

// openCommand is petconform open.
type openCommand struct {
	Dir string `arg:"" optional:"" help:"Folder of the run. Default: petconform-out." default:"petconform-out" placeholder:"DIR"`
}

// Run shows the page of a run in the browser: the one of BROWSER, or else the system's.
func (c *openCommand) Run(ctx context.Context, a *app) error {
	page, err := filepath.Abs(filepath.Join(c.Dir, reports.ReportFile))
	if err != nil {
		return usage("%w", err)
	}
	if _, err := os.Stat(page); err != nil {
		return usage("%s has no report (%w); name the folder of a run", c.Dir, err)
	}
	fmt.Fprintln(a.out, page)
	system := map[string]string{"darwin": "open", "windows": "explorer"}[runtime.GOOS]
	browser := exec.CommandContext(context.WithoutCancel(ctx), cmp.Or(os.Getenv("BROWSER"), system, "xdg-open"), page)
	if err := browser.Start(); err != nil {
		return noVerdict(fmt.Errorf("no browser could be started: %w", err))
	}
	return nil
}
