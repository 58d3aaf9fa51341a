package decision

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"petconform/reports/compare"
	"petconform/reports/safe"
	"petconform/reports/waiver"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/verdict"
)

// Gate is one rule that a release has to pass.
type Gate struct {
	// Name is the same in every report, so that a history of gates can be kept.
	Name     string `json:"name"`
	Rule     string `json:"rule"`
	Limit    string `json:"limit"`
	Measured string `json:"measured"`
	// Result is passed, failed, waived, inconclusive or not tested. Required says that the gate was asked for: one that
	// is required and not tested is that of a run which left something out by choice.
	Result   verdict.Verdict `json:"result"`
	Required bool            `json:"required"`
}

// The names of gates that are asked about elsewhere.
const (
	conformanceGate = "conformance"
	rateLimitsGate  = "rate limits"
)

// has reports whether a gate that is required has a result.
func has(gates []Gate, v verdict.Verdict) bool {
	return slices.ContainsFunc(gates, func(g Gate) bool { return g.Required && g.Result == v })
}

func gates(f Facts) []Gate {
	all := []Gate{valid(f), coverage(f), conformance(f), rateLimits(f), latency(f), comparison(f), waivers(f), secrets(f)}
	if f.Results.OfClient() {
		all = slices.Delete(all, 3, 5)
	}
	if !f.Results.NothingJudged() {
		return all
	}
	for i := 1; i < len(all)-2; i++ { // the first gate says why, and the last two rest on nothing that was judged
		if all[i].Required {
			all[i].Result, all[i].Measured = verdict.Inconclusive, "nothing was tested"
		}
	}
	return all
}

