package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"runtime/debug"
	"strings"
	"sync"

	"petconform/spec/verdict"
)

// fault is a panic: an error of petconform itself, which says nothing of the target. It never ends in a verdict.
type fault struct {
	value any
	stack string
}

func (f *fault) Error() string { return fmt.Sprintf("petconform has a fault of its own: %v", f.value) }

// stage is called as a command enters each of its stages. Tests plant panics with it.
var stage = func(string) {}

// faults takes the faults of goroutines, which nobody else would see, and ends the command at the first of them.
type faults struct {
	mu    sync.Mutex
	first *fault
	end   context.CancelCauseFunc
}

var inGoroutines faults

// watch gives a context that the first fault ends.
func (s *faults) watch(ctx context.Context) (context.Context, context.CancelCauseFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.first, s.end = nil, cancel
	return ctx, cancel
}

func (s *faults) report(f *fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.first == nil {
		s.first = f
	}
	if s.end != nil {
		s.end(f)
	}
}

func (s *faults) seen() *fault {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.first
}

// tellFault asks for a report of the fault and names the recordings, which are kept.
func tellFault(w io.Writer, f *fault, recordings []string) int {
	fmt.Fprintf(w, "petconform: %s\nThis says nothing of the target, so there is no verdict. Please report it to the maintainers of petconform,\nwith the lines below.", oneLine(f))
	for _, name := range recordings {
		fmt.Fprintf(w, " The recording is kept and belongs to the report: %s.", name)
	}
	fmt.Fprintf(w, "\n\n%s\n", strings.TrimSpace(f.stack))
	return verdict.ExitNoVerdict
}

// guarded sends by next and turns a panic into a fault: requests are sent from goroutines, in which nobody else would.
type guarded struct{ next http.RoundTripper }

func (g guarded) RoundTrip(req *http.Request) (resp *http.Response, err error) {
	defer func() {
		if v := recover(); v != nil {
			f := &fault{v, string(debug.Stack())}
			inGoroutines.report(f)
			resp, err = nil, f
		}
	}()
	stage("sending")
	return g.next.RoundTrip(req)
}

// CloseIdleConnections passes on what a client asks of its transport.
func (g guarded) CloseIdleConnections() {
	if t, ok := g.next.(interface{ CloseIdleConnections() }); ok {
		t.CloseIdleConnections()
	}
}
