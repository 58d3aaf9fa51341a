package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"petconform/conformance/explore"
	"petconform/reports"
	"petconform/spec/history"
)

// tellExplored prints what an exploration found, each failure as the shortest sequence of requests that shows it, and leaves a
// script beside the report that sends the sequence again.
func tellExplored(w io.Writer, dir string, in reports.Input) error {
	if in.Recording == nil {
		return nil
	}
	for i, card := range explore.Cards(history.Of(in.Recording)) {
		fmt.Fprintln(w, card.String())
		if dir == "" {
			continue
		}
		name := filepath.Join(dir, fmt.Sprintf("explore-%d.sh", i+1))
		if err := os.WriteFile(name, []byte(card.Script), 0o755); err != nil {
			return fmt.Errorf("the script of a failure: %w", err)
		}
		fmt.Fprintf(w, "  Again: sh %s\n\n", name)
	}
	return nil
}
