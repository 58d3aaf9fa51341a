package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"petconform/cmd/petconform/terminal"
	"petconform/conformance/run"
	"petconform/reports"
	"petconform/spec/verdict"
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

// reported runs a command in the folder of its run. The files of an earlier run leave the folder first, so that none of
// them is taken for this run's. If run ends before it has written its report, reported writes one that says why there is
// no verdict.
func (a *app) reported(dir string, begun verdict.Results, do func() error) error {
	f, err := a.folder(dir, reports.OpenFolder)
	if err != nil {
		return err
	}
	begun.Started = time.Now().UTC()
	err = do()
	why := failed{verdict.ExitNoVerdict, err}
	if errors.As(err, &why); why.err == nil || f.Written() {
		return err
	}
	begun.Tool, begun.Run, begun.Ended, begun.AsOf = tool(), run.NewName(), time.Now().UTC(), begun.Started
	v := reports.Look(reports.Input{Results: reports.Unjudged(begun, oneLine(why)), WrongUsage: why.code == verdict.ExitUsage})
	if _, unsealed := f.Seal(a.keys()); unsealed != nil || f.Write(v) != nil { // then the folder stays unfinished, and no report says anything else
		return err
	}
	return errors.Join(err, a.annotate(v), f.Complete())
}

// addition adds files to the folder of a run that has its report.
type addition func(f *reports.Folder, in reports.Input) error

// conclude writes the report into the folder of a run, prints the outcome, completes the folder and ends the command. A
// report that cannot be written is no verdict; the outcome is printed all the same, but where a key was about to be
// written.
func (a *app) conclude(dir string, in reports.Input, verbose bool, add ...addition) error {
	a.stage("the report")
	a.addresses = append(a.addresses, in.Results.Target.URL)
	in.Redactor = a.keys()
	f, err := a.folder(dir, reports.ReopenFolder)
	if err != nil {
		return errors.Join(err, a.show(reports.Look(in), "", verbose))
	}
	digest, err := f.Seal(in.Redactor)
	in.RecordingDigest = cmp.Or(in.RecordingDigest, digest)
	v := reports.Look(in)
	write := func(f *reports.Folder, _ reports.Input) error { return f.Write(v) }
	for _, step := range append(append([]addition{write}, add...), func(f *reports.Folder, _ reports.Input) error { return f.Complete() }) {
		if err == nil {
			err = step(f, in)
		}
	}
	folder := dir
	switch {
	case errors.Is(err, reports.ErrKeyFound):
		return noVerdict(err)
	case err != nil:
		err, folder = fmt.Errorf("the report could not be written: %w", err), ""
	default:
		a.written = fmt.Sprintf("; the report is complete: %s", filepath.Join(dir, reports.ReportFile))
	}
	if err := errors.Join(err, a.show(v, folder, verbose), a.annotate(v)); err != nil {
		return noVerdict(err)
	}
	return exitWith(v.Code)
}

// show prints the outcome of a run, in the format that is asked for.
func (a *app) show(v reports.View, folder string, verbose bool) error {
	if a.lines {
		return reports.Findings(a.out, v, cmp.Or(folder, "."))
	}
	style := a.out.Style()
	style.Folder, style.Verbose = folder, verbose
	return reports.Terminal(a.out, v, style)
}

// annotate writes annotations and the summary of the step for GitHub Actions. No line of any other output begins with
// text of a target, so that only these are workflow commands.
func (a *app) annotate(v reports.View) error {
	return reports.GitHub(terminal.Commands{Output: a.out}, os.Getenv, v)
}

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
		a.err.Paragraph("Warning: ", d)
	}
	return run, nil
}

// copyRun writes copies of the recordings of a run into a new folder.
func (a *app) copyRun(dir string, run reports.Run) error {
	if _, err := a.folder(dir, reports.OpenFolder); err != nil {
		return err
	}
	for name, data := range run.Recordings {
		file, err := a.newRecording(dir, name)
		if err == nil {
			_, err = file.Write(data)
			err = cmp.Or(file.Close(), err)
		}
		if err != nil {
			return noVerdict(fmt.Errorf("copying %s: %w", name, err))
		}
	}
	return nil
}
