package main

import (
	"errors"
	"io/fs"
	"os"

	"petconform/cmd/petconform/settings"
	"petconform/cmd/petconform/terminal"
)

// initCommand is petconform init.
type initCommand struct {
	File string `arg:"" optional:"" help:"File to write. Default: petconform.yaml." default:"petconform.yaml"`
}

// Run writes a commented file of settings, and never over another file.
func (c *initCommand) Run(std streams) (err error) {
	f, err := os.OpenFile(c.File, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return usage("%s exists; edit it, or name another file", c.File)
	} else if err != nil {
		return usage("%w", err)
	}
	if _, err = f.Write(settings.Example); errors.Join(err, f.Close()) != nil {
		return usage("%s could not be written: %w", c.File, err)
	}
	terminal.Sentence(std.out, "%s is written. Set the address of staging, put its key into PETCONFORM_KEY_STAGING, and run: petconform check staging", c.File)
	return nil
}
