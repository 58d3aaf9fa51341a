package main

import (
	"fmt"
	"io"
	"net/http"
	"runtime/debug"
	"strings"

	"petconform/spec/verdict"
)

// fault is a panic in petconform itself. It shows nothing about the target, so a run with a fault has no verdict.
type fault struct {
	value any
	stack string
}

func (f *fault) Error() string { return fmt.Sprintf("petconform has a fault of its own: %v", f.value) }

// report keeps the first panic of a goroutine, which commandLine cannot recover, and ends the command.
func (a *app) report(f *fault) {
	a.fault.CompareAndSwap(nil, f)
	if a.end != nil {
		a.end(f)
	}
}

// printFault asks the user to report the fault and names the recordings, which are kept.
func printFault(w io.Writer, f *fault, recordings []string) int {
	fmt.Fprintf(w, "petconform: %s\nThe fault says nothing about the target, so there is no verdict. Please report it to\nthe maintainers of petconform, with the lines below.", oneLine(f))
	for _, name := range recordings {
		fmt.Fprintf(w, "\nThe recording is kept; please attach it: %s", name)
	}
	fmt.Fprintf(w, "\n\n%s\n", strings.TrimSpace(f.stack))
	return verdict.ExitNoVerdict
}

// safely runs f. It returns and reports a panic as a fault, which commandLine cannot recover in another goroutine.
func (a *app) safely(f func()) (caught error) {
	defer func() {
		if v := recover(); v != nil {
			is := &fault{v, string(debug.Stack())}
			a.report(is)
			caught = is
		}
	}()
	f()
	return nil
}

// guarded is a transport that sends with next and turns a panic into a fault.
type guarded struct {
	next http.RoundTripper
	app  *app
}

func (g guarded) RoundTrip(req *http.Request) (resp *http.Response, err error) {
	if f := g.app.safely(func() {
		g.app.stage("sending")
		resp, err = g.next.RoundTrip(req) //nolint:bodyclose // whoever sends closes it
	}); f != nil {
		return nil, f
	}
	return resp, err
}

func (g guarded) CloseIdleConnections() {
	if t, ok := g.next.(interface{ CloseIdleConnections() }); ok {
		t.CloseIdleConnections()
	}
}
