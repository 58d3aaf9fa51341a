package main

import (
	"errors"
	"fmt"
	"net/http"
	"strings"

	"petconform/reports/safe"
	"petconform/spec/verdict"
)

// failed ends a command with an exit code. Without an error the code is that of the verdict, and nothing is printed.
type failed struct {
	code int
	err  error
}

func (f failed) Error() string { return fmt.Sprint(f.err) }
func (f failed) Unwrap() error { return f.err }

func usage(format string, args ...any) error {
	return failed{verdict.ExitUsage, fmt.Errorf(format, args...)}
}

func noVerdict(err error) error { return failed{verdict.ExitNoVerdict, err} }

// exitWith ends a command with an exit code and prints nothing.
func exitWith(code int) error {
	if code == verdict.ExitConforms {
		return nil
	}
	return failed{code: code}
}

func (a *app) printError(err error) int {
	if err == nil {
		return verdict.ExitConforms
	}
	f := failed{verdict.ExitNoVerdict, err}
	if errors.As(err, &f); f.err != nil {
		a.err.Sentence("petconform: %s", oneLine(err))
	}
	return f.code
}

func oneLine(err error) string { return safe.Line(strings.Join(strings.Fields(err.Error()), " ")) }

// fault is a panic in petconform itself. It shows nothing about the target, so a run with a fault has no verdict.
type fault struct {
	value any
	stack string
}

func (f *fault) Error() string { return fmt.Sprintf("petconform has a fault of its own: %v", f.value) }

// report keeps the first panic of a goroutine, which commandLine cannot recover, and ends the command.
func (a *app) report(value any, stack string) {
	f := &fault{value, stack}
	a.fault.CompareAndSwap(nil, f)
	if a.end != nil {
		a.end(f)
	}
}

// printFault asks the user to report the fault and names the folder of the recordings, which are kept.
func (a *app) printFault(f *fault) int {
	text := "petconform: " + oneLine(f) + "\nThe fault says nothing about the target, so there is no verdict. Please report it to\n" +
		"the maintainers of petconform, with the lines below.\n"
	if a.folder != nil {
		text += "What was recorded is kept; please attach it: " + a.folder.Path() + "\n"
	}
	fmt.Fprintf(a.err, "%s\n%s\n", text, strings.TrimSpace(f.stack))
	return verdict.ExitNoVerdict
}

// staged is a transport whose requests are stages, so that a test may cause panics there.
type staged struct {
	http.RoundTripper
	app *app
}

func (s staged) RoundTrip(req *http.Request) (*http.Response, error) {
	s.app.stage("sending")
	return s.RoundTripper.RoundTrip(req)
}

func (s staged) CloseIdleConnections() {
	(&http.Client{Transport: s.RoundTripper}).CloseIdleConnections()
}
