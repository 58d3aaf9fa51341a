package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"petconform/spec/verdict"
)

// signals end a run in order: the recording gets its last line, and a report is written. SIGHUP comes when a terminal closes.
var signals = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP}

// interruptible returns a context that the first interrupt ends. The second one calls end, whatever the process does then. Restoring
// the default action of the signal would not do: Ginkgo listens too, and takes the second interrupt for itself.
func interruptible(end func(code int)) (context.Context, func()) {
	ctx, stop := signal.NotifyContext(context.Background(), signals...)
	heard := make(chan os.Signal, 2)
	signal.Notify(heard, signals...)
	go func() {
		<-heard // NotifyContext hears it too
		<-heard
		fmt.Fprintln(os.Stderr, "petconform: ended by the second signal; there is no verdict")
		end(verdict.ExitNoVerdict)
	}()
	return ctx, func() {
		signal.Stop(heard)
		stop()
	}
}
