package decision

import (
	"fmt"
	"slices"
	"time"

	"petconform/reports/compare"
	"petconform/reports/safe"
	"petconform/reports/waiver"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/verdict"
)

// The names of gates that are asked about elsewhere.
const (
	coverageGate   = "coverage"
	rateLimitsGate = "rate limits"
	waiversGate    = "waivers"
	secretsGate    = "secrets"
)

// valid holds if the run was complete and the target could be judged.
func valid(f Facts) Gate {
	g := Gate{Name: "run is valid", Rule: "The run sent every planned request, and its target could be judged.", Limit: "whole, with a verdict"}
	res, rec := f.Results, f.Recording
	if res.OfClient() {
		g.Rule = "The run went to its end, and a client used a key of the service."
	}
	switch {
	case res.Verdict != verdict.Conforms && res.Verdict != verdict.Deviates && (res.Part == nil || !res.Part.Holds) && !excused(res):
		g.Result, g.Measured = Unknown, reasons(res)
	case rec != nil && rec.Torn:
		g.Result, g.Measured = Unknown, "the recording's last line is cut off"
	case rec != nil && rec.End == nil:
		g.Result, g.Measured = Unknown, "the recording has no end, because the run was killed"
	case rec != nil && rec.End.Stopped != "":
		g.Result, g.Measured = Unknown, "stopped: "+safe.Line(rec.End.Stopped)
	case len(res.Checks) == 0 || len(res.Requirements) == 0:
		g.Result, g.Measured = Unknown, "no check ran"
	case isPart(f):
		g.Result, g.Measured = Part, partOf(f)
	default:
		g.Result, g.Measured = Holds, "whole, "+spec.Count(res.Requests, "request")
	}
	if res.Target.Reference && !res.OfClient() {
		g.Measured += "; the built-in reference service was judged"
	}
	return g
}

// isPart reports whether the results or the recording say that the run left something out.
func isPart(f Facts) bool {
	return f.Results.Part != nil || f.Recording != nil && (f.Recording.Meta.Filtered || f.Recording.Meta.ReadOnly)
}

func partOf(f Facts) string {
	why := "checks were left out by choice"
	if rec := f.Recording; rec != nil && rec.Meta.ReadOnly {
		why = "read-only: nothing was created"
	}
	if verdict.AnotherTime(f.Results.AsOf, f.Results.Started) {
		why = "judged as of another time than its own, " + f.Results.AnotherDay()
	}
	if p := f.Results.Part; p != nil {
		why += ". " + p.String()
	}
	return why
}

func reasons(res verdict.Results) string {
	if len(res.Reasons) == 0 {
		return "the results give no reason"
	}
	return safe.Clip(safe.Line(res.Reasons.String()), 300)
}

// coverage holds if every must that a check proves has a check that ran. A rule without a response to judge, such as a
// 429, is named and does not break the gate: the run would have to provoke the response.
func coverage(f Facts) Gate {
	n := tally(f.Results)
	g := Gate{Name: coverageGate, Rule: "Every must that a check can prove was judged.", Limit: "0 musts without a result", Result: Holds}
	if f.Results.Kind == "load" {
		g.Result, g.Measured = NotAsked, "this is a load run; conformance needs a check run"
		if f.Policy.Check {
			g.Result = Unknown
		}
		return g
	}
	g.Measured = fmt.Sprintf("%d not judged", len(n.notRun))
	if len(n.notRun) > 0 {
		g.Result, g.Measured = Unknown, g.Measured+": "+list(n.notRun)
		if isPart(f) {
			g.Result = Part
		}
	}
	if len(n.inconclusive) > 0 {
		g.Result = Unknown
		g.Measured += fmt.Sprintf("; %d inconclusive: %s", len(n.inconclusive), list(n.inconclusive))
	}
	if len(n.unread) > 0 {
		g.Measured += "; " + unread(f, n)
	}
	if f.Results.OfClient() {
		g.Rule, g.Limit = "Every must that the client met was judged.", "0 inconclusive"
	}
	if n.all.Musts-n.all.NotApplicable-len(n.untestable) == 0 {
		g.Result, g.Measured = Unknown, "the results have no must"
	}
	return g
}

// unread names the musts that met nothing to read.
func unread(f Facts, n counts) string {
	verb := "apply"
	if f.Results.OfClient() {
		return "not met by the client: " + list(n.unread)
	}
	if len(n.unread) == 1 {
		verb = "applies"
	}
	return fmt.Sprintf("%s %s to no response", list(n.unread), verb)
}

func conformance(f Facts) Gate {
	n := tally(f.Results)
	failed, waived := n.all.Broken-n.load.Broken, n.all.Waived-n.load.Waived
	g := Gate{Name: "conformance", Rule: "No must is broken, except where a waiver in force excuses it.", Limit: "0 failed musts", Result: Holds,
		Measured: fmt.Sprintf("%d failed, %d waived", failed, waived)}
	if f.Results.Strict {
		g.Rule = "No must and no should is broken, except where a waiver in force excuses it."
	}
	switch {
	case failed > 0:
		g.Result = Broken
		g.Measured = fmt.Sprintf("%d failed: %s; %d waived", failed, list(n.broken), waived)
	case waived > 0:
		g.Result = Excused
	case f.Results.Verdict == verdict.Deviates && n.all.Waived == 0 && n.load.Broken == 0:
		// The results contradict themselves: the run deviates, but no must is broken.
		g.Result, g.Measured = Broken, "the run deviates: "+reasons(f.Results)
	}
	if late := expired(f); late != "" {
		g.Measured += "; expired waivers that excused a failure: " + late
	}
	return g
}

