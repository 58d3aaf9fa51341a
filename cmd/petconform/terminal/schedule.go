package terminal

import (
	"fmt"
	"time"

	"petconform/load"
	"petconform/spec"
)

// Schedule says beforehand what a load run will send.
func (o *Output) Schedule(target string, s load.Schedule) {
	creates := "no new animal"
	if s.Creates > 0 {
		creates = "at most " + spec.Count(s.Creates, "new animal")
	}
	o.Sentence("Load on %s: about %s and %s, in about %s; up to %s if the limiter is a sliding counter", target,
		spec.Count(s.Requests, "request"), creates, inWords(s.Usual), inWords(s.Longest))
	o.Paragraph("  ", "at most "+spec.Count(s.Most, "request")+", including retries of unclear results")
	for _, k := range s.Keys {
		if len(s.Keys) > 8 { // of many keys the sum says enough
			break
		}
		fmt.Fprintf(o, "  %s: %s", k.Label, spec.Count(k.Requests, "request"))
		if k.OfDay > 0 {
			fmt.Fprintf(o, ", %.0f %% of its day", 100*k.OfDay)
		}
		fmt.Fprintln(o)
		for _, p := range k.Phases {
			fmt.Fprintf(o, "    %-14s %6s, up to %s\n", p.Phase, spec.Number(p.Requests), max(time.Second, p.Longest.Round(time.Second)))
		}
		if k.Warning != "" {
			o.Paragraph("    Warning: ", k.Warning)
		}
	}
	for _, why := range s.Without {
		o.Paragraph("  ", why)
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
