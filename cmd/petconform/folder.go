package main

import (
	"errors"
	"fmt"
	"os/signal"
	"path/filepath"
	"syscall"

	"petconform/reports"
)

// folders are the folders that this process has open, by absolute path. The check and the load of a sign-off share one.
type folders struct {
	open map[string]*reports.Folder
	// interrupted reports whether a signal has ended the run.
	interrupted func() bool
}

var inUse = folders{open: map[string]*reports.Folder{}, interrupted: func() bool { return false }}

// get returns the folder dir. It opens the folder unless it is already open.
func (o *folders) get(dir string, open func(string) (*reports.Folder, error)) (*reports.Folder, error) {
	name, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	if f := o.open[name]; f != nil {
		return f, nil
	}
	f, err := open(dir)
	switch {
	case errors.Is(err, reports.ErrNotOurs), errors.Is(err, reports.ErrSigned), errors.Is(err, reports.ErrUnfit):
		return nil, usage("--out: %w", err)
	case err != nil:
		return nil, noVerdict(fmt.Errorf("--out: %w", err))
	}
	signal.Ignore(syscall.SIGPIPE) // as in: petconform check | head; the report is still written
	o.open[name] = f
	return f, nil
}

// recordings returns the names of the recordings in the open folders.
func (o *folders) recordings() []string {
	var names []string
	for _, f := range o.open {
		names = append(names, f.Recordings()...)
	}
	return names
}

func (o *folders) close() error {
	var err error
	for name, f := range o.open {
		err = errors.Join(err, f.Close())
		delete(o.open, name)
	}
	return err
}

// newRecording creates a recording in the folder of a new run, and opens the folder unless it is open.
func newRecording(dir, recording string) (*reports.Stream, error) {
	f, err := inUse.get(dir, reports.OpenFolder)
	if err != nil {
		return nil, err
	}
	file, err := f.Record(recording)
	if err != nil {
		return nil, noVerdict(fmt.Errorf("--out: %w", err))
	}
	return file, nil
}
