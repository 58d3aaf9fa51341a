package main

import (
	"context"
	"errors"
	"io/fs"

	"petconform/cmd/petconform/settings"
	"petconform/reports"
)

// deskCommand is petconform check at a developer's desk: the check, and what is wanted beside it.
type deskCommand struct {
	checkCommand
	Against string `help:"Second target, by name or address: send it the same requests and compare the responses. Its key comes from PETCONFORM_KEY_AGAINST or petconform.yaml." placeholder:"TARGET"`
	Show    *int   `help:"Print exchange N of the run in --out in full, and send nothing." placeholder:"N"`
	Watch   bool   `help:"Check again on Enter, and whenever the target has restarted: first the checks that failed, and then all of them."`
}

// Run is petconform check.
func (c *deskCommand) Run(ctx context.Context, std streams, file *settings.File) error {
	if c.Show != nil {
		return c.show(std)
	}
	if c.Against != "" && c.Watch {
		return usage("--against compares two targets once; it does not go with --watch")
	}
	if c.Against != "" {
		var err error
		if c.against, err = c.openSecond(ctx, std, c.Against, file); err != nil {
			return err
		}
	}
	if c.Watch {
		return c.watch(ctx, std)
	}
	return c.checkCommand.Run(ctx, std)
}

// show prints an exchange of the run in the folder in full. It sends nothing.
func (c *deskCommand) show(std streams) error {
	dir := c.folder()
	run, err := openRun(std, reports.Opening{Any: true}, dir)
	if errors.Is(err, fs.ErrNotExist) {
		return usage("--show %d: %w; name the folder of a run with --out", *c.Show, err)
	} else if err != nil {
		return err
	}
	if err := unjudged(run); err != nil {
		return err
	}
	rec := run.Recording
	if rec == nil {
		return usage("--show %d: %s has no %s; name the folder of a check with --out", *c.Show, dir, reports.RecordingFile)
	}
	for _, x := range rec.Exchanges {
		if x.N == *c.Show {
			return reports.Exchange(std.out, x, run.Results)
		}
	}
	return usage("--show %d: %s has the exchanges 1 to %d", *c.Show, dir, len(rec.Exchanges))
}
