package terminal

import (
	"fmt"
	"io"
	"strings"
	"time"

	"petconform/load"
	"petconform/spec"
)

// Schedule says beforehand what a load run will send.
func Schedule(w io.Writer, target string, s load.Schedule) {
	creates := "no new animal"
	if s.Creates > 0 {
		creates = "at most " + spec.Count(s.Creates, "new animal")
	}
	Sentence(w, "Load on %s: about %s and %s, in %s to %s", target, spec.Count(s.Requests, "request"), creates,
		s.Fastest.Round(time.Second), s.Longest.Round(time.Second))
	fmt.Fprintf(w, "  at most %s, including retries of unclear results\n", spec.Count(s.Most, "request"))
	for _, k := range s.Keys {
		if len(s.Keys) > 8 {
			break
		}
		fmt.Fprintf(w, "  %s: %s", k.Label, spec.Count(k.Requests, "request"))
		if k.OfDay > 0 {
			fmt.Fprintf(w, ", %.0f %% of its day", 100*k.OfDay)
		}
		fmt.Fprintln(w)
		for _, p := range k.Phases {
			n, requests, _ := strings.Cut(spec.Count(p.Requests, "request"), " ")
			fmt.Fprintf(w, "    %-14s %6s %-8s  up to %s\n", p.Phase, n, requests, max(time.Second, p.Longest.Round(time.Second)))
		}
		if k.Warning != "" {
			Paragraph(w, "    Warning: ", k.Warning)
		}
	}
}
