package main

import (
	"errors"
	"fmt"
	"strings"

	"petconform/cmd/petconform/terminal"
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

// printError prints an error on one line and returns its exit code.
func (a *app) printError(err error) int {
	if err == nil {
		return verdict.ExitConforms
	}
	f := failed{verdict.ExitNoVerdict, err}
	if errors.As(err, &f); f.err != nil {
		terminal.Sentence(a.err, "petconform: %s", oneLine(err))
	}
	return f.code
}

func oneLine(err error) string { return safe.Line(strings.Join(strings.Fields(err.Error()), " ")) }
