package main

import (
	"bufio"
	"cmp"
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

	"petconform/cmd/petconform/terminal"
	"petconform/conformance/run"
	"petconform/reports"
	"petconform/reports/rerun"
	"petconform/spec"
	"petconform/spec/client"
	"petconform/spec/verdict"
)

// watcher checks a target again and again. Each check is a process of its own, since Ginkgo runs one suite in a
// process.
type watcher struct {
	a *app
	// args are the arguments of a check without those of the watch, the selection and the folder.
	args       []string
	only, skip []string
	// folder is that of the whole run, part that of a run of what failed.
	folder, part string
	// failed are the checks that failed last, by name. again are the flags that run them again.
	failed, again []string
	code          int
}

// watch checks the target now, then on Enter and whenever the target accepts connections again, until the input ends.
func (c *checkCommand) watch(ctx context.Context, a *app) error {
	if c.Target == "" {
		return usage("--watch needs the address of a service; the built-in reference service does not change")
	}
	base, err := client.ParseBase(c.Target)
	if err != nil {
		return usage("%w", err)
	}
	w := &watcher{a: a, args: withoutFlags(os.Args[1:], map[string]bool{"--watch": false, "--out": true, "--only": true, "--skip": true}),
		only: words(c.Only), skip: words(c.Skip), folder: c.folder(), part: cmp.Or(c.Out, rerun.DefaultFolder) + "-failed"}
	if _, err := w.check(ctx, false); err != nil {
		return err
	}
	if w.code == verdict.ExitUsage {
		return exitWith(w.code) // the arguments will not get better
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	enter, back := lines(ctx, os.Stdin), comesBack(ctx, base)
	for {
		fmt.Fprintln(a.err, "Watching the target. Enter checks again; q and Enter end.")
		select {
		case line, more := <-enter:
			if !more || strings.TrimSpace(line) == "q" {
				return exitWith(w.code)
			}
		case <-back:
			fmt.Fprintln(a.err, "The target accepts connections again.")
		case <-ctx.Done():
			return exitWith(w.code)
		}
		if err := w.next(ctx); err != nil {
			return err
		}
	}
}

// next runs the checks that failed last, and all checks once none of those fails.
func (w *watcher) next(ctx context.Context) error {
	if len(w.again) > 0 {
		if fails, err := w.check(ctx, true); err != nil || fails {
			return err
		}
	}
	_, err := w.check(ctx, false)
	return err
}

// check runs petconform check as a child process, prints what has changed since the last one, and reports whether
// something fails.
func (w *watcher) check(ctx context.Context, onlyFailed bool) (fails bool, err error) {
	dir, args := w.folder, slices.Clone(w.args)
	if onlyFailed {
		dir, args = w.part, append(args, w.again...)
	} else {
		args = append(args, selecting(w.only)...)
	}
	for _, name := range w.skip {
		args = append(args, "--skip="+name)
	}
	self, err := os.Executable()
	if err != nil {
		return false, noVerdict(err)
	}
	child := exec.CommandContext(ctx, self, append(args, "--out="+dir)...)
	child.Args[0] = os.Args[0]
	child.Stdout, child.Stderr = w.a.out, w.a.err
	child.Cancel = func() error { return child.Process.Signal(os.Interrupt) } // it completes its recording and tells what it has
	child.WaitDelay = 10 * time.Second
	var exit *exec.ExitError
	if err := child.Run(); err != nil && !errors.As(err, &exit) {
		return false, noVerdict(fmt.Errorf("the check could not be started: %w", err))
	}
	w.code = child.ProcessState.ExitCode()
	if in, err := (reports.Opening{}).Open(dir); err == nil {
		return w.learn(in.Results), nil
	}
	return true, nil // the check has said why it wrote no results
}

// learn prints what has changed, remembers what fails, and reports whether something does. After a run without a
// verdict, and in a run that leaves a check out, what failed before still counts as failing.
func (w *watcher) learn(r verdict.Results) (fails bool) {
	if r.Verdict == verdict.NoVerdict && (r.Part == nil || !r.Part.Holds) {
		return true
	}
	var failed []string
	var broken []verdict.Check
	passed := map[string]bool{}
	for _, c := range r.Checks {
		passed[c.ID] = c.Verdict == verdict.Passed
		if c.Verdict == verdict.Failed && r.Breaks(c) {
			failed, broken = append(failed, c.ID), append(broken, c)
		}
	}
	all := slices.Clone(failed)
	for _, id := range w.failed {
		if !passed[id] && !slices.Contains(failed, id) {
			all = append(all, id)
		}
	}
	if len(w.failed)+len(all) > 0 && w.failed != nil {
		fmt.Fprintf(w.a.out, "\nSince the last check: %s failed, now %d\n", spec.Count(len(w.failed), "check"), len(all))
		was := func(id string) bool { return slices.Contains(w.failed, id) }
		fixed := w.printThose("fixed:", w.failed, func(id string) bool { return passed[id] })
		newly := w.printThose("newly failing:", failed, func(id string) bool { return !was(id) })
		if still := w.printThose("still failing:", failed, was); !fixed && !newly && !still {
			fmt.Fprintln(w.a.out, "  nothing has changed")
		}
	}
	if w.again = nil; len(rerun.Only(broken)) > 0 {
		w.again = append(selecting(rerun.Only(broken)), "--accept-part")
	}
	w.failed = append([]string{}, all...)
	return len(failed) > 0
}

// printThose prints the checks for which is returns true behind a label, and reports whether there are any.
func (w *watcher) printThose(label string, ids []string, is func(id string) bool) bool {
	ids = slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return !is(id) })
	if len(ids) > 0 {
		terminal.Paragraph(w.a.out, fmt.Sprintf("  %-15s", label), strings.Join(ids, ", "))
	}
	return len(ids) > 0
}

func selecting(names []string) []string {
	var flags []string
	for _, name := range names {
		flags = append(flags, "--only="+name)
	}
	return flags
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
