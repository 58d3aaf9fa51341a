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
	"petconform/spec/verdict"
)

// Gate is one rule that a release has to pass.
type Gate struct {
	// Name is the same in every report, so that a history of gates can be kept.
	Name     string `json:"name"`
	Rule     string `json:"rule"`
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

// rules are the gates of a report, in its order. ofClient says that the run of a client has the gate too, and weigh
// returns what was measured.
var rules = []struct {
	name, rule string
	ofClient   bool
	weigh      func(Facts) Gate
}{
	{"run is valid", "The run went to its end, and what it met could be judged.", true, valid},
	{"coverage", "Every must that the run can prove was tested.", true, coverage},
	{conformanceGate, "No must (with --strict, no should) fails, except where a waiver in force excuses it.", true, conformance},
	{rateLimitsGate, "The service keeps the plan's limits and answers refused requests as the interface says.", false, rateLimits},
	{"latency", "99 of 100 accepted requests of each plan are answered within --p99.", false, latency},
	{"comparison", "No must fails that passed in the earlier run.", true, comparison},
	{"waivers", "No waiver of the file has ended.", true, waivers},
}

func gates(f Facts) (all []Gate) {
	for _, r := range rules {
		if f.Results.OfClient() && !r.ofClient {
			continue
		}
		g := r.weigh(f)
		g.Name, g.Rule = r.name, r.rule
		// The first gate says why nothing was judged, and the last one rests on nothing that was.
		if f.Results.NothingJudged() && g.Required && len(all) > 0 && r.name != "waivers" {
			g.Result, g.Measured = verdict.Inconclusive, "nothing was tested"
		}
		all = append(all, g)
	}
	return all
}

// has reports whether a gate that is required has a result.
func has(gates []Gate, v verdict.Verdict) bool {
	return slices.ContainsFunc(gates, func(g Gate) bool { return g.Required && g.Result == v })
}

// unweighed is a gate that the run has nothing for, which holds up the release if it was asked for.
func unweighed(why string, required bool) Gate {
	if required {
		return Gate{Measured: why, Result: verdict.Inconclusive, Required: true}
	}
	return Gate{Measured: why, Result: verdict.NotRun}
}

// valid passes if the run was complete and the target could be judged.
func valid(f Facts) Gate {
	g := Gate{Result: verdict.Inconclusive, Required: true}
	res, rec := f.Results, f.Recording
	decided := res.Verdict == verdict.Conforms || res.Verdict == verdict.Deviates
	switch {
	case !decided && (res.Part == nil || !res.Part.Holds) && !excused(res):
		g.Measured = "the results give no reason"
		if len(res.Reasons) > 0 {
			g.Measured = safe.Clip(safe.Line(res.Reasons.String()), 300)
		}
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

// coverage passes if every must that a check proves has a check that ran. A rule without a response to judge, such as a
// 429, does not break the gate: the run would have to provoke the response.
func coverage(f Facts) Gate {
	if f.Results.Kind == "load" {
		return unweighed("this is a load run; conformance needs a check run", f.Policy.Check)
	}
	missing, unsure := having(f.Results, verdict.NotRun, spec.ByCheck), having(f.Results, verdict.Inconclusive, withoutLoad...)
	g := Gate{Result: verdict.Passed, Required: true, Measured: count(missing, "not tested") + "; " + count(unsure, "inconclusive")}
	switch by, all := f.Results.Tally(append(withoutLoad, spec.ByLoad)...); {
	case all == by[verdict.NotApplicable]:
		return unweighed("the results have no must", true)
	case len(unsure) > 0, len(missing) > 0 && !isPart(f):
		g.Result = verdict.Inconclusive
	case len(missing) > 0:
		g.Result = verdict.NotRun
	}
	return g
}

func conformance(f Facts) Gate {
	failed, waived := having(f.Results, verdict.Failed, withoutLoad...), having(f.Results, verdict.Waived, withoutLoad...)
	g := Gate{Result: verdict.Passed, Required: true, Measured: count(failed, "failed") + "; " + count(waived, "waived")}
	by, _ := f.Results.Tally()
	switch {
	case len(failed) > 0:
		g.Result = verdict.Failed
	case len(waived) > 0:
		g.Result = verdict.Waived
	case f.Results.Verdict == verdict.Deviates && by[verdict.Failed]+by[verdict.Waived] == 0:
		// The results contradict themselves: the run deviates, but no must failed.
		g.Result, g.Measured = verdict.Failed, "the run deviates, and its results do not say in what"
	}
	return g
}

// rateLimits: the musts that only a load run proves.
func rateLimits(f Facts) Gate {
	by, all := f.Results.Tally(spec.ByLoad)
	if !loaded(f) && by[verdict.Failed] == 0 {
		return unweighed("no load run", f.Policy.Load)
	}
	open := append(having(f.Results, verdict.NotRun, spec.ByLoad), having(f.Results, verdict.Inconclusive, spec.ByLoad)...)
	open = slices.DeleteFunc(open, func(id string) bool { r, _ := spec.TheLedger().Find(spec.ID(id)); return r.Flag != "" })
	g := Gate{Result: verdict.Passed, Required: true, Measured: fmt.Sprintf("%d of %d %s passed, %d failed, %d waived",
		by[verdict.Passed], all-by[verdict.NotApplicable], verdict.Binding(f.Results.Strict), by[verdict.Failed], by[verdict.Waived])}
	if len(open) > 0 {
		g.Measured += "; not proved: " + list(open)
	}
	switch {
	case by[verdict.Failed] > 0:
		g.Result = verdict.Failed
	case by[verdict.Passed] == 0:
		g.Result = verdict.Inconclusive
	case by[verdict.Waived] > 0:
		g.Result = verdict.Waived
	}
	return g
}

// loaded reports whether load was part of the run.
func loaded(f Facts) bool {
	return f.Results.Kind == "load" || f.Results.Kind == "signoff" || f.Load.Schema != ""
}

// comparison weighs the musts that fail newly. A comparison that shows one shows something, whatever it compared.
func comparison(f Facts) Gate {
	d := f.Diff
	if d == nil {
		return unweighed("no earlier run was given", f.Policy.Comparison)
	}
	worse := d.Regressions()
	g := Gate{Result: verdict.Passed, Required: true,
		Measured: fmt.Sprintf("%d newly failing, %d fixed", len(worse), len(d.Of(compare.Fixed)))}
	switch {
	case slices.ContainsFunc(worse, func(c compare.Change) bool { return c.Is == verdict.Failed }):
		g.Result = verdict.Failed
	case len(worse) > 0:
		g.Result = verdict.Waived
	case d.Old.Run == d.New.Run && d.Old.Started.Equal(d.New.Started):
		return unweighed("the earlier run is this one", f.Policy.Comparison)
	case d.Claimed != "":
		return unweighed(d.Claimed, f.Policy.Comparison)
	case d.Compared < d.Decided/2: // a run without a service, a small part of a run, or a run of something else
		return unweighed(fmt.Sprintf("the earlier run %s decided only %d of the %d musts that this one decided", d.Old.Run,
			d.Compared, d.Decided), f.Policy.Comparison)
	}
	return g
}

// waivers passes unless a waiver in the file has ended. Such a waiver is either not needed or not granted any longer,
// which a person has to decide.
func waivers(f Facts) Gate {
	if len(f.Waivers) == 0 {
		return unweighed("no waiver was given", false)
	}
	var ended []string
	used := 0
	for _, u := range f.Waivers {
		switch u.State {
		case waiver.Expired:
			ended = append(ended, u.ID+" on "+u.Ends.Format(time.DateOnly))
		case waiver.Used:
			used++
		}
	}
	if len(ended) > 0 {
		return unweighed("ended: "+list(ended), true)
	}
	return Gate{Result: verdict.Passed, Required: true, Measured: fmt.Sprintf("%d in the file, %d used, 0 ended", len(f.Waivers), used)}
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
	return strings.TrimSuffix(fmt.Sprintf("%d %s: %s", len(ids), what, list(ids)), ": ")
}

// list names a few, and counts the others.
func list(ids []string) string {
	const most = 8
	if len(ids) <= most {
		return strings.Join(ids, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(ids[:most], ", "), len(ids)-most)
}