// expired lists the waivers that have ended and would have excused something that failed.
func expired(f Facts) string {
	var ids []string
	for _, u := range f.Waivers {
		failed := slices.ContainsFunc(f.Results.Checks, func(c verdict.Check) bool {
			return c.Verdict == verdict.Failed && (c.ID == u.Check || slices.Contains(c.Broken(), u.Requirement))
		})
		if u.State == waiver.Expired && failed {
			ids = append(ids, u.ID)
		}
	}
	return list(ids)
}

// rateLimits: the musts that only a load run proves.
func rateLimits(f Facts) Gate {
	n := tally(f.Results)
	g := Gate{Name: rateLimitsGate, Rule: "The service keeps the plan's limits and answers refused requests as the interface says.", Limit: "0 failed musts under load", Result: Holds,
		Measured: fmt.Sprintf("%d of %d %s shown, %d failed, %d waived", n.load.Hold, n.load.Musts-n.load.NotApplicable,
			verdict.Binding(f.Results.Strict), n.load.Broken, n.load.Waived)}
	if len(n.loadOpen) > 0 {
		g.Measured += "; not shown: " + list(n.loadOpen)
	}
	if len(n.leftOut) > 0 {
		g.Measured += "; " + notTested(n.leftOut)
	}
	switch {
	case n.load.Broken > 0:
		g.Result = Broken
	case !loaded(f):
		g.Result, g.Measured = NotAsked, "no load run; it would show "+spec.Count(len(n.loadOpen), "more must")
		if f.Policy.Load {
			g.Result = Unknown
		}
	case n.load.Hold == 0:
		g.Result = Unknown
	case n.load.Waived > 0:
		g.Result = Excused
	}
	return g
}

// loaded reports whether load was part of the run.
func loaded(f Facts) bool {
	return f.Results.Kind == "load" || f.Results.Kind == "signoff" || len(f.Results.Load) > 0
}

func comparison(f Facts) Gate {
	g := Gate{Name: "comparison", Rule: "No must fails that held in the earlier run.", Limit: "0 newly failing", Result: Holds}
	if why := f.uncompared(); why != "" {
		if g.Measured, g.Result = why, NotAsked; f.Policy.Comparison {
			g.Result = Unknown
		}
		return g
	}
	worse := f.Diff.Regressions()
	g.Measured = fmt.Sprintf("%d newly failing, %d fixed", len(worse), len(f.Diff.Fixed))
	if n := len(f.Diff.Untested); n > 0 {
		g.Measured += fmt.Sprintf(", %d not tested before", n)
	}
	if slices.ContainsFunc(worse, func(c compare.Change) bool { return c.Is == verdict.Failed }) {
		g.Result = Broken
	} else if len(worse) > 0 {
		g.Result = Excused
	}
	return g
}

// uncompared returns why a comparison shows nothing, or "". One that shows a regression shows something, whatever it
// compared.
func (f Facts) uncompared() string {
	switch d := f.Diff; {
	case d == nil:
		return "no earlier run was given"
	case len(d.Regressions()) > 0:
		return ""
	case d.Old.Run == d.New.Run && d.Old.Started.Equal(d.New.Started):
		return "the earlier run is this one"
	case d.Claimed != "":
		return d.Claimed
	case d.Compared < d.Decided/2: // a run without a service, a small part of a run, or a run of something else
		return fmt.Sprintf("the earlier run %s decided only %d of the %d checks that this one decided", d.Old.Run, d.Compared, d.Decided)
	}
	return ""
}

// waivers holds unless a waiver in the file has ended. Such a waiver is either not needed or not granted any longer,
// which a person has to decide.
func waivers(f Facts) Gate {
	g := Gate{Name: waiversGate, Rule: "No waiver of the file has ended.", Limit: "0 ended", Measured: "no waiver was given", Result: NotAsked}
	if len(f.Waivers) == 0 {
		return g
	}
	var ended []string
	used := 0
	for _, u := range f.Waivers {
		if u.State == waiver.Expired {
			ended = append(ended, u.ID+" on "+u.Ends.Format(time.DateOnly))
		}
		if u.State == waiver.Used {
			used++
		}
	}
	g.Result, g.Measured = Holds, fmt.Sprintf("%d in the file, %d used, 0 ended", len(f.Waivers), used)
	if len(ended) > 0 {
		g.Result, g.Measured = Unknown, "ended: "+list(ended)
	}
	return g
}

func secrets(f Facts) Gate {
	g := Gate{Name: secretsGate, Rule: "No written file contains an API key: " + exchange.Codings + ".", Limit: "0 found"}
	if f.Scanned {
		g.Result, g.Measured = Holds, "0 found, in every file of the run"
	} else {
		g.Result, g.Measured = NotAsked, "no key was given to look for"
	}
	return g
}
