package reports

import (
	"errors"
	"fmt"
	"io"
	"os"
)

// GitHub writes the result of a run for GitHub Actions: annotations to stdout, and the summary, appended to the file of
// the step's summary. env returns environment variables. Outside of a workflow GitHub does nothing. It is an error if
// the file cannot be written.
func GitHub(stdout io.Writer, env func(string) string, out Outcome) error {
	if env("GITHUB_ACTIONS") != "true" {
		return nil
	}
	if err := Annotations(stdout, out); err != nil {
		return err
	}
	path := env("GITHUB_STEP_SUMMARY")
	if path == "" {
		return nil
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return fmt.Errorf("the step's summary: %w", err)
	}
	_, err = f.Write(Summary(out))
	return errors.Join(err, f.Close())
}
