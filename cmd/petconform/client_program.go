package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"

	"petconform/cmd/petconform/terminal"
	"petconform/spec"
)

// prepare checks what the flags of a run name, before anything is written.
func (c *clientCommand) prepare() (err error) {
	if c.asOf, err = dayOf(c.AsOf); err != nil {
		return err
	}
	if c.seed, err = seedOf(c.Seed); err != nil {
		return err
	}
	for _, id := range words(c.Require) {
		q, known := spec.TheLedger().Find(spec.ID(id))
		switch {
		case !known || q.Proof != spec.ByClient:
			return usage("--require %s: there is no such requirement of clients; petconform list clients has them", id)
		case q.Level == spec.Open:
			return usage("--require %s: the interface leaves it open, so nothing can break it", id)
		}
		c.required = append(c.required, q.ID)
	}
	if c.Key != "" { // where the keys of the service and those that nothing may show are looked for
		if err := os.Setenv(keyVariable, c.Key); err != nil {
			return usage("--key: %w", err)
		}
	}
	if len(c.Command) == 0 {
		return nil
	}
	if c.Listen == "" {
		c.Listen = "127.0.0.1:0"
	}
	if _, err := exec.LookPath(c.Command[0]); err != nil {
		return usage("the command cannot be run: %w", err)
	}
	return nil
}

// programGrace is how long a command may take to end after it was told to.
const programGrace = 5 * time.Second

// command runs the client under test until it ends or ctx does. A command that fails may have left out what it was
// about to do, so that its run has no verdict, unless the client deviates.
func (r *clientRun) command(ctx context.Context, args []string, s listening, w io.Writer) error {
	child := exec.CommandContext(ctx, args[0], args[1:]...)
	child.Env = append(os.Environ(), s.variables()...)
	child.Stdin, child.Stdout, child.Stderr = os.Stdin, os.Stdout, os.Stderr
	child.Cancel = func() error { return child.Process.Signal(os.Interrupt) }
	child.WaitDelay = programGrace
	err := child.Run()
	if child.ProcessState == nil {
		return usage("the command cannot be run: %w", err)
	}
	ended := fmt.Sprintf("the command ended with exit code %d", child.ProcessState.ExitCode())
	switch exit := (*exec.ExitError)(nil); {
	case ctx.Err() != nil:
		ended = "the run ended before the command did"
		r.failed = ended
	case errors.As(err, &exit) && !exit.Exited():
		ended = "the command was ended by a signal: " + exit.String()
		r.failed = ended
	case err != nil:
		r.failed = ended
	}
	terminal.Paragraph(w, "petconform: ", ended)
	return nil
}
