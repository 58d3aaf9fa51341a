package judge

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"petconform/load/record"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/hint"
	"petconform/spec/history"
	"petconform/spec/verdict"
)

// noPhase is why a requirement is not run that no phase or rule shows, and noResponse why one is that a phase could have
// shown.
const noPhase, noResponse = "no phase of the load tests it", "no response of the load shows it"

// sum returns the verdict of every requirement of the ledger: from the rules, and from what the planned phases of all keys
// say of it, since a phase with a finding may show another requirement.
func sum(all []*View, checks []verdict.Check, asOf time.Time) []verdict.Requirement {
	var each []verdict.Check
	for _, c := range checks {
		for _, id := range c.Requirements {
			one := c
			if one.Requirements = []spec.ID{id}; c.Kind == verdict.Phase && !verdict.Names(c.Findings, id) {
				if one.Verdict != verdict.NotRun {
					one.Reason = noResponse
				}
				one.Verdict = verdict.NotRun
			}
			each = append(each, one)
		}
	}
	for _, r := range spec.TheLedger().Requirements {
		one := verdict.Check{Requirements: []spec.ID{r.ID}, Decides: r.ID, Verdict: verdict.NotRun, Reason: noPhase}
		var doubts []string
		for _, v := range all {
			for _, o := range v.planned() {
				for _, d := range o.unsure {
					if d.requirement == r.ID {
						doubts = append(doubts, d.why)
					}
				}
				if slices.Contains(o.shown, r.ID) {
					one.Verdict = verdict.Passed
				}
			}
		}
		if r.Level == spec.Open && r.Proof == spec.ByLoad {
			one.Verdict = verdict.Observed
		} else if len(doubts) > 0 {
			one.Verdict, one.Reason = verdict.Inconclusive, joined(doubts)
		}
		each = append(each, one)
	}
	return verdict.Requirements(spec.TheLedger().Requirements, each, asOf)
}

// conclude sets the run's verdict. A run deviates if a must is broken. It has no verdict if something that was planned
// is inconclusive. It is a part of a run if phases were left out by choice.
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
	v := verdict.Validity{Part: rec.Meta.Filtered || verdict.AnotherTime(rec.Meta.AsOf, rec.Meta.Started)}
	served := slices.ContainsFunc(rec.Records, func(r record.Record) bool { return r.Served() })
	if v.NoTarget = rec.Through() && len(rec.Records) > 0 && !served; v.NoTarget {
		first := &rec.Records[0]
		why := "there is no service to judge: no request was answered with a success or a 429; the first got " + answered(first)
		if first.Status == 0 {
			why += "; is the service running, and is the address right?"
		}
		v.Invalid = append(v.Invalid, why)
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
		for _, o := range v.planned() {
			c := o.check(v)
			of := func(have verdict.Check) bool { return have.ID == c.ID && have.Verdict == verdict.NotRun }
			if c.Verdict == verdict.NotRun && (o.skipped != "" || slices.ContainsFunc(checks, of)) {
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

// warnings returns what a reader should know of the validity of the run.
func warnings(rec *record.Recording, all []*View) []string {
	var out []string
	if slices.ContainsFunc(rec.Records, func(r record.Record) bool { return r.Like.Redacted() }) {
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
	return atMost(mostWarnings, out)
}

// joined joins the first eight different sentences.
func joined(all []string) string {
	var out []string
	for _, s := range all {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return strings.Join(atMost(8, out), "; ")
}

// atMost returns the first most sentences and, if there are more, their number.
func atMost(most int, all []string) []string {
	if len(all) <= most {
		return all
	}
	return append(all[:most:most], fmt.Sprintf("and %d more", len(all)-most))
}

// answeredBy adds what the responses show of the target.
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

// created returns the animals that the run created, which are left on the target.
func created(rec *record.Recording) []verdict.Created {
	out := []verdict.Created{}
	bodies := map[*exchange.Exchange]bool{} // exchanges that are alike have one, and no two animals of a load are
	for _, r := range rec.Records {
		if r.Like.Request.Method != http.MethodPost || r.Status/100 != 2 || bodies[r.Like] {
			continue
		}
		bodies[r.Like] = true
		x := history.ReadExchange(rec.Of(&r))
		if p, ok := x.Pet(); ok {
			out = append(out, verdict.Created{ID: json.Number(p.ID), Name: x.SentName(), Exchange: r.N})
		}
	}
	return out
}
