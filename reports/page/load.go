package page

import (
	"html/template"
	"slices"
	"strings"

	"petconform/load/judge"
	"petconform/load/record"
	"petconform/reports/compare"
	"petconform/reports/figure"
	"petconform/reports/safe"
	"petconform/spec"
	"petconform/spec/verdict"
)

// loadView is the section of a load run.
type loadView struct {
	judge.Report
	Plans []planView
}

type planView struct {
	judge.PlanReport
	ID string
	// Phases are those of its first key. Planned is the planned number of requests, or 0 if the report does not have
	// it.
	Phases  string
	Planned int
	// Allowed says how many requests a lawful limiter may accept within a minute.
	Allowed string
	Rounds  []round
	// Times, Waits and ByKey are numbers that stand in a table.
	Times, Waits, ByKey figure.Table
	Figures             []figureView
}

// round is one round of a phase, with its times in minutes of the target, as the figures have them.
type round struct {
	judge.Span
	From, To string
}

type figureView struct {
	figure.Chart
	Drawing template.HTML
}

func newLoad(res verdict.Results) (*loadView, error) {
	r, err := judge.ParseReport(res.Load)
	if err != nil || r.Schema == "" {
		return nil, err
	}
	v := &loadView{Report: r}
	for _, p := range figure.Of(r) {
		plan := planView{PlanReport: p.PlanReport, ID: p.ID, Phases: phases(p.Spans, r.Phases), Allowed: allowed(res, p.PlanReport),
			Times: p.Times, Waits: p.Waits, ByKey: p.ByKey}
		plan.Evidence = strings.TrimSuffix(plan.Evidence, ".")
		for _, s := range counted(p.Spans) {
			plan.Rounds = append(plan.Rounds, round{s, p.Minute.At(s.FromS), p.Minute.At(s.ToS)})
		}
		for _, s := range p.PerSecond {
			plan.Planned += s.Planned
		}
		for _, c := range p.Charts {
			svg, err := figure.Draw(c)
			if err != nil {
				return nil, err
			}
			plan.Figures = append(plan.Figures, figureView{c, svg})
		}
		v.Plans = append(v.Plans, plan)
	}
	return v, nil
}

// allowed explains the largest number of requests within a minute, unless a check found it too large.
func allowed(res verdict.Results, p judge.PlanReport) string {
	for _, c := range res.Checks {
		if c.Kind == verdict.Phase && c.Verdict.Failing() && verdict.Names(c.Findings, "RATE-6") && compare.OfPlan(c, p.Plan) {
			return "The plan has " + spec.Number(p.PerMinute) + " a minute, and " + c.ID + " found too many."
		}
	}
	return figure.Allowed(p)
}

// counted numbers the rounds of each phase from 1. The judge's own numbers only distinguish them.
func counted(spans []judge.Span) []judge.Span {
	rounds := map[record.Phase]int{}
	out := slices.Clone(spans)
	for i := range out {
		rounds[out[i].Phase]++
		out[i].Round = rounds[out[i].Phase]
	}
	return out
}

// phases names the phases that a key ran, in order, or the planned phases if the report has none.
func phases(spans []judge.Span, planned []record.Phase) string {
	var names []string
	for _, s := range spans {
		if name := string(s.Phase); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		for _, p := range planned {
			names = append(names, string(p))
		}
	}
	return safe.Line(strings.Join(names, ", "))
}

// figureOf says in words what X-RateLimit-Limit speaks of.
func figureOf(what string) string {
	switch what {
	case "minute", "day":
		return "the limit of a " + what
	case "other":
		return "neither limit of the plan"
	}
	return "nothing that can be read"
}
