package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"petconform/cmd/petconform/terminal"
	"petconform/conformance/run"
	"petconform/reports"
	"petconform/spec/verdict"
)

// openFolder opens the folder of the run, unless it is open.
func (a *app) openFolder(dir string, again bool) (err error) {
	if a.folder != nil {
		return nil
	}
	a.folder, err = reports.OpenFolder(dir, again)
	switch {
	case errors.Is(err, reports.ErrUnfit):
		return usage("--out: %w", err)
	case err != nil:
		return noVerdict(fmt.Errorf("--out: %w", err))
	}
	signal.Ignore(syscall.SIGPIPE) // as in: petconform check | head; the report is still written
	return nil
}

func (a *app) newRecording(name string) (*os.File, error) {
	file, err := a.folder.Record(name)
	if err != nil {
		return nil, noVerdict(fmt.Errorf("--out: %w", err))
	}
	return file, nil
}

// reported runs a command in the folder of its run. The files of an earlier run leave the folder first, so that none of
// them is taken for this run's. If run ends before it has written its report, reported writes one that says why there is
// no verdict.
func (a *app) reported(dir string, begun verdict.Results, do func() error) error {
	if err := a.openFolder(dir, false); err != nil {
		return err
	}
	begun.Started = time.Now().UTC()
	err := do()
	why := failed{verdict.ExitNoVerdict, err}
	if errors.As(err, &why); why.err == nil || a.folder.Written() {
		return err
	}
	begun.Tool, begun.Run, begun.Ended, begun.AsOf = tool, run.NewName(), time.Now().UTC(), begun.Started
	v := reports.Look(reports.Input{Results: reports.Unjudged(begun, oneLine(why)), WrongUsage: why.code == verdict.ExitUsage})
	if _, unsealed := a.folder.Seal(a.keys()); unsealed != nil || a.folder.Write(v) != nil { // then the folder stays unfinished, and no report says anything else
		return err
	}
	return errors.Join(err, a.annotate(v), a.folder.Complete())
}

// addition adds files to the folder of a run that has its report.
type addition func(in reports.Input, v reports.View) error

// conclude writes the report into the folder of a run, prints the outcome, completes the folder and ends the command. A
// report that cannot be written is no verdict; the outcome is printed all the same, but where a key was about to be
// written.
func (a *app) conclude(dir string, in reports.Input, verbose bool, add ...addition) error {
	a.stage("the report")
	a.addresses = append(a.addresses, in.Results.Target.URL)
	in.Redactor = a.keys()
	if err := a.openFolder(dir, true); err != nil {
		return errors.Join(err, a.show(reports.Look(in), "", verbose))
	}
	digests, err := a.folder.Seal(in.Redactor)
	in.Digests = digests
	v := reports.Look(in)
	write := func(reports.Input, reports.View) error { return a.folder.Write(v) }
	complete := func(reports.Input, reports.View) error { return a.folder.Complete() }
	for _, step := range slices.Concat([]addition{write}, add, []addition{complete}) {
		if err == nil {
			err = step(in, v)
		}
	}
	folder := dir
	switch {
	case errors.Is(err, reports.ErrKeyFound):
		return noVerdict(fmt.Errorf("%w; one that stands in every report, such as p99, is too short or too common: use another", err))
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
	err := reports.Terminal(terminal.Coloured{Output: a.out}, v, style)
	if folder != "" && a.bundle != "" {
		a.out.Paragraph("  ", a.bundle)
	}
	return err
}

// annotate writes, in a workflow of GitHub Actions, annotations and the summary, appended to that of the step. No line of
// any other output begins with text of a target, so that only these are workflow commands.
func (a *app) annotate(v reports.View) error {
	if os.Getenv("GITHUB_ACTIONS") != "true" {
		return nil
	}
	err := reports.Annotations(terminal.Commands{Output: a.out}, v)
	path := os.Getenv("GITHUB_STEP_SUMMARY")
	if path == "" || err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return fmt.Errorf("the step's summary: %w", err)
	}
	return errors.Join(reports.Summary(f, v), f.Close())
}

// openRun opens a run, or several as one.
func openRun(o reports.Opening, paths ...string) (reports.Input, error) {
	o.Tool = tool
	in, err := o.Open(paths...)
	if err != nil {
		return in, noVerdict(err)
	}
	return in, nil
}

// reportAgain writes the report of a run that was opened. A folder that is not the run's own gets copies of its recordings.
func (a *app) reportAgain(dir string, own bool, in reports.Input, verbose bool) (err error) {
	if !own {
		if err = a.openFolder(dir, false); err == nil {
			err = a.folder.Add(in.Recordings)
		}
	}
	if err != nil {
		return errors.Join(err, a.show(reports.Look(in), "", verbose))
	}
	return a.conclude(dir, in, verbose)
}
