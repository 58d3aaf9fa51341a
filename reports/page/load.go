package page

import (
	"encoding/json"
	"fmt"
	"html/template"
	"slices"
	"strings"

	"petconform/load/judge"
	"petconform/load/record"
	"petconform/reports/compare"
	"petconform/reports/figure"
	"petconform/reports/plain"
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
	// Phases are those of its first key, and Planned is the number of requests that were due; 0 if the report does not say.
	Phases  string
	Planned int
	// Allowed says what a minute may have accepted beyond the plan's figure.
	Allowed string
	Figures []figureView
}

type figureView struct {
	figure.Chart
	// Drawing is made by figure.Draw only, of numbers and escaped text.
	Drawing template.HTML
}

func newLoad(res verdict.Results, previous *verdict.Results) (*loadView, error) {
	if len(res.Load) == 0 || string(res.Load) == "null" {
		return nil, nil
	}
	var r judge.Report
	if err := json.Unmarshal(res.Load, &r); err != nil {
		return nil, fmt.Errorf("the results' load block: %w", err)
	}
	if r.Schema != judge.ReportSchema {
		return nil, fmt.Errorf("the results' load block: the schema is %q; use a report of schema %q", r.Schema, judge.ReportSchema)
	}
	v := &loadView{Report: r}
	for _, p := range figure.Of(r, lastLoad(previous)) {
		plan := planView{PlanReport: p.PlanReport, ID: p.ID, Phases: phases(p.Spans, r.Phases), Allowed: allowed(res, p.PlanReport)}
		plan.Spans = counted(p.Spans)
		for _, s := range p.PerSecond {
			plan.Planned += s.Planned
		}
		for _, c := range p.Charts {
			svg, err := figure.Draw(c)
			if err != nil {
				return nil, err
			}
			plan.Figures = append(plan.Figures, figureView{c, template.HTML(svg)})
		}
		v.Plans = append(v.Plans, plan)
	}
	return v, nil
}

// allowed explains the most that a minute accepted, unless a check found that it is too many.
func allowed(res verdict.Results, p judge.PlanReport) string {
	for _, c := range res.Checks {
		if c.Kind == verdict.Phase && compare.Failing(c.Verdict) && verdict.Names(c.Findings, "RATE-6") && compare.OfPlan(c, p.Plan) {
			return "The plan has " + spec.Number(p.PerMinute) + " a minute, and " + c.ID + " found too many."
		}
	}
	return figure.Allowed(p)
}

// counted numbers the rounds of each phase from 1: the judge's own numbers tell its repeated phases apart.
func counted(spans []judge.Span) []judge.Span {
	rounds := map[record.Phase]int{}
	out := slices.Clone(spans)
	for i := range out {
		rounds[out[i].Phase]++
		out[i].Round = rounds[out[i].Phase]
	}
	return out
}

// phases names the phases that a key ran, in their order, or the planned ones if the report has none.
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
	return plain.Line(strings.Join(names, ", "))
}

// lastLoad is the load run of the run before; nil if it has another layout.
func lastLoad(previous *verdict.Results) *judge.Report {
	var r judge.Report
	if previous == nil || len(previous.Load) == 0 || json.Unmarshal(previous.Load, &r) != nil || r.Schema != judge.ReportSchema {
		return nil
	}
	return &r
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
