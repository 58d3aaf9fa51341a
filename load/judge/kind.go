package judge

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"petconform/load/limiter"
	"petconform/load/record"
	"petconform/spec"
	"petconform/spec/verdict"
)

// kind returns the names of the kinds of limiter that explain all responses to the key, and the evidence. It is an
// observation (RATE-18), on which no verdict depends.
func (v *view) kind() (kind, evidence string) {
	accepted, refused := len(v.sent), count(v.own, (*record.Record).Limited)
	if refused == 0 {
		return "none", "there was no 429"
	}
	all := fmt.Sprintf("all responses, %s accepted and %s refused", spec.Number(accepted), spec.Number(refused))
	if !v.whole.Lawful() {
		return "no lawful kind", fmt.Sprintf("no lawful kind explains %s; the nearest is a %s", all, v.whole.Kind.Name())
	}
	var names []string
	for _, k := range v.whole.Explaining {
		names = append(names, k.Name())
	}
	slices.Sort(names)
	if len(names) == 1 {
		return names[0], "it alone explains " + all
	}
	return strings.Join(names, ", or "), "each explains " + all
}

// refill returns the largest number of requests that a lawful limiter of the observed kind gives back in d within a
// window: 0 if only fixed windows explain the responses, else what a bucket gains.
func (v *view) refill(d time.Duration) float64 {
	fixed := func(k limiter.Kind) bool { return k == limiter.FirstWindow{} || k == limiter.ClockWindow{} }
	if all := v.plain.Explaining; len(all) > 0 && !slices.ContainsFunc(all, func(k limiter.Kind) bool { return !fixed(k) }) {
		return 0
	}
	return v.perWindow(d) + float64(v.plain.Gain)
}

// figureShown returns PlanReport.Figure: the limit in X-RateLimit-Limit.
func (v *view) figureShown() string {
	minute, day, other := 0, 0, 0
	for _, r := range v.own {
		switch {
		case !r.Limit.Known():
		case int64(r.Limit) == v.lane.PerMinute:
			minute++
		case int64(r.Limit) == v.lane.PerDay:
			day++
		default:
			other++
		}
	}
	switch {
	case minute+day+other == 0:
		return "nothing"
	case minute > 0 && day > 0:
		return "minute and day"
	case minute > 0:
		return "minute"
	case day > 0:
		return "day"
	}
	return "other"
}

// observe returns the observations of what the interface does not specify.
func (v *view) observe() []verdict.Observation {
	applies := "they apply"
	if len(v.bursts(record.Fill)) > 0 && !slices.ContainsFunc(v.own, (*record.Record).Limited) {
		applies = "no request was ever refused"
	}
	kind, _ := v.kind() // without the evidence, whose counts differ in every run
	plan := v.lane.Plan
	return []verdict.Observation{
		{Requirement: "RATE-17", Key: plan + ": do the plan's limits apply", Value: applies},
		{Requirement: "RATE-18", Key: plan + ": kind of limiter", Value: kind},
		{Requirement: "RATE-18", Key: plan + ": figure in the headers", Value: v.figureShown()},
	}
}
