package main

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"petconform/conformance/explore"
	"petconform/reports"
	"petconform/reports/safe"
	"petconform/spec/history"
)

// explored returns a card for each failure that an exploration found, with the shortest sequence of requests that shows it, and
// a script for each that sends the sequence again.
func explored(in reports.Input) ([]explore.Card, []reports.Artefact) {
	if in.Recording == nil || !slices.Contains(in.Recording.Meta.Planned, explore.CheckID) {
		return nil, nil
	}
	cards := explore.Cards(history.Of(in.Recording))
	scripts := make([]reports.Artefact, len(cards))
	for i, card := range cards {
		scripts[i] = reports.Artefact{Name: fmt.Sprintf("explore-%d.sh", i+1), Data: []byte(card.Script)}
	}
	return cards, scripts
}

// tellExplored prints the failures that an exploration found, and the name of each script that was written.
func tellExplored(w io.Writer, dir string, cards []explore.Card) {
	for i, card := range cards {
		fmt.Fprintln(w, safe.Text(card.String()))
		if dir != "" {
			fmt.Fprintf(w, "  Again: sh %s\n\n", filepath.Join(dir, fmt.Sprintf("explore-%d.sh", i+1)))
		}
	}
}
