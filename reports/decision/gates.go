package decision

import (
	"cmp"
	"fmt"
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
	// Broken are the musts whose failure fails the gate. JUnit has each of them once: at the checks that show it.
	Broken []spec.ID `json:"broken,omitempty"`
}

// Word is the result, if the gate was asked for.
func (g Gate) Word() string {
	if !g.Required {
		return "not required"
	}
	return string(g.Result)
}

// rules are the gates of a report, in its order. ofClient says that the run of a client has the gate too, and answer
// returns what was measured.
var rules = []struct {
	name, rule string
	ofClient   bool
	answer     func(Facts) Gate
}{
	{"run is valid", "The run went to its end, and its responses could be judged.", true, valid},
	{"conformance", "Every must that the run can test passed, or a waiver excuses it. With --strict, every should too.", true, conformance},
	{"rate limits", "In all that the load tested, the service keeps the limits of the plans.", false, rateLimits},
	{"latency", "99 of 100 accepted requests of each plan are answered within --p99.", false, latency},
	{"comparison", "No must that passed in the earlier run fails now.", true, comparison},
	{"waivers", "No waiver in the file has ended.", true, waivers},
}

func gates(f Facts) (all []Gate) {
	for _, r := range rules {
		if f.Results.OfClient() && !r.ofClient {
			continue
		}
		g := r.answer(f)
		g.Name, g.Rule = r.name, r.rule
		// The first gate says why nothing was judged, and the last one rests on nothing that was.
		if f.Results.NothingJudged() && g.Required && len(all) > 0 && r.name != "waivers" {
			g.Result, g.Measured = verdict.Inconclusive, "nothing was tested"
		}
		all = append(all, g)
	}
	return all
}

// required is the answer of a gate that holds up the release unless it passed.
func required(result verdict.Verdict, format string, args ...any) Gate {
	return Gate{Result: result, Measured: safe.Line(fmt.Sprintf(format, args...)), Required: true}
}

// unweighed is a gate that the run has nothing for, which holds up the release if it was asked for.
func unweighed(why string, asked bool) Gate {
	if asked {
		return required(verdict.Inconclusive, "%s", why)
	}
	return Gate{Measured: why, Result: verdict.NotRun}
}

// valid passes if the run was complete and the target could be judged: then no reason is about the run itself.
func valid(f Facts) Gate {
	r := f.Results
	var g Gate
	switch own := r.OwnReasons(); {
	case r.Part != nil && r.Part.Holds:
		g = required(verdict.NotRun, leftOut)
	case len(own) > 0 || undecided(r):
		g = required(verdict.Inconclusive, "%s", safe.Clip(cmp.Or(own.String(), r.Reasons.String(), "the results give no reason"), 300))
	case len(r.Checks) == 0 || len(r.Requirements) == 0:
		g = required(verdict.Inconclusive, "no check ran")
	case r.Part != nil:
		g = required(verdict.NotRun, leftOut)
	default:
		g = required(verdict.Passed, "whole, %s", spec.Count(r.Requests, "request"))
	}
	if r.Target.Reference && !r.OfClient() {
		g.Measured += "; the built-in reference service was judged"
	}
	return g
}

const leftOut = "something was left out by choice"

// withoutLoad are the ways of proof of a run without a load.
var withoutLoad = []spec.Proof{spec.ByCheck, spec.ByRule, spec.ByNet, spec.ByClient}

// conformance: the musts that a run without a load proves. A rule without a response to judge, such as a 429, does not
// hold up the release: the run would have to provoke the response.
func conformance(f Facts) Gate {
	r, all, own := f.Results, mustsOf(f.Results), mustsOf(f.Results, withoutLoad...)
	g, left := own.gate(), len(mustsOf(r, spec.ByCheck)[verdict.NotRun])
	switch by, n := r.Tally(append(withoutLoad, spec.ByLoad)...); {
	case g.Result == verdict.Failed:
	case r.Verdict == verdict.Deviates && len(all[verdict.Failed])+len(all[verdict.Waived]) == 0:
		return required(verdict.Failed, "the run deviates, and its results do not say in what") // they contradict themselves
	case n == len(by[verdict.NotApplicable]):
		return unweighed("the results have no must", true)
	case r.Kind == "load" && (f.Policy.Check || len(own[verdict.Passed])+len(own[verdict.Waived]) == 0):
		return unweighed("this is a load run; conformance needs a check run", f.Policy.Check)
	case r.Kind == "load": // it has the rules that apply to its responses
	case len(own[verdict.Inconclusive]) > 0, left > 0 && r.Part == nil:
		g.Result = verdict.Inconclusive
	case left > 0:
		g.Result = verdict.NotRun
	}
	return g
}

// rateLimits: the musts that only a load run proves. Its judge says which of them the run should have decided: one that
// it leaves open has no verdict, unless another must fails. A waiver of that one excuses it alone. Where limits are not
// expected, a load decides without those that it leaves open, and a sign-off does not.
func rateLimits(f Facts) Gate {
	own := mustsOf(f.Results, spec.ByLoad)
	g := own.gate()
	switch {
	case g.Result == verdict.Failed:
	case !loaded(f):
		return unweighed("no load run", f.Policy.Load)
	case len(own[verdict.Passed]) == 0,
		len(own[verdict.Inconclusive]) > 0 && (f.Results.Verdict == verdict.Deviates || f.Results.Kind == "signoff"):
		g.Result = verdict.Inconclusive
	}
	return g
}

