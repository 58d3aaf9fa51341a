package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"runtime/debug"
	"strings"
	"sync/atomic"

	"petconform/spec/verdict"
)

// fault is a panic in petconform itself. It shows nothing about the target, so a run with a fault has no verdict.
type fault struct {
	value any
	stack string
}

func (f *fault) Error() string { return fmt.Sprintf("petconform has a fault of its own: %v", f.value) }

// stage is called when a command begins a stage. Tests replace it to cause panics.
var stage = func(string) {}

// faults keeps the first panic of a goroutine, which run cannot recover, and cancels the command at it.
type faults struct {
	first atomic.Pointer[fault]
	end   context.CancelCauseFunc
}

var inGoroutines faults

// watch returns a context that the first fault cancels.
func (s *faults) watch(ctx context.Context) (context.Context, context.CancelCauseFunc) {
	ctx, s.end = context.WithCancelCause(ctx)
	s.first.Store(nil)
	return ctx, s.end
}

func (s *faults) report(f *fault) {
	s.first.CompareAndSwap(nil, f)
	if s.end != nil {
		s.end(f)
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

// safely runs f. It returns and reports a panic as a fault, which run cannot recover in another goroutine.
func safely(f func()) (caught error) {
	defer func() {
		if v := recover(); v != nil {
			is := &fault{v, string(debug.Stack())}
			inGoroutines.report(is)
			caught = is
		}
	}()
	f()
	return nil
}

// guarded is a transport that sends with next and turns a panic into a fault.
type guarded struct{ next http.RoundTripper }

func (g guarded) RoundTrip(req *http.Request) (resp *http.Response, err error) {
	if f := safely(func() {
		stage("sending")
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
