package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"time"

	"petconform/cmd/petconform/terminal"
	"petconform/conformance/clients"
	"petconform/spec/exchange"
	"petconform/spec/reference"
)

// clientRun is a run that goes on. Its recording grows.
type clientRun struct {
	watcher *clients.Watcher
	out     *exchange.Writer
	rec     exchange.Recording
	// failed says how the command failed, if it did.
	failed string
}

func newClientRun(s listening, meta exchange.Meta, file io.Writer) (r *clientRun, err error) {
	r = &clientRun{rec: exchange.Recording{Meta: meta}}
	r.out, err = exchange.NewWriter(file, meta)
	keys := map[string]exchange.Secret{}
	for _, k := range s.keys {
		keys[k.Name] = k.Secret
	}
	r.watcher = &clients.Watcher{Service: s.service, BasePath: "/v1", Keys: keys,
		Record: func(x exchange.Exchange) error {
			r.rec.Exchanges = append(r.rec.Exchanges, x)
			return r.out.Write(x)
		}}
	return r, err
}

const (
	// clientGrace is how long a request in flight may take when the run ends. A client that is still sending may be
	// hostile.
	clientGrace = time.Second
	// commandGrace is how long a command may take to end after it was told to.
	commandGrace = 5 * time.Second
)

// serve runs the service until ctx or the command ends, or the recording is full, and completes the recording, in the
// order in which requests came.
func (r *clientRun) serve(ctx context.Context, s listening, command []string, w io.Writer) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	r.watcher.Full = func(why string) {
		terminal.Paragraph(w, time.Now().Format(time.TimeOnly)+"  ", why+", so the run ends")
		cancel()
	}
	done := make(chan error, 1)
	go func() {
		if len(command) > 0 {
			defer cancel()
			done <- r.command(ctx, command, s, w)
		}
		close(done)
	}()
	front := reference.Front{Handler: r.watcher, Connected: r.watcher.Connected, Grace: clientGrace, CutOff: r.watcher.CutOff}
	err := errors.Join(s.service.ServeBehind(ctx, clients.Listen(s.listener), front), <-done)
	end := r.watcher.End()
	end.Stopped = cmp.Or(end.Stopped, r.failed)
	slices.SortFunc(r.rec.Exchanges, func(a, b exchange.Exchange) int { return a.N - b.N })
	r.rec.End = &end
	return errors.Join(err, r.out.End(end))
}

// command runs the client under test until it ends or ctx does. A command that fails may have left out what it was
// about to do, so that its run has no verdict, unless the client deviates.
func (r *clientRun) command(ctx context.Context, args []string, s listening, w io.Writer) error {
	child := exec.CommandContext(ctx, args[0], args[1:]...)
	child.Env = append(os.Environ(), s.variables()...)
	child.Stdin, child.Stdout, child.Stderr = os.Stdin, os.Stdout, os.Stderr
	child.Cancel = func() error { return child.Process.Signal(os.Interrupt) }
	child.WaitDelay = commandGrace
	err := child.Run()
	if child.ProcessState == nil {
		return usage("the command cannot be run: %w", err)
	}
	ended := fmt.Sprintf("the command ended with exit code %d", child.ProcessState.ExitCode())
	switch exit := (*exec.ExitError)(nil); {
	case ctx.Err() != nil:
		ended = "the run ended before the command did"
	case errors.As(err, &exit) && !exit.Exited():
		ended = "the command was ended by a signal: " + exit.String()
	}
	if err != nil || ctx.Err() != nil {
		r.failed = ended
	}
	terminal.Paragraph(w, "petconform: ", ended)
	return nil
}
