package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"petconform/cmd/petconform/terminal"
	"petconform/reports/safe"
	"petconform/spec/verdict"
)

// streams are the writers of a command: out for its result, err for progress and errors.
type streams struct{ out, err io.Writer }

// failed is an error with its exit code.
type failed struct {
	code int
	err  error
}

func (f failed) Error() string { return f.err.Error() }
func (f failed) Unwrap() error { return f.err }

func usage(format string, args ...any) error {
	return failed{verdict.ExitUsage, fmt.Errorf(format, args...)}
}

func noVerdict(err error) error { return failed{verdict.ExitNoVerdict, err} }

// concluded ends a command with the exit code of its verdict and prints nothing.
type concluded struct{ code int }

func (c concluded) Error() string { return fmt.Sprintf("exit code %d", c.code) }

// exitWith ends a command with an exit code and prints nothing.
func exitWith(code int) error {
	if code == verdict.ExitConforms {
		return nil
	}
	return concluded{code}
}

// printError prints an error on one line and returns its exit code.
func printError(std streams, err error) int {
	if err == nil {
		return verdict.ExitConforms
	}
	var done concluded
	if errors.As(err, &done) {
		return done.code
	}
	f := failed{code: verdict.ExitNoVerdict}
	errors.As(err, &f)
	terminal.Sentence(std.err, "petconform: %s", oneLine(err))
	return f.code
}

func oneLine(err error) string { return safe.Line(strings.Join(strings.Fields(err.Error()), " ")) }
