package terminal

import (
	"fmt"
	"io"
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
	Sentence(w, "Load on %s: about %s and %s, in about %s; up to %s if the limiter is a sliding counter", target,
		spec.Count(s.Requests, "request"), creates, inWords(s.Usual), inWords(s.Longest))
	Paragraph(w, "  ", fmt.Sprintf("at most %s, including retries of unclear results", spec.Count(s.Most, "request")))
	for _, k := range s.Keys {
		if len(s.Keys) > 8 { // of many keys the sum says enough
			break
		}
		fmt.Fprintf(w, "  %s: %s", k.Label, spec.Count(k.Requests, "request"))
		if k.OfDay > 0 {
			fmt.Fprintf(w, ", %.0f %% of its day", 100*k.OfDay)
		}
		fmt.Fprintln(w)
		for _, p := range k.Phases {
			fmt.Fprintf(w, "    %-14s %6s, up to %s\n", p.Phase, spec.Number(p.Requests), max(time.Second, p.Longest.Round(time.Second)))
		}
		if k.Warning != "" {
			Paragraph(w, "    Warning: ", k.Warning)
		}
	}
	for _, why := range s.Without {
		Paragraph(w, "  ", why)
	}
}

// inWords formats a time as a person says it: 45 seconds, 11 minutes, 3 hours.
func inWords(d time.Duration) string {
	switch {
	case d < 90*time.Second:
		return spec.Count(int(d.Round(time.Second).Seconds()), "second")
	case d < 90*time.Minute:
		return spec.Count(int(d.Round(time.Minute).Minutes()), "minute")
	}
	return spec.Count(int(d.Round(time.Hour).Hours()), "hour")
}
