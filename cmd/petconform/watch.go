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
	"strings"
	"time"

	"petconform/cmd/petconform/terminal"
	"petconform/conformance/run"
	"petconform/reports"
	"petconform/spec/client"
	"petconform/spec/verdict"
)

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
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	args := append(withoutFlags(os.Args[1:], map[string]bool{"--watch": false, "--out": true}), "--out="+c.folder())
	enter, back := lines(ctx, os.Stdin), comesBack(ctx, base)
	for before := []verdict.Check(nil); ; {
		code, err := runChild(ctx, args, a.out, a.err)
		if err != nil || code == verdict.ExitUsage { // the arguments will not get better
			return errors.Join(err, exitWith(code))
		}
		if in, err := (reports.Opening{}).Open(c.folder()); err == nil && in.Results.Unjudged == "" {
			a.sinceLast(before, in.Results.Checks)
			before = in.Results.Checks
		}
		fmt.Fprintln(a.err, "Watching the target. Enter checks again; q and Enter end.")
		select {
		case line, more := <-enter:
			if !more || strings.TrimSpace(line) == "q" {
				return exitWith(code)
			}
		case <-back:
			fmt.Fprintln(a.err, "The target accepts connections again.")
		case <-ctx.Done():
			return exitWith(code)
		}
	}
}

// sinceLast prints which checks fail newly, which fail still, and which were fixed.
func (a *app) sinceLast(before, now []verdict.Check) {
	if before == nil {
		return
	}
	failed := map[string]bool{}
	for _, c := range before {
		failed[c.ID] = c.Verdict == verdict.Failed
	}
	said := map[string][]string{}
	for _, c := range now {
		switch fails := c.Verdict == verdict.Failed; {
		case fails && failed[c.ID]:
			said["still failing:"] = append(said["still failing:"], c.ID)
		case fails:
			said["newly failing:"] = append(said["newly failing:"], c.ID)
		case failed[c.ID] && c.Verdict == verdict.Passed:
			said["fixed:"] = append(said["fixed:"], c.ID)
		}
	}
	if len(said) > 0 {
		fmt.Fprintln(a.out, "\nSince the last check:")
	}
	for _, label := range []string{"fixed:", "newly failing:", "still failing:"} {
		if len(said[label]) > 0 {
			terminal.Paragraph(a.out, fmt.Sprintf("  %-15s", label), strings.Join(said[label], ", "))
		}
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

// withoutFlags leaves flags out of arguments. The map says whether a flag takes a value.
func withoutFlags(args []string, names map[string]bool) []string {
	var kept []string
	for i := 0; i < len(args); i++ {
		name, _, joined := strings.Cut(args[i], "=")
		valued, drop := names[name]
		if !drop {
			kept = append(kept, args[i])
		} else if valued && !joined {
			i++
		}
	}
	return kept
}

// lines returns the lines of a reader until it ends.
func lines(ctx context.Context, r io.Reader) <-chan string {
	out := make(chan string)
	go func() {
		defer close(out)
		for s := bufio.NewScanner(r); s.Scan(); {
			select {
			case out <- s.Text():
			case <-ctx.Done():
				return
			}
		}
	}()
	return out
}

// The intervals between attempts to connect to the target. A restart on this machine may take less than a second; a
// remote target is tried less often.
const (
	nearLook = 100 * time.Millisecond
	farLook  = 2 * time.Second
)

// comesBack returns a channel that receives a value each time the target accepts connections again after it refused
// one. It sends no request.
func comesBack(ctx context.Context, base *url.URL) <-chan struct{} {
	back := make(chan struct{})
	every := farLook
	if run.Local(base) {
		every = nearLook
	}
	go func() {
		down := false
		for tick := time.NewTicker(every); ; {
			select {
			case <-ctx.Done():
				tick.Stop()
				return
			case <-tick.C:
			}
			up := accepts(ctx, base)
			if up && down {
				select {
				case back <- struct{}{}:
				case <-ctx.Done():
				}
			}
			down = !up
		}
	}()
	return back
}

func accepts(ctx context.Context, base *url.URL) bool {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", hostPort(base))
	if err != nil {
		return false
	}
	_ = conn.Close() // nothing was sent
	return true
}
