package figure

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"petconform/load/judge"
	"petconform/load/record"
	"petconform/spec"
)

// Plan is what a page shows of the load of a plan.
type Plan struct {
	judge.PlanReport
	// ID is the anchor, "load-free".
	ID     string
	Charts []Chart
}

// Of returns the charts and the numbers of a load run, plan by plan. The charts are those that have data, numbered in
// the order of the page.
func Of(r judge.Report) (plans []Plan) {
	figures := 0
	for _, report := range r.Plans {
		p := Plan{PlanReport: report, ID: strings.TrimSuffix(record.CheckID(report.Plan, ""), "-")}
		for _, c := range []Chart{p.remaining(), p.window(), p.answers(r.MinuteS / judge.StepsPerMinute)} {
			if c.N > 0 {
				figures++
				c.ID = fmt.Sprintf("figure-%d", figures)
				c.Title = fmt.Sprintf("Figure %d, %s: %s", figures, p.Plan, c.Title)
				p.Charts = append(p.Charts, c)
			}
		}
		plans = append(plans, p)
	}
	return plans
}

func (p Plan) remaining() Chart {
	var left, refused, resets []XY
	low, high := math.Inf(1), math.Inf(-1)
	for _, s := range p.Steps {
		if value := float64(s.Remaining); value >= 0 {
			left = append(left, XY{s.S, value})
			low, high = min(low, value), max(high, value)
		}
		if s.Limited > 0 {
			refused = append(refused, XY{X: s.S})
		}
		if n := len(resets); s.ResetS > 0 && (n == 0 || math.Abs(s.ResetS-resets[n-1].X) > 1) { // Date has whole seconds
			resets = append(resets, XY{X: s.ResetS})
		}
	}
	return Chart{Title: "X-RateLimit-Remaining", N: len(left), Of: "points", Y: "requests left",
		Layers: []Layer{{"as advertised", Steps, left}, {"429", Ticks, refused}, {"X-RateLimit-Reset of a 429", Down, resets}},
		Caption: fmt.Sprintf("The smallest X-RateLimit-Remaining in each 1/%d of a minute was between %s and %s.",
			judge.StepsPerMinute, Num(low), Num(high))}
}

// window shows how many requests were accepted in the minute that ends at each time, and the plan's limit. It is the
// main chart of a load run.
func (p Plan) window() Chart {
	var points, peak, limit []XY
	for _, s := range p.Steps {
		if s.Responses != (judge.Responses{}) {
			points = append(points, XY{s.S, float64(s.InWindow)})
		}
	}
	c := Chart{Title: "accepted within any minute", N: len(points), Of: "points",
		Y: "requests accepted in the minute before"}
	if len(points) > 0 {
		peak = []XY{slices.MaxFunc(points, func(a, b XY) int { return cmp.Compare(a.Y, b.Y) })}
		c.Caption = fmt.Sprintf("Most accepted of one key within one minute: %s, in the one that ended at second %s.",
			spec.Count(p.MostInWindow, "request"), Num(peak[0].X))
	}
	if p.PerMinute > 0 {
		limit = []XY{{Y: float64(p.PerMinute)}}
	}
	c.Layers = []Layer{{"accepted", Steps, points}, {"plan " + Num(float64(p.PerMinute)), Across, limit}, {"", Peak, peak}}
	return c
}

// answers shows the responses by class, and how many requests were due, in steps of so many seconds.
func (p Plan) answers(step float64) Chart {
	all := p.Steps
	c := Chart{Title: "responses by class", Of: "requests", Y: fmt.Sprintf("responses in %s s", Num(step)),
		N: p.Requests * min(len(all), 1)}
	steps := func(name string, value func(s judge.Step) int) {
		line := Layer{Name: name, As: Steps}
		for i, s := range all {
			line.Points = append(line.Points, XY{s.S, float64(value(s))})
			if i+1 == len(all) || all[i+1].S > s.S+1.5*step { // the report leaves out steps without a request
				line.Points = append(line.Points, XY{s.S + step, 0})
			}
		}
		c.Layers = append(c.Layers, line)
	}
	steps("accepted", func(s judge.Step) int { return s.Accepted })
	steps("429", func(s judge.Step) int { return s.Limited })
	if p.Other > 0 {
		steps("anything else", func(s judge.Step) int { return s.Other })
	}
	steps("planned", func(s judge.Step) int { return s.Due })
	c.Caption = fmt.Sprintf("%s: %s accepted, %s answered 429, %s with another response or none.",
		spec.Count(p.Requests, "request"), spec.Number(p.Accepted), spec.Number(p.Limited), spec.Number(p.Other))
	return c
}

// Times has the response times and the send lag, in milliseconds. Requests that were sent later than it took to answer
// them show that the client was the bottleneck.
func (p Plan) Times() Table {
	t := Table{Columns: []string{"Milliseconds", "Requests", "50 %", "90 %", "99 %", "100 %"}}
	add := func(name string, q judge.Quantiles) {
		if q.N > 0 {
			t.Rows = append(t.Rows, []string{name, spec.Number(q.N), Num(q.P50), Num(q.P90), Num(q.P99), Num(q.Max)})
		}
	}
	add("accepted", p.AcceptedMS)
	add("accepted, from due", p.DueMS)
	add("answered 429", p.LimitedMS)
	add("sent late by", p.LagMS)
	return t
}
