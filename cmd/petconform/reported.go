package main

import (
	"errors"
	"time"

	"petconform/conformance/run"
	"petconform/reports"
	"petconform/spec/client"
	"petconform/spec/verdict"
)

// reported runs a command in the folder of its run. The files of an earlier run leave the folder first, so that none of
// them is taken for this run's. If run ends before it has written its report, reported writes one that says why there is
// no verdict.
func reported(a *app, dir string, begun verdict.Results, do func() error) error {
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

// begun returns what a command knows of its run before it begins.
func (f targetFlags) begun(kind string) verdict.Results {
	r := verdict.Results{Kind: kind, Target: verdict.Target{Reference: f.Target == ""}}
	if base, err := client.ParseBase(f.Target); err == nil { // another address may have a password
		r.Target.URL = base.String()
	}
	return r
}
