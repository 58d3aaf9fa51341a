package main

import (
	"errors"
	"fmt"
	"os/signal"
	"path/filepath"
	"syscall"

	"petconform/reports"
)

// folder returns the folder dir. It opens the folder unless it is already open: the check and the load of a sign-off
// share one.
func (a *app) folder(dir string, open func(string) (*reports.Folder, error)) (*reports.Folder, error) {
	name, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	if f := a.folders[name]; f != nil {
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
	a.folders[name] = f
	return f, nil
}

// recordings returns the names of the recordings in the open folders.
func (a *app) recordings() []string {
	var names []string
	for _, f := range a.folders {
		names = append(names, f.Recordings()...)
	}
	return names
}

func (a *app) closeFolders() error {
	var err error
	for name, f := range a.folders {
		err = errors.Join(err, f.Close())
		delete(a.folders, name)
	}
	return err
}

// newRecording creates a recording in the folder of a new run, and opens the folder unless it is open.
func (a *app) newRecording(dir, recording string) (*reports.Stream, error) {
	f, err := a.folder(dir, reports.OpenFolder)
	if err != nil {
		return nil, err
	}
	file, err := f.Record(recording)
	if err != nil {
		return nil, noVerdict(fmt.Errorf("--out: %w", err))
	}
	return file, nil
}
