package judge

import (
	"encoding/json"

	"petconform/load/limiter"
	"petconform/load/record"
	"petconform/spec"
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
