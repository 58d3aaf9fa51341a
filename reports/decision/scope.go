package decision

import (
	"fmt"
	"strings"
	"time"

	"petconform/load/judge"
	"petconform/spec/verdict"
)

// headline returns the word with what the run does not cover, and with the target if it is not a service in use.
func headline(f Facts, d Decision) string {
	words := string(d.Word)
	if d.Word == Release || d.Word == ReleaseWithWaivers {
		open := tally(f.Results).loadOpen
		switch {
		case find(d.Gates, rateLimitsGate).Result == NotAsked:
			words, open = words+", conformance only: rate limits not tested", nil
		case find(d.Gates, coverageGate).Result == NotAsked:
			words += ", rate limits only: conformance not tested"
		}
		if len(open) > 0 {
			words += ", not proved under load: " + list(open)
		}
	}
	if p := f.Results.Part; p != nil {
		words += ", " + p.String()
	}
	if load, _ := judge.ParseReport(f.Results.Load); load.MinuteS > 0 && load.MinuteS != 60 { // production may behave differently
		words += fmt.Sprintf(", on scaled time (a minute lasts %s)", time.Duration(load.MinuteS*float64(time.Second)))
	}
	switch {
	case f.Results.OfClient():
		words += ", of a client"
	case f.Results.Target.Reference:
		words += ", of the built-in reference service"
	}
	return words
}

func find(gates []Gate, name string) Gate {
	for _, g := range gates {
		if g.Name == name {
			return g
		}
	}
	return Gate{}
}

// scope counts the musts by their results. The counts add up to the number of musts.
func scope(f Facts) string {
	n := tally(f.Results)
	parts := []string{fmt.Sprintf("%d of %d %s hold", n.all.Hold, n.all.Musts, verdict.Binding(f.Results.Strict))}
	add := func(count int, format string, a ...any) {
		if count > 0 {
			parts = append(parts, fmt.Sprintf(format, a...))
		}
	}
	add(n.all.Waived, "%d waived", n.all.Waived)
	if loaded(f) {
		add(len(n.loadOpen), "not proved under load: %s", list(n.loadOpen))
	} else {
		add(len(n.loadOpen), "%d need a load run", len(n.loadOpen))
	}
	add(len(n.unread), "%s", unread(n))
	add(len(n.notRun), "not judged: %s", list(n.notRun))
	add(len(n.inconclusive), "inconclusive: %s", list(n.inconclusive))
	add(len(n.untestable), "cannot be tested: %s", list(n.untestable))
	if n.all.NotApplicable == 1 {
		parts = append(parts, "1 does not apply on the day of the run")
	} else {
		add(n.all.NotApplicable, "%d do not apply on the day of the run", n.all.NotApplicable)
	}
	return strings.Join(parts, "; ")
}
