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

	key judge.Series // that of the key to which most was granted
}

// Of returns the charts and the numbers of a load run, plan by plan. The charts are those that have data, numbered in
// the order of the page.
func Of(r judge.Report) (plans []Plan) {
	figures := 0
	for _, report := range r.Plans {
		p := Plan{PlanReport: report, ID: strings.TrimSuffix(record.CheckID(report.Plan, ""), "-")}
		for _, k := range p.Series {
			if len(k.S) > 0 && (len(p.key.S) == 0 || slices.Max(k.InWindow) > slices.Max(p.key.InWindow)) {
				p.key = k
			}
		}
		for _, c := range []Chart{p.remaining(), p.window(), p.answers()} {
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

// mostResets is how many upright lines can be told apart.
const mostResets = 16

// remaining shows X-RateLimit-Remaining of a key. It draws each advertised reset once: resets less than 1.5 seconds
// apart are one, since the header has whole seconds.
func (p Plan) remaining() Chart {
	var left, resets, refused []XY
	low, high, last := math.Inf(1), math.Inf(-1), math.Inf(-1)
	for i, s := range p.key.S {
		if value := float64(p.key.Remaining[i]); value >= 0 {
			left = append(left, XY{s, value})
			low, high = min(low, value), max(high, value)
		}
		if reset := s + p.key.ResetInS[i]; p.key.ResetInS[i] >= 0 && len(resets) < mostResets && reset-last > 1.5 {
			resets, last = append(resets, XY{X: reset}), reset
		}
		if p.key.Status[i] == 429 {
			refused = append(refused, XY{X: s})
		}
	}
	return Chart{Title: "X-RateLimit-Remaining", N: len(left), Of: "responses", Y: "requests left",
		Layers: []Layer{{"as advertised", Steps, left}, {"advertised reset", Upright, resets}, {"429", Ticks, refused}},
		Caption: fmt.Sprintf("X-RateLimit-Remaining of key %s was between %s and %s over %s, and %s of its responses were 429.%s",
			p.key.Key, Num(low), Num(high), spec.Count(len(left), "response"), spec.Number(len(refused)), p.each())}
}

// window shows how many requests were accepted in the minute that ends at each time, and the plan's limit. It is the
// main chart of a load run.
func (p Plan) window() Chart {
	var points, peak, limit []XY
	for i, s := range p.key.S {
		points = append(points, XY{s, float64(p.key.InWindow[i])})
	}
	if len(points) > 0 {
		peak = []XY{slices.MaxFunc(points, func(a, b XY) int { return cmp.Compare(a.Y, b.Y) })}
	}
	if p.PerMinute > 0 {
		limit = []XY{{Y: float64(p.PerMinute)}}
	}
	return Chart{Title: "accepted within any minute", N: len(points), Of: "requests", Y: "requests accepted in the minute before",
		Layers: []Layer{{"accepted, key " + p.key.Key, Steps, points},
			{"plan " + Num(float64(p.PerMinute)), Across, limit}, {"", Peak, peak}},
		Caption: fmt.Sprintf("Most accepted within one minute: %s, in the one that ended at second %s.%s",
			spec.Count(p.MostInWindow, "request"), Num(p.MostAtS), p.each())}
}

// answers shows the responses of each second by class, and the planned requests.
func (p Plan) answers() Chart {
	all := p.PerSecond
	c := Chart{Title: "responses per second", Of: "requests", Y: "responses per second", N: p.Requests * min(len(all), 1)}
	steps := func(name string, value func(s judge.SecondReport) int) {
		line := Layer{Name: name, As: Steps}
		for i, s := range all {
			line.Points = append(line.Points, XY{float64(s.S), float64(value(s))})
			if i+1 == len(all) || all[i+1].S > s.S+1 { // the report leaves out seconds without a response
				line.Points = append(line.Points, XY{float64(s.S + 1), 0})
			}
		}
		c.Layers = append(c.Layers, line)
	}
	steps("accepted", func(s judge.SecondReport) int { return s.Accepted })
	steps("429", func(s judge.SecondReport) int { return s.Limited })
	steps("planned", func(s judge.SecondReport) int { return s.Planned })
	if p.Other > 0 {
		steps("anything else", func(s judge.SecondReport) int { return s.Other })
	}
	c.Caption = fmt.Sprintf("%s: %s accepted, %s answered 429, %s with another response or none.",
		spec.Count(p.Requests, "request"), spec.Number(p.Accepted), spec.Number(p.Limited), spec.Number(p.Other))
	return c
}

// each says how many requests a point of a key's series stands for, if it is more than one.
func (p Plan) each() string {
	if p.key.Every < 2 {
		return ""
	}
	return fmt.Sprintf(" Each point stands for %s.", spec.Count(p.key.Every, "request"))
}

// Times are response times, or the send lag, in milliseconds.
type Times struct {
	Name string
	judge.Quantiles
}

// Times has the response times and the send lag. Requests that were sent later than it took to answer them show that
// the client was the bottleneck.
func (p Plan) Times() []Times {
	all := []Times{{"accepted", p.AcceptedMS}, {"accepted, from due", p.DueMS}, {"answered 429", p.LimitedMS},
		{"sent late by", p.LagMS}}
	return slices.DeleteFunc(all, func(t Times) bool { return t.N == 0 })
}
