package decision

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"petconform/load/judge"
	"petconform/spec/verdict"
)

// headline returns the one word that a person reads first, with what the run does not cover, and with the target if it
// is not a service in use.
func headline(f Facts, d Decision) string {
	words := wordFor(f, d)
	if d.Word == Release || d.Word == ReleaseWithWaivers {
		n := tally(f.Results)
		if find(d.Gates, rateLimitsGate).Result == NotAsked {
			words += ", rate limits not tested"
			n.loadOpen, n.leftOut = nil, nil
		}
		if len(n.loadOpen) > 0 {
			words += ", not proved under load: " + list(n.loadOpen)
		}
		if len(n.leftOut) > 0 {
			words += ", " + notTested(n.leftOut)
		}
	}
	if strings.Contains(f.Results.Reasons.String(), "the run was aborted") {
		words += ", aborted"
	}
	switch p := f.Results.Part; {
	case p == nil:
	case d.Accepted():
		words = fmt.Sprintf("%s, %d of %[2]d selected, %s", partHolds, selected(f.Results.Checks), strings.TrimPrefix(p.String(), "PART: "))
	default:
		words += ", " + p.String()
	}
	if day := f.Results.AnotherDay(); day != "" {
		words += ", as of " + day
	}
	if load, _ := judge.ParseReport(f.Results.Load); load.MinuteS > 0 && load.MinuteS != 60 { // production may behave differently
		words += fmt.Sprintf(", on scaled time (a minute lasts %s)", time.Duration(load.MinuteS*float64(time.Second)))
	}
	if f.Results.Target.Reference {
		words += ", of the built-in reference service"
	}
	return words
}

// wordFor returns the word for a run of its kind, which says what was tested: CONFORMS for a check, RATE LIMITS HOLD for
// a load, RELEASE for a sign-off. A run that deviates in nothing but a gate beyond conformance is told not to be
// released, whatever its kind, and so is a check that is to have a load: a sign-off that ended before its load.
func wordFor(f Facts, d Decision) string {
	r := f.Results
	switch {
	case r.Kind == "signoff", d.Word == DoNotRelease && f.Policy.Load:
	case d.Word == Release:
		return r.Holds()
	case d.Word == ReleaseWithWaivers:
		return r.Holds() + " WITH WAIVERS"
	case d.Beside(r) == "":
		return strings.ToUpper(string(said[d.Word]))
	}
	return string(d.Word)
}

// said are the verdicts that each word of a decision says too.
var said = map[Word]verdict.Run{Release: verdict.Conforms, DoNotRelease: verdict.Deviates, NoVerdict: verdict.NoVerdict,
	ClientConforms: verdict.Conforms, ClientDeviates: verdict.Deviates}

// Beside returns the verdict of the run in words, if the decision says something else of the release: because of a
// waiver, or of a gate beyond conformance. Else it returns "", since one word tells both.
func (d Decision) Beside(r verdict.Results) string {
	if of := r.Verdict; of == said[d.Word] || d.Word == NoVerdict && of != verdict.Conforms && of != verdict.Deviates {
		return ""
	}
	return r.InWords()
}

// selected counts the checks and rules of a run, or the phases of a load, whose rules nobody selects.
func selected(all []verdict.Check) int {
	phases := 0
	for _, c := range all {
		if c.Kind == verdict.Phase {
			phases++
		}
	}
	return cmp.Or(phases, len(all))
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
	of, musts := n.all.Musts, verdict.Binding(f.Results.Strict)
	if f.Results.OfClient() {
		of, musts = of-len(n.unread), musts+" that the client met"
	}
	parts := []string{fmt.Sprintf("%d of %d %s hold", n.all.Hold, of, musts)}
	add := func(count int, format string, a ...any) {
		if count > 0 {
			parts = append(parts, fmt.Sprintf(format, a...))
		}
	}
	add(n.all.Waived, "%d waived", n.all.Waived)
	if loaded(f) {
		add(len(n.loadOpen), "not proved under load: %s", list(n.loadOpen))
		add(len(n.leftOut), "%d left out by the load", len(n.leftOut))
	} else {
		open := len(n.loadOpen) + len(n.leftOut)
		add(open, "%d need a load run", open)
	}
	if f.Results.OfClient() {
		add(len(n.unread), "%d not met", len(n.unread))
	} else {
		add(len(n.unread), "%s", unread(f, n))
	}
	add(len(n.notRun), "not judged: %s", list(n.notRun))
	add(len(n.inconclusive), "inconclusive: %s", list(n.inconclusive))
	add(len(n.untestable), "cannot be tested: %s", list(n.untestable))
	if n.all.NotApplicable == 1 {
		parts = append(parts, "1 does not apply to this run")
	} else {
		add(n.all.NotApplicable, "%d do not apply to this run", n.all.NotApplicable)
	}
	return strings.Join(parts, "; ")
}
