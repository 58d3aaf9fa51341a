package judge

import (
	"crypto/sha256"
	"encoding/hex"
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

// Phase is what the judge needs of a phase of a load run.
type Phase struct {
	ID    record.Phase
	Title string
	// Proves are the requirements that the phase tests.
	Proves []spec.ID
	// Spends says that its rounds spend an allowance, so that its requests are judged as bursts.
	Spends bool
	// Adds says that the phase adds something to those before it: operations and connections, requests at the same time,
	// or another limit. The kinds of limiter are then asked again.
	Adds bool
	// Shows adds to the outcome what the phase shows of a key that nothing contradicts. Without it the phase shows
	// nothing, so that a run with it has no verdict.
	Shows func(*View, *Outcome)
}

// Results judges a recording. known are all phases in their order. The same recording always has the same results.
func Results(rec *record.Recording, known []Phase) (*verdict.Results, error) {
	all := views(rec, known)
	for _, v := range all {
		v.rule()
	}
	res := &verdict.Results{Schema: verdict.Schema, Kind: "load", Tool: rec.Meta.Tool, InterfaceVersion: spec.InterfaceVersion,
		Target: targetOf(rec),
		Run:    rec.Meta.Run, Seed: rec.Meta.Seed, Started: rec.Meta.Started, AsOf: rec.Meta.AsOf,
		Strict: rec.Meta.Strict, Requests: len(rec.Records),
		Created: []verdict.Created{}}
	digest := sha256.Sum256(spec.LedgerYAML)
	res.LedgerDigest = hex.EncodeToString(digest[:])
	res.Ended = rec.Meta.Started
	if rec.End != nil {
		res.Ended, res.WaitedMS = rec.End.Ended, rec.End.Waited.Milliseconds()
	}
	res.Checks, res.Observations = phases(rec, known, all)
	checks, seen := byRules(rec, all)
	res.Checks, res.Observations = append(res.Checks, checks...), append(res.Observations, seen...)
	res.Created = created(rec)
	res.Requirements = sum(all, res.Checks, rec.Meta.AsOf)
	res.Warnings = warnings(rec, all, known)
	conclude(rec, res)
	var err error
	res.Load, err = json.Marshal(figures(rec, all, res.Warnings))
	return res, err
}

func targetOf(rec *record.Recording) verdict.Target {
	by := rec.Settings.Target
	t := verdict.Target{URL: rec.Meta.Target, Reference: by.Reference, Build: by.Build, Environment: by.Environment,
		Way: rec.Meta.Way, Flags: rec.Meta.Flags}
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
	return t
}

// phases makes a check of each phase of each plan, and the plans' observations.
func phases(rec *record.Recording, known []Phase, all []*View) ([]verdict.Check, []verdict.Observation) {
	var checks []verdict.Check
	var seen []verdict.Observation
	for _, plan := range plans(all) {
		for _, p := range known {
			if !slices.Contains(rec.Settings.Phases, p.ID) {
				continue
			}
			c, o := phase(plan, p)
			checks, seen = append(checks, c), append(seen, o...)
		}
		seen = append(seen, plan[0].observe()...)
	}
	return checks, seen
}

// plans groups the keys by their plan.
func plans(all []*View) [][]*View {
	var out [][]*View
	for _, v := range all {
		i := slices.IndexFunc(out, func(have []*View) bool { return have[0].lane.Plan == v.lane.Plan })
		if i < 0 {
			i, out = len(out), append(out, nil)
		}
		out[i] = append(out[i], v)
	}
	return out
}

// phase makes the check of one phase of one plan from the outcomes of the plan's keys. It lasts from the first request
// of a key to the last response.
func phase(plan []*View, known Phase) (verdict.Check, []verdict.Observation) {
	p := known.ID
	c := verdict.Check{ID: record.CheckID(plan[0].lane.Plan, p), Kind: verdict.Phase, Title: known.Title, Requirements: slices.Clone(known.Proves),
		Exchanges: []int{}, Operation: spec.ListPets, Of: len(plan)}
	var seen []verdict.Observation
	var evidence, unsure, skipped []string
	var sent, ended []time.Duration
	for _, v := range plan {
		o := v.outcomes[p]
		seen = append(seen, o.seen...)
		v.addFindings(&c, o, len(plan) > 1)
		for _, d := range o.unsure {
			unsure = append(unsure, d.why)
		}
		if len(o.shown) > 0 && len(o.findings)+len(o.unsure) == 0 {
			c.Held++
		}
		if why := v.skipped(p); why != "" {
			skipped = append(skipped, why)
			if len(o.findings) == 0 {
				unsure = append(unsure, why)
			}
		}
		evidence = append(evidence, o.evidence...)
		for _, r := range v.Of(p) {
			sent, ended = append(sent, r.Sent), append(ended, r.Ended())
		}
	}
	slices.Sort(c.Exchanges)
	c.Exchanges = slices.Compact(c.Exchanges)
	if c.Evidence = joined(evidence); len(sent) > 0 {
		c.MS = (slices.Max(ended) - slices.Min(sent)).Milliseconds()
	}
	switch {
	case len(c.Findings) > 0:
		c.Verdict = verdict.Failed
	case len(skipped) == len(plan) && skipped[0] == record.StoreFull:
		c.Verdict, c.Reason = verdict.NotApplicable, record.StoreFull
	case len(skipped) == len(plan):
		c.Verdict, c.Reason = verdict.NotRun, joined(unsure)
	case len(unsure) > 0:
		c.Verdict, c.Reason = verdict.Inconclusive, joined(unsure)
	case c.Held == 0:
		c.Verdict, c.Reason = verdict.NotRun, "nothing was sent for it"
	default:
		c.Verdict = verdict.Passed
	}
	return c, seen
}

// addFindings adds the first finding of each requirement to a plan's check, with the key's label if the plan has
// several keys.
func (v *View) addFindings(c *verdict.Check, o *Outcome, several bool) {
	for _, f := range o.findings {
		if several {
			f.Message = v.lane.Label + ": " + f.Message
		}
		if !verdict.Names(c.Findings, f.Requirement) {
			c.Findings = append(c.Findings, f)
		}
	}
	if len(c.Exchanges) < mostExchanges {
		c.Exchanges = append(c.Exchanges, o.exchanges...)
	}
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

// longestName is how much of an animal's name is told, in bytes: 256. A load sends names of some 30.
const longestName = 256

// created returns the animals that the run created, which are left on the target.
func created(rec *record.Recording) []verdict.Created {
	out := []verdict.Created{}
	parsed := map[*exchange.Exchange]verdict.Created{} // exchanges that are alike share a body, which may be large
	for _, r := range rec.Records {
		if r.Like.Request.Method != http.MethodPost || r.Status/100 != 2 {
			continue
		}
		one, known := parsed[r.Like]
		if !known {
			h := history.ReadExchange(rec.Of(&r))
			if p, ok := h.Pet(); ok {
				one = verdict.Created{ID: json.Number(p.ID), Name: strings.ToValidUTF8(h.SentName()[:min(len(h.SentName()), longestName)], "")}
			}
			parsed[r.Like] = one
		}
		if one.ID != "" {
			one.Exchange = r.N
			out = append(out, one)
		}
	}
	return out
}
