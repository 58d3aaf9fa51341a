package judge

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"petconform/load/limiter"
	"petconform/load/record"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/hint"
	"petconform/spec/history"
	"petconform/spec/verdict"
)

// Phase is what the judge needs of a phase of a load run.
type Phase struct {
	ID    record.Phase
	Title string
	// Proves are the requirements that the phase tests.
	Proves []spec.ID
	// Within is the phase that sends the requests of this one. After is a phase without which this one leaves something
	// undecided: whether what it adds is the cause of what it finds.
	Within, After record.Phase
	// Spends says that its rounds spend an allowance, so that its requests are judged as bursts.
	Spends bool
	// Adds says that the phase adds something to those before it: operations and connections, requests at the same time,
	// or another limit. The kinds of limiter are then asked again.
	Adds bool
	// BanKey says that only the ban key runs the phase, so that its waits are not those of a client that backs off.
	BanKey bool
	// Breaks are the requirements that a contradiction breaks if the first of its sort is in this phase. What is not
	// among them breaks in it what it breaks anywhere.
	Breaks map[limiter.What][]spec.ID
	// Shows adds to the outcome what the phase shows of a key that nothing contradicts. Without it the phase shows
	// nothing, so that a run with it has no verdict.
	Shows func(*View, *Outcome)
}

// Results judges a recording. known are all phases in their order. The same recording always has the same results.
func Results(rec *record.Recording, known []Phase) (*verdict.Results, error) {
	all := views(rec, known)
	res := verdict.Of(rec.Meta, rec.End)
	res.Kind, res.Requests = "load", len(rec.Records)
	answeredBy(rec, &res.Target)
	for _, v := range all {
		v.rule()
		for _, o := range v.outcomes {
			res.Checks = verdict.MergeCheck(res.Checks, o.check())
		}
		res.Observations = append(res.Observations, v.observed...)
	}
	report := figures(rec, all)
	for _, p := range report.Plans {
		res.Observations = append(res.Observations, p.observe()...)
	}
	ruled := byRules(rec, all, &res)
	res.Requirements = sum(all, ruled, rec.Meta.AsOf)
	res.Checks = append(res.Checks, ruled...)
	for i := range res.Checks {
		complete(&res.Checks[i])
	}
	res.Warnings = warnings(rec, all)
	conclude(rec, all, &res)
	var err error
	res.Load, err = json.Marshal(report)
	return &res, err
}

// sum returns the verdict of every requirement of the ledger: from what the planned phases of all keys say of it, and from
// the rules.
func sum(all []*View, ruled []verdict.Check, asOf time.Time) []verdict.Requirement {
	var each []verdict.Check
	for _, v := range all {
		for _, o := range v.outcomes {
			each = append(each, o.each...)
		}
	}
	each = append(each, ruled...)
	for _, r := range spec.TheLedger().Requirements {
		none := verdict.Check{Requirements: []spec.ID{r.ID}, Verdict: verdict.NotRun, Reason: "petconform check tests it"}
		switch {
		case r.Proof.Beyond(): // the ledger says what tests it
			continue
		case r.Proof != spec.ByLoad:
		case r.Level == spec.Open:
			none.Verdict = verdict.Observed
		default:
			none.Reason = strings.TrimSpace("petconform load "+r.Flag) + " tests it"
		}
		each = append(each, none)
	}
	return verdict.Requirements(spec.TheLedger().Requirements, each, asOf)
}

// conclude sets the run's verdict. A run deviates if a must is broken. It has no verdict if something that was planned
// is inconclusive. It is a part of a run if phases were left out by choice, or if it is one of several shards.
func conclude(rec *record.Recording, all []*View, res *verdict.Results) {
	var open []string
	switch { // the first that applies causes the others
	case rec.End == nil:
		open = append(open, "the run was killed: its recording has no end")
	case rec.End.Stopped != "":
		open = append(open, rec.End.Stopped)
	case rec.Torn:
		open = append(open, "the recording's last line is cut off")
	case len(rec.Records) == 0:
		open = append(open, "nothing was sent")
	}
	open = append(open, notRun(all, res.Checks)...)
	v := verdict.Validity{Part: rec.Meta.Filtered || rec.Settings.Shards > 1 || verdict.AnotherTime(rec.Meta.AsOf, rec.Meta.Started)}
	served := slices.ContainsFunc(rec.Records, (*record.Record).Served)
	if v.NoTarget = rec.Through() && len(rec.Records) > 0 && !served; v.NoTarget {
		first := rec.Records[0]
		why := history.NoService(rec.Meta, read(rec, rec.Records[:min(len(rec.Records), partSize)]).All)
		why = cmp.Or(why, "no request was answered with a success or a 429; the first got "+answered(first))
		v.Invalid = append(v.Invalid, "there is no service to judge: "+why)
	}
	limited := slices.ContainsFunc(all, func(v *View) bool { return !v.expectedOpen() })
	if !v.NoTarget && (limited || !served || !rec.Through()) {
		v.Incomplete, v.Load = open, true
	}
	res.Conclude(v)
}

// notRun returns one sentence for each reason why phases did not run or broke off for a key, with the phases. The ban key
// does not run those of the others.
func notRun(all []*View, checks []verdict.Check) []string {
	var reasons []string
	ids := map[string][]string{}
	for _, v := range all {
		for _, o := range v.outcomes {
			c := o.check()
			none := func(have verdict.Check) bool { return have.ID == c.ID && have.Verdict == verdict.NotRun }
			if c.Verdict == verdict.NotRun && (o.skipped != "" || slices.ContainsFunc(checks, none)) {
				reasons, ids[c.Reason] = spec.With(reasons, c.Reason), spec.With(ids[c.Reason], c.ID)
			}
		}
	}
	for i, why := range reasons {
		reasons[i] = fmt.Sprintf("%s did not run: %s", strings.Join(ids[why], ", "), why)
	}
	return reasons
}

// mostWarnings is the largest number of warnings in a report: 20.
const mostWarnings = 20

func warnings(rec *record.Recording, all []*View) []string {
	var out []string
	if !rec.Settings.ExpectLimits {
		out = append(out, "the plans' limits were not expected (--limits-not-expected), so a service without any holds too")
	}
	if slices.ContainsFunc(rec.Records, func(r *record.Record) bool { return r.Like.Redacted() }) {
		out = append(out, "the target sent an API key, or the value of a header, back; [key] replaces it")
	}
	for _, v := range all {
		if !v.minute.Others.None() {
			out = append(out, v.lane.Label+": "+v.whoElse())
		}
		if len(v.jumps) > 0 {
			out = append(out, fmt.Sprintf("%s: a clock jumped %s into the run, or Date is a copy of an earlier one",
				v.lane.Label, v.jumps[0].Round(time.Millisecond)))
		}
	}
	if more := len(out) - mostWarnings; more > 0 {
		out = append(out[:mostWarnings], fmt.Sprintf("and %d more", more))
	}
	return out
}

func answeredBy(rec *record.Recording, t *verdict.Target) {
	var like []exchange.Exchange
	for _, r := range rec.Records {
		if r.Like.Response != nil {
			t.Answered(r.Like.Response.Proto, 1)
		}
		if n := len(like); n == 0 || r.Like.Response != like[n-1].Response {
			like = append(like, *r.Like)
		}
	}
	t.Stack = hint.Seen(like)
}
