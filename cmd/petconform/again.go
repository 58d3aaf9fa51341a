package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"petconform/conformance/run"
	"petconform/reports"
	"petconform/spec"
	"petconform/spec/client"
	"petconform/spec/verdict"
)

// again runs a failure of the run in the folder again, with all that it needs, and says what became of that failure
// alone: exit code 0 if it does not show again, 1 if it does, and 3 if it showed now and then, so that once may miss it.
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
	card, answer := v.Cards[*c.Rerun-1], a.out
	a.lines = c.Format == "line"
	if a.lines { // standard output has the lines and nothing else
		answer = a.err
	}
	args := append(slices.Concat(v.Options(card)...), "--out", partFolder)
	// What it prints of the part is left out: what became of the one failure is the answer.
	if code, err := runChild(ctx, args, io.Discard, a.err); err != nil || code == verdict.ExitUsage { // it has said why
		return errors.Join(err, exitWith(code))
	}
	now, err := openRun(a, reports.Opening{}, partFolder)
	if err != nil {
		return err
	}
	v = reports.Look(now.Input)
	for _, c := range v.Cards {
		if slices.ContainsFunc(c.Requirements, func(id spec.ID) bool { return slices.Contains(card.Requirements, id) }) {
			c.N = card.N
			if a.lines {
				v.Cards = []reports.Card{c}
				err = reports.Findings(a.out, v, partFolder)
			} else {
				style := a.out.Style()
				style.Folder = dir
				fmt.Fprintln(a.out, reports.CardText(c, style))
			}
			answer.Sentence("✗ %d still fails.", card.N)
			return errors.Join(err, exitWith(verdict.ExitDeviates))
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
	if i := slices.IndexFunc(card.Lines, func(l reports.Line) bool { return l.Label == reports.Often }); i >= 0 {
		return noVerdict(fmt.Errorf("%d did not show again; before, it showed in %s", card.N, card.Lines[i].Text))
	}
	answer.Sentence("✓ %d did not show again: %s passed. Run the whole check to see what else changed.", card.N,
		spec.Join(passed, ", "))
	return nil
}

// watch checks the target now, then on Enter and whenever the target accepts connections again, until the input ends.
// Each check is a process of its own, since Ginkgo runs one suite in a process.
func (c *checkCommand) watch(ctx context.Context, a *app) error {
	if c.Target == "" {
		return usage("--watch needs the address of a service; the built-in reference service does not change")
	}
	base, err := client.ParseBase(c.Target)
	if err != nil {
		return usage("%w", err)
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
		code, err := runChild(ctx, args, a.out, a.err)
		if err != nil || code == verdict.ExitUsage { // the arguments will not get better
			return errors.Join(err, exitWith(code))
		}
		if now, err := (reports.Opening{}).Open(c.Out); err == nil && now.Results.Unjudged == "" {
			last := now.Input
			if now.Previous = before; before != nil {
				fmt.Fprintln(a.out, "\nSince the last check:")
				_ = reports.Look(now.Input).Diff.Text(a.out, a.out.Width()) // a.out keeps the error
			}
			before = &last
		}
		fmt.Fprintln(a.err, "Watching the target. Enter checks again; q and Enter end.")
		if !a.due(ctx, base, enter) {
			return exitWith(code)
		}
	}
}

// The time between attempts to connect to a target: on this machine, where a developer's service may be down for less
// than a second, and elsewhere, where others see the connections too.
const (
	lookHere      = 250 * time.Millisecond
	lookElsewhere = 2 * time.Second
)

// due waits until another check is due, and returns false if none is. It sends the target no request.
func (a *app) due(ctx context.Context, base *url.URL, enter <-chan string) bool {
	pause := lookElsewhere
	if run.Local(base) {
		pause = lookHere
	}
	tick := time.NewTicker(pause)
	defer tick.Stop()
	for wasDown := false; ; {
		select {
		case line, more := <-enter:
			return more && strings.TrimSpace(line) != "q"
		case <-ctx.Done():
			return false
		case <-tick.C:
		}
		conn, err := (&net.Dialer{Timeout: time.Second}).DialContext(ctx, "tcp", hostPort(base))
		if err == nil {
			_ = conn.Close() // nothing was sent
		}
		if err == nil && wasDown {
			fmt.Fprintln(a.err, "The target accepts connections again.")
			return true
		}
		wasDown = err != nil
	}
}

// runChild runs petconform as a child process and returns its exit code.
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
