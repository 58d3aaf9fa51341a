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
	// out is for the result of a command, err for progress and errors. Both show text of others safely.
	out, err io.Writer
	// lines says that a line a finding is wanted (--format line).
	lines bool
	// variables are those of the environment that --header refers to, and addresses those of targets: what a key has in
	// common with one is no secret.
	variables, addresses []string
	// folders are those that are open, by absolute path.
	folders map[string]*reports.Folder
	// interrupted reports whether a signal has ended the run.
	interrupted func() bool
	// fault is the first panic of a goroutine, and end ends the command because of one.
	fault atomic.Pointer[fault]
	end   context.CancelCauseFunc
	// plant is called when a command begins a stage; a test causes panics by it.
	plant func(stage string)
}

func newApp(out, err io.Writer) *app {
	return &app{out: out, err: err, folders: map[string]*reports.Folder{}, interrupted: func() bool { return false }}
}

// stage says that a command begins a stage.
func (a *app) stage(name string) {
	if a.plant != nil {
		a.plant(name)
	}
}

// safe makes the writers ready for text that may come from elsewhere, and hides the secrets that are known by now.
func (a *app) safe(out, err io.Writer) {
	keys := a.keys()
	a.out, a.err = terminal.Safe{To: out, Keys: keys}, terminal.Safe{To: err, Keys: keys}
}
