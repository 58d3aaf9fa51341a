package main

import (
	"context"
	"io"
	"sync/atomic"

	"petconform/cmd/petconform/terminal"
	"petconform/reports"
)

// app is one run of the command line, which kong hands to its commands.
type app struct {
	// out is for the result of a command, err for progress and errors.
	out, err *terminal.Output
	// lines says that a line a finding is wanted (--format line).
	lines bool
	// variables are those of the environment that --header refers to, and addresses those of targets: what a key has in
	// common with one is no secret.
	variables, addresses []string
	// folders are those that are open, by absolute path.
	folders map[string]*reports.Folder
	// fault is the first panic of a goroutine, and end ends the command because of one.
	fault atomic.Pointer[fault]
	end   context.CancelCauseFunc
	// plant is called when a command begins a stage; a test causes panics by it.
	plant func(stage string)
}

func newApp(out, err io.Writer) *app {
	a := &app{out: &terminal.Output{To: out, Name: "standard output"}, err: &terminal.Output{To: err, Name: "standard error"},
		folders: map[string]*reports.Folder{}}
	a.hide()
	return a
}

// stage says that a command begins a stage.
func (a *app) stage(name string) {
	if a.plant != nil {
		a.plant(name)
	}
}

// hide keeps the secrets that are known by now out of what is printed.
func (a *app) hide() { a.out.Keys, a.err.Keys = a.keys(), a.keys() }