// valid passes if the run was complete and the target could be judged.
func valid(f Facts) Gate {
	g := Gate{Name: "run is valid", Rule: "The run sent every planned request, and its target could be judged.", Limit: "whole, with a verdict",
		Result: verdict.Inconclusive, Required: true}
	res, rec := f.Results, f.Recording
	if res.OfClient() {
		g.Rule = "The run went to its end, and a client used a key of the service."
	}
	switch {
	case res.Verdict != verdict.Conforms && res.Verdict != verdict.Deviates && (res.Part == nil || !res.Part.Holds) && !excused(res):
		g.Measured = reasons(res)
	case rec != nil && rec.Torn:
		g.Measured = "the recording's last line is cut off"
	case rec != nil && rec.End == nil:
		g.Measured = "the recording has no end, because the run was killed"
	case rec != nil && rec.End.Stopped != "":
		g.Measured = "stopped: " + safe.Line(rec.End.Stopped)
	case len(res.Checks) == 0 || len(res.Requirements) == 0:
		g.Measured = "no check ran"
	case isPart(f):
		g.Result, g.Measured = verdict.NotRun, partOf(f)
	default:
		g.Result, g.Measured = verdict.Passed, "whole, "+spec.Count(res.Requests, "request")
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

// partOf says what a part leaves out.
func partOf(f Facts) string {
	switch rec := f.Recording; {
	case verdict.AnotherTime(f.Results.AsOf, f.Results.Started):
		return "judged as of another time than its own, " + f.Results.AnotherDay()
	case rec != nil && rec.Meta.ReadOnly:
		return "read-only: nothing was created"
	}
	return "checks were left out by choice"
}

func reasons(res verdict.Results) string {
	if len(res.Reasons) == 0 {
		return "the results give no reason"
	}
	return safe.Clip(safe.Line(res.Reasons.String()), 300)
}

// coverage passes if every must that a check proves has a check that ran. A rule without a response to judge, such as a
// 429, does not break the gate: the run would have to provoke the response.
func coverage(f Facts) Gate {
	g := Gate{Name: "coverage", Rule: "Every must that a check can prove was tested.", Limit: "0 not tested, 0 inconclusive", Result: verdict.Passed, Required: true}
	if f.Results.Kind == "load" {
		g.Result, g.Measured, g.Required = verdict.NotRun, "this is a load run; conformance needs a check run", f.Policy.Check
		if g.Required {
			g.Result = verdict.Inconclusive
		}
		return g
	}
	missing, unsure := having(f.Results, verdict.NotRun, spec.ByCheck), having(f.Results, verdict.Inconclusive, withoutLoad...)
	g.Measured = count(missing, "not tested") + "; " + count(unsure, "inconclusive")
	switch {
	case len(unsure) > 0, len(missing) > 0 && !isPart(f):
		g.Result = verdict.Inconclusive
	case len(missing) > 0:
		g.Result = verdict.NotRun
	}
	if f.Results.OfClient() {
		g.Rule, g.Limit = "Every must that the client met was tested.", "0 inconclusive"
	}
	if t := f.Results.Tally(append(withoutLoad, spec.ByLoad)...); t.Musts == t.NotApplicable {
		g.Result, g.Measured = verdict.Inconclusive, "the results have no must"
	}
	return g
}

func conformance(f Facts) Gate {
	failed, waived := having(f.Results, verdict.Failed, withoutLoad...), having(f.Results, verdict.Waived, withoutLoad...)
	g := Gate{Name: conformanceGate, Rule: "No must fails, except where a waiver in force excuses it.", Limit: "0 musts failed",
		Result: verdict.Passed, Required: true, Measured: count(failed, "failed") + "; " + count(waived, "waived")}
	if f.Results.Strict {
		g.Rule = "No must and no should fails, except where a waiver in force excuses it."
	}
	all := f.Results.Tally()
	switch {
	case len(failed) > 0:
		g.Result = verdict.Failed
	case len(waived) > 0:
		g.Result = verdict.Waived
	case f.Results.Verdict == verdict.Deviates && all.Broken+all.Waived == 0:
		// The results contradict themselves: the run deviates, but no must failed.
		g.Result, g.Measured = verdict.Failed, "the run deviates: "+reasons(f.Results)
	}
	if late := expired(f); len(late) > 0 {
		g.Measured += "; expired waivers that excused a failure: " + list(late)
	}
	return g
}

// expired lists the waivers that have ended and would have excused something that failed.
func expired(f Facts) (ids []string) {
	for _, u := range f.Waivers {
		failed := slices.ContainsFunc(f.Results.Checks, func(c verdict.Check) bool {
			return c.Verdict == verdict.Failed && (c.ID == u.Check || slices.Contains(c.Broken(), u.Requirement))
		})
		if u.State == waiver.Expired && failed {
			ids = append(ids, u.ID)
		}
	}
	return ids
}

// rateLimits: the musts that only a load run proves.
func rateLimits(f Facts) Gate {
	n := f.Results.Tally(spec.ByLoad)
	open := slices.DeleteFunc(append(having(f.Results, verdict.NotRun, spec.ByLoad), having(f.Results, verdict.Inconclusive, spec.ByLoad)...),
		func(id string) bool { r, _ := spec.TheLedger().Find(spec.ID(id)); return r.Flag != "" })
	g := Gate{Name: rateLimitsGate, Rule: "The service keeps the plan's limits and answers refused requests as the interface says.",
		Limit: "0 musts failed under load", Result: verdict.Passed, Required: f.Policy.Load || loaded(f) || n.Broken > 0,
		Measured: fmt.Sprintf("%d of %d %s passed, %d failed, %d waived", n.Hold, n.Musts-n.NotApplicable, verdict.Binding(f.Results.Strict), n.Broken, n.Waived)}
	if len(open) > 0 {
		g.Measured += "; not proved: " + list(open)
	}
	switch {
	case n.Broken > 0:
		g.Result = verdict.Failed
	case !loaded(f):
		g.Result, g.Measured = verdict.NotRun, "no load run"
		if g.Required {
			g.Result = verdict.Inconclusive
		}
	case n.Hold == 0:
		g.Result = verdict.Inconclusive
	case n.Waived > 0:
		g.Result = verdict.Waived
	}
	return g
}

// loaded reports whether load was part of the run.
func loaded(f Facts) bool {
	return f.Results.Kind == "load" || f.Results.Kind == "signoff" || f.Load.Schema != "" || f.BadLoad != nil
}

func comparison(f Facts) Gate {
	g := Gate{Name: "comparison", Rule: "No must fails that passed in the earlier run.", Limit: "0 newly failing", Result: verdict.Passed, Required: true}
	if why := f.uncompared(); why != "" {
		if g.Measured, g.Result, g.Required = why, verdict.NotRun, f.Policy.Comparison; g.Required {
			g.Result = verdict.Inconclusive
		}
		return g
	}
	worse := f.Diff.Regressions()
	g.Measured = fmt.Sprintf("%d newly failing, %d fixed", len(worse), len(f.Diff.Fixed))
	if slices.ContainsFunc(worse, func(c compare.Change) bool { return c.Is == verdict.Failed }) {
		g.Result = verdict.Failed
	} else if len(worse) > 0 {
		g.Result = verdict.Waived
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

// waivers passes unless a waiver in the file has ended. Such a waiver is either not needed or not granted any longer,
// which a person has to decide.
func waivers(f Facts) Gate {
	g := Gate{Name: "waivers", Rule: "No waiver of the file has ended.", Limit: "0 ended", Measured: "no waiver was given", Result: verdict.NotRun}
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
	g.Required, g.Result, g.Measured = true, verdict.Passed, fmt.Sprintf("%d in the file, %d used, 0 ended", len(f.Waivers), used)
	if len(ended) > 0 {
		g.Result, g.Measured = verdict.Inconclusive, "ended: "+list(ended)
	}
	return g
}

func secrets(f Facts) Gate {
	g := Gate{Name: "secrets", Rule: "No written file contains an API key: " + exchange.Codings + ".", Limit: "0 found", Result: verdict.NotRun, Measured: "no key was given to look for"}
	if f.Scanned {
		g.Required, g.Result, g.Measured = true, verdict.Passed, "0 found, in every file of the run"
	}
	return g
}

// withoutLoad are the ways of proof of a run without a load.
var withoutLoad = []spec.Proof{spec.ByCheck, spec.ByRule, spec.ByNet, spec.ByClient}

// having lists the requirements that count and have a verdict, of those that are proved in one of the ways; without
// one, all.
func having(r verdict.Results, v verdict.Verdict, ways ...spec.Proof) (ids []string) {
	for _, q := range r.Requirements {
		if q.Verdict == v && verdict.Counts(q.Level, r.Strict) && (len(ways) == 0 || slices.Contains(ways, q.Proof())) {
			ids = append(ids, string(q.ID))
		}
	}
	return ids
}

// count counts a few, and names them.
func count(ids []string, what string) string {
	if len(ids) == 0 {
		return "0 " + what
	}
	return fmt.Sprintf("%d %s: %s", len(ids), what, list(ids))
}

// list names a few, and counts the others.
func list(ids []string) string {
	const most = 8
	if len(ids) <= most {
		return strings.Join(ids, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(ids[:most], ", "), len(ids)-most)
}
