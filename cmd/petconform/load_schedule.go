package main

import (
	"fmt"
	"io"
	"time"

	"petconform/load"
)

// tellSchedule says beforehand what a load run will send.
func tellSchedule(w io.Writer, target string, s load.Schedule) {
	fmt.Fprintf(w, "Load on %s: about %d requests and %d new animals, %s to %s\n", target, s.Requests, s.Creates,
		s.Fastest.Round(time.Second), s.Longest.Round(time.Second))
	fmt.Fprintf(w, "  at most %d requests, including retries of unclear results\n", s.Most)
	for _, k := range s.Keys {
		if len(s.Keys) > 8 {
			break
		}
		fmt.Fprintf(w, "  %s: %d requests", k.Label, k.Requests)
		if k.OfDay > 0 {
			fmt.Fprintf(w, ", %.0f %% of its day", 100*k.OfDay)
		}
		fmt.Fprintln(w)
		for _, p := range k.Phases {
			fmt.Fprintf(w, "    %-14s %6d requests  up to %s\n", p.Phase, p.Requests, p.Longest.Round(time.Second))
		}
		if k.Warning != "" {
			paragraph(w, "    Warning: ", k.Warning)
		}
	}
}
