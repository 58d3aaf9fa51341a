package page

import (
	"encoding/json"
	"fmt"
	"html/template"
	"slices"
	"strings"

	"petconform/load/judge"
	"petconform/load/record"
	"petconform/reports/figure"
	"petconform/reports/plain"
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
	// Phases that its first key went through, and how many requests were due; 0 where the report does not tell.
	Phases  string
	Planned int
	Figures []figureView
}

type figureView struct {
	figure.Chart
	// Drawing is made here alone, out of numbers and of text that the rewrite escapes.
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
		return nil, fmt.Errorf("the results' load block: schema %q is wanted, not %q", judge.ReportSchema, r.Schema)
	}
	v := &loadView{Report: r}
	for _, p := range figure.Of(r, lastLoad(previous)) {
		plan := planView{PlanReport: p.PlanReport, ID: p.ID, Phases: phases(p.Spans, r.Phases)}
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

// phases names those that a key went through, in their order; where the report has none, those that were planned.
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

// lastLoad is the load run of the run before; one of another layout can't be compared with and is left out.
func lastLoad(previous *verdict.Results) *judge.Report {
	var r judge.Report
	if previous == nil || len(previous.Load) == 0 || json.Unmarshal(previous.Load, &r) != nil || r.Schema != judge.ReportSchema {
		return nil
	}
	return &r
}
