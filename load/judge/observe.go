package judge

import (
	"fmt"
	"slices"
	"strings"

	"petconform/load/record"
	"petconform/spec"
	"petconform/spec/verdict"
)

// kind returns the names of the kinds of limiter that explain all responses to the key, and the evidence. It is an
// observation (RATE-18), on which no verdict depends.
func (v *view) kind() (kind, evidence string) {
	accepted, refused := count(v.own, (*record.Record).Accepted), count(v.own, (*record.Record).Limited)
	if refused == 0 {
		return "none", "there was no 429"
	}
	all := fmt.Sprintf("all responses, %s accepted and %s refused", spec.Number(accepted), spec.Number(refused))
	if !v.minute.Lawful() {
		return "no lawful kind", "no lawful kind explains " + all
	}
	var names []string
	for _, k := range v.minute.Explaining {
		names = append(names, k.Name)
	}
	slices.Sort(names)
	if len(names) == 1 {
		return names[0], "it alone explains " + all
	}
	return strings.Join(names, ", or "), "each explains " + all
}

// figureShown returns PlanReport.Figure: the limit in X-RateLimit-Limit.
func (v *view) figureShown() string {
	shows := func(is func(n int64) bool) bool {
		return slices.ContainsFunc(v.own, func(r *record.Record) bool { return r.Limit.Known() && is(int64(r.Limit)) })
	}
	minute, day := shows(func(n int64) bool { return n == v.lane.PerMinute }), shows(func(n int64) bool { return n == v.lane.PerDay })
	switch {
	case minute && day:
		return "minute and day"
	case minute:
		return "minute"
	case day:
		return "day"
	case shows(func(int64) bool { return true }):
		return "other"
	}
	return "nothing"
}

// observe returns the observations of what the interface does not specify.
func (v *view) observe() []verdict.Observation {
	applies := "they apply"
	if len(v.burstsOf(record.Fill)) > 0 && !slices.ContainsFunc(v.own, (*record.Record).Limited) {
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
