package main

import (
	"errors"
	"fmt"
	"io"
	"sync"
	"syscall"
)

// output is standard output. Commands write as if nothing could fail; run asks failed at the end, for all of them.
type output struct {
	to io.Writer

	mu  sync.Mutex
	err error
}

// Write writes p, and nothing more after an error.
func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err == nil {
		_, o.err = o.to.Write(p)
	}
	return len(p), nil
}

// failed returns an error if something was not written. A pipe that its reader closed, as in petconform list | head, is none: who
// reads has what is wanted.
func (o *output) failed() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err == nil || errors.Is(o.err, syscall.EPIPE) {
		return nil
	}
	return noVerdict(fmt.Errorf("standard output could not be written (%w), so what was printed is not complete", o.err))
}
