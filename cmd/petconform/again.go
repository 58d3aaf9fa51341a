package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"petconform/cmd/petconform/terminal"
	"petconform/reports"
	"petconform/reports/rerun"
	"petconform/spec"
	"petconform/spec/verdict"
)

// again runs a failure of the run in the folder again, with all that it needs, and says what became of that failure
// alone: exit code 0 if it does not show again, 1 if it does, and 3 if it showed now and then, so that once may miss it.
func (c *checkCommand) again(ctx context.Context, a *app) error {
	dir := c.Out
	run, err := openRun(reports.Opening{}, dir)
	if err != nil {
		return err
	}
	v := reports.Look(run)
	switch n := *c.Rerun; {
	case n < 1 || n > len(v.Cards):
		return usage("--rerun %d: the run in %s has %s", n, dir, spec.Count(len(v.Cards), "failure"))
	case c.Format == "line":
		return usage("--rerun shows one failure in full; leave out --format line")
	case v.Results.OfClient():
		return usage("--rerun %d: the run in %s judged a client; run petconform client again", n, dir)
	}
	card := v.Cards[*c.Rerun-1]
	args := append(slices.Concat(rerun.Options(v.Results, card.Again()...)...), "--out", partFolder)
	// What it prints of the part is left out: what became of the one failure is the answer.
	if code, err := runChild(ctx, args, io.Discard, a.err.To); err != nil || code == verdict.ExitUsage { // it has said why
		return errors.Join(err, exitWith(code))
	}
	now, err := openRun(reports.Opening{}, partFolder)
	if err != nil {
		return err
	}
	v = reports.Look(now)
	for _, c := range v.Cards {
		if slices.ContainsFunc(c.Requirements, func(id spec.ID) bool { return slices.Contains(card.Requirements, id) }) {
			c.N = card.N
			style := a.out.Style()
			style.Folder = dir
			fmt.Fprintln(terminal.Coloured{Output: a.out}, reports.CardText(c, style))
			a.out.Sentence("✗ %d still fails.", card.N)
			return exitWith(verdict.ExitDeviates)
		}
	}
	var passed []spec.ID
	for _, id := range card.Requirements {
		switch q, _ := v.Results.Requirement(id); q.Verdict {
		case verdict.Passed:
			passed = append(passed, id)
		case verdict.Inconclusive:
			return noVerdict(fmt.Errorf("%d could not be tested again: %s is inconclusive: %s", card.N, id, q.Reason))
		}
	}
	if len(passed) == 0 {
		return noVerdict(fmt.Errorf("%d could not be tested again: %s", card.N, v.Sentence))
	}
	if often := card.Places[0].Finding.Often; often != "" {
		return noVerdict(fmt.Errorf("%d did not show again; before, it showed in %s, so run it again several times", card.N, often))
	}
	a.out.Sentence("✓ %d did not show again: %s passed. Run the whole check to see what else changed.", card.N,
		spec.Join(passed, ", "))
	return nil
}

// watch checks the target now, and again on Enter until the input ends. Each check is a process of its own, since
// Ginkgo runs one suite in a process.
func (c *checkCommand) watch(ctx context.Context, a *app) error {
	if c.Target == "" {
		return usage("--watch needs the address of a service; the built-in reference service does not change")
	}
	watches := func(arg string) bool { return arg == "--watch" || strings.HasPrefix(arg, "--watch=") }
	args := append(slices.DeleteFunc(slices.Clone(os.Args[1:]), watches), "--out="+c.Out)
	enter := make(chan string)
	go func() {
		defer close(enter)
		for s := bufio.NewScanner(os.Stdin); s.Scan(); {
			enter <- s.Text()
		}
	}()
	for before := (*reports.Input)(nil); ; {
		code, err := runChild(ctx, args, a.out.To, a.err.To)
		if err != nil || code == verdict.ExitUsage { // the arguments will not get better
			return errors.Join(err, exitWith(code))
		}
		if now, err := (reports.Opening{}).Open(c.Out); err == nil {
			last := now
			last.Recordings = nil // which a comparison does not need
			if now.Previous = before; before != nil {
				fmt.Fprintln(a.out, "\nSince the last check:")
				fmt.Fprint(a.out, reports.Look(now).Diff.Text(a.out.Width()))
			}
			before = &last
		}
		fmt.Fprintln(a.err, "Enter checks again; Ctrl-C ends.")
		select {
		case _, more := <-enter:
			if !more {
				return exitWith(code)
			}
		case <-ctx.Done():
			return exitWith(code)
		}
	}
}

// runChild runs petconform as a child process and returns its exit code. It has the terminal itself, whose width it knows.
func runChild(ctx context.Context, args []string, out, err io.Writer) (code int, _ error) {
	self, wrong := os.Executable()
	if wrong != nil {
		return 0, noVerdict(wrong)
	}
	child := exec.CommandContext(ctx, self, args...)
	child.Args[0] = os.Args[0]
	child.Stdout, child.Stderr = out, err
	child.Cancel = func() error { return child.Process.Signal(os.Interrupt) } // it completes its recording and tells what it has
	child.WaitDelay = 10 * time.Second
	var exit *exec.ExitError
	if wrong := child.Run(); wrong != nil && !errors.As(wrong, &exit) {
		return 0, noVerdict(fmt.Errorf("the check could not be started: %w", wrong))
	}
	return child.ProcessState.ExitCode(), nil
}
