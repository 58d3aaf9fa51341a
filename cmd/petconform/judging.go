package main

import (
	"errors"
	"fmt"
	"io"

	"petconform/cmd/petconform/terminal"
	"petconform/reports"
)

// openRun opens a run, or several as one, and warns where a results.json claims something else than the recordings
// show.
func openRun(a *app, o reports.Opening, paths ...string) (reports.Run, error) {
	o.Tool = tool()
	o.Judging = func(name string) { a.stage("judging " + name) }
	run, err := o.Open(paths...)
	if err != nil {
		return run, noVerdict(err)
	}
	for _, d := range run.Differs {
		terminal.Paragraph(a.err, "Warning: ", d)
	}
	return run, nil
}

// unjudged returns an error for a run whose recordings could not be judged.
func unjudged(run reports.Run) error {
	if why := run.Results.Unjudged; why != "" {
		return noVerdict(errors.New(why))
	}
	return nil
}

// putRecordings writes copies of the recordings of a run into a new folder.
func (a *app) putRecordings(dir string, run reports.Run) error {
	if _, err := a.folder(dir, reports.OpenFolder); err != nil {
		return err
	}
	for name, open := range run.Recordings {
		if err := a.putRecording(dir, name, open); err != nil {
			return noVerdict(fmt.Errorf("copying %s: %w", name, err))
		}
	}
	return nil
}

func (a *app) putRecording(dir, name string, open func() (io.ReadCloser, error)) error {
	from, err := open()
	if err != nil {
		return err
	}
	defer from.Close()
	file, err := a.newRecording(dir, name)
	if err != nil {
		return err
	}
	_, err = io.Copy(file, from)
	if file.Close() != nil {
		return nil // Folder.Write returns the reason
	}
	return err
}
