package judge

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"slices"
	"strings"

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
	// Instead is a phase that the run may send in place of this one.
	Instead record.Phase
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
	res.Load, err = json.Marshal(figures(rec, all))
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
func phases(rec *record.Recording, known []Phase, all []*View) (checks []verdict.Check, seen []verdict.Observation) {
	for _, plan := range plans(all) {
		for _, p := range known {
			if slices.Contains(rec.Settings.Phases, p.ID) {
				checks = append(checks, p.check(plan))
			}
		}
		for _, v := range plan {
			seen = append(seen, v.observed...)
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