func loaded(f Facts) bool {
	return f.Results.Kind == "load" || f.Results.Kind == "signoff" || f.Load.Schema != ""
}

func (m musts) gate() Gate {
	g := required(verdict.Passed, "%s", m.counted(verdict.Failed, verdict.Waived, verdict.Inconclusive, verdict.NotRun))
	if g.Broken = m[verdict.Failed]; len(g.Broken) > 0 {
		g.Result = verdict.Failed
	} else if len(m[verdict.Waived]) > 0 {
		g.Result = verdict.Waived
	}
	return g
}

// lagBudget is how late petconform may send 1 of 100 requests, as a part of the limit: a tenth. Times count from when a
// request was due, so a later sender would be taken for a slow target.
const lagBudget = 10

// latency compares the times of accepted requests of each plan with a limit. They count from when each request was due:
// a frozen target puts off requests, which would not be slow if their times were counted from their sending.
func latency(f Facts) Gate {
	limit, is := f.Policy.P99, verdict.Passed
	if limit <= 0 {
		return unweighed("no limit was set with --p99", false)
	} else if len(f.Load.Plans) == 0 {
		return unweighed("no plan was loaded", true)
	}
	worse := func(v verdict.Verdict) {
		if is != verdict.Failed {
			is = v
		}
	}
	said := []string{"at most " + limit.String()}
	for _, p := range f.Load.Plans {
		took, lag := inTime(p.DueMS.P99), inTime(p.LagMS.P99)
		text := fmt.Sprintf("%s %s (p99 of %s accepted)", p.Plan, took, spec.Number(p.DueMS.N))
		switch {
		case lag > limit/lagBudget:
			worse(verdict.Inconclusive)
			text = fmt.Sprintf("%s: petconform itself sent 1 of 100 requests %s late or later; run it on a machine that is less busy",
				p.Plan, lag.Round(time.Millisecond))
		case p.DueMS.N == 0:
			worse(verdict.Inconclusive)
			text = p.Plan + ": no request was accepted under load"
		case took > limit:
			worse(verdict.Failed)
		}
		said = append(said, text)
	}
	return required(is, "%s", strings.Join(said, "; "))
}

func inTime(ms float64) time.Duration {
	return time.Duration(ms * float64(time.Millisecond)).Round(10 * time.Microsecond)
}

// comparison weighs the musts that fail newly. A comparison that shows one shows something, whatever it compared.
func comparison(f Facts) Gate {
	d := f.Diff
	if d == nil {
		return unweighed("no earlier run was given", f.Policy.Comparison)
	}
	worse := d.Regressions()
	g := required(verdict.Passed, "%d newly failing, %d fixed", len(worse), len(d.Of(compare.Fixed)))
	for _, c := range worse {
		if g.Result = verdict.Waived; c.Verdict == verdict.Failed {
			g.Broken = append(g.Broken, c.ID)
		}
	}
	switch {
	case len(g.Broken) > 0:
		g.Result = verdict.Failed
	case len(worse) > 0:
	case d.Old.Run == d.New.Run && d.Old.Started.Equal(d.New.Started):
		return unweighed("the earlier run is this one", f.Policy.Comparison)
	case d.Compared < d.Decided/2: // a run without a service, a small part of a run, or a run of something else
		return unweighed(fmt.Sprintf("the earlier run %s decided only %d of the %d musts that this one decided", d.Old.Run,
			d.Compared, d.Decided), f.Policy.Comparison)
	}
	return g
}

// waivers passes unless a waiver in the file has ended. Such a waiver is either not needed or not granted any longer,
// which a person has to decide.
func waivers(f Facts) Gate {
	var ended []string
	for _, u := range f.Waivers {
		if u.State == waiver.Expired {
			ended = append(ended, u.ID+" on "+u.Ends.Format(time.DateOnly))
		}
	}
	switch {
	case len(f.Waivers) == 0:
		return unweighed("no waiver was given", false)
	case len(ended) > 0:
		return unweighed("ended: "+strings.Join(ended, ", "), true)
	}
	return required(verdict.Passed, "%s, none ended", spec.Count(len(f.Waivers), "waiver"))
}

// musts are the requirements that count, by their verdicts.
type musts map[verdict.Verdict][]spec.ID

// mustsOf returns those that are proved in one of the ways; without one, all.
func mustsOf(r verdict.Results, ways ...spec.Proof) musts {
	by, _ := r.Tally(ways...)
	return by
}

// counted says how many passed, and how many have each of the other verdicts, with their names.
func (m musts) counted(others ...verdict.Verdict) string {
	parts := []string{fmt.Sprintf("%d passed", len(m[verdict.Passed]))}
	for _, v := range others {
		if ids := m[v]; len(ids) > 0 {
			parts = append(parts, fmt.Sprintf("%d %s (%s)", len(ids), v, Few(ids, 8, ", ")))
		}
	}
	return strings.Join(parts, ", ")
}

// Few joins so many names at most, and counts the others.
func Few[S ~string](names []S, most int, separator string) string {
	if more := len(names) - most; more > 0 {
		return fmt.Sprintf("%s%sand %d more", spec.Join(names[:most], separator), separator, more)
	}
	return spec.Join(names, separator)
}
