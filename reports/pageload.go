package reports

import (
	"html/template"
	"slices"
	"strings"

	"petconform/load/judge"
	"petconform/load/record"
	"petconform/reports/figure"
	"petconform/reports/safe"
	"petconform/spec"
	"petconform/spec/verdict"
)

// planData is the part of the page about the load of a plan.
type planData struct {
	figure.Plan
	// Phases are those of its first key.
	Phases string
	// Allowed says how many requests a lawful limiter may accept within a minute.
	Allowed string
	Rounds  figure.Table
	Figures []figureData
}

type figureData struct {
	figure.Chart
	Drawing template.HTML
}

// plans are the loads of the run, a plan each.
func (v View) plans() (all []planData) {
	for _, p := range figure.Of(v.Load) {
		plan := planData{Plan: p, Phases: phases(p.Spans, v.Load.Phases), Allowed: v.allowed(p.PlanReport), Rounds: rounds(p)}
		plan.Evidence = strings.TrimSuffix(plan.Evidence, ".")
		for _, c := range p.Charts {
			plan.Figures = append(plan.Figures, figureData{c, figure.Draw(c)})
		}
		all = append(all, plan)
	}
	return all
}

// allowed explains the largest number of requests within a minute, unless a check found it too large.
func (v View) allowed(p judge.PlanReport) string {
	for _, c := range v.Results.Checks {
		if c.Kind == verdict.Phase && c.Verdict.Failing() && verdict.Names(c.Findings, "RATE-6") && strings.HasPrefix(c.ID, record.CheckID(p.Plan, "")) {
			return "The plan has " + spec.Number(p.PerMinute) + " a minute, and " + c.ID + " found too many."
		}
	}
	return figure.Allowed(p)
}

// rounds counts the rounds of each phase of the first key from 1. The judge's own numbers only distinguish them.
func rounds(p figure.Plan) figure.Table {
	t, counts := figure.Table{Columns: []string{"Phase", "From minute", "To minute", "Sent", "Accepted", "429"}}, map[record.Phase]int{}
	for _, s := range p.Spans {
		counts[s.Phase]++
		t.Rows = append(t.Rows, []string{string(s.Phase) + " " + spec.Number(counts[s.Phase]), p.Minute.At(s.FromS), p.Minute.At(s.ToS),
			spec.Number(s.Sent), spec.Number(s.Accepted), spec.Number(s.Limited)})
	}
	return t
}

// phases names the phases that a key ran, in order, or the planned phases if the report has none.
func phases(spans []judge.Span, planned []record.Phase) string {
	for _, s := range spans {
		planned = append(slices.Clip(planned), s.Phase)
	}
	var names []string
	for _, p := range planned {
		names = with(names, string(p))
	}
	return safe.Line(strings.Join(names, ", "))
}
