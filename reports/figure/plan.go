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
	Tables []Named
}

// Of returns the charts and the numbers of a load run, plan by plan.
func Of(r judge.Report) (plans []Plan) {
	for i, p := range r.Plans {
		m := measured{plan: p, minute: cmp.Or(r.MinuteS, 60)}
		for _, k := range p.Series { // the key to which most was granted
			if len(k.S) > 0 && (len(m.key.S) == 0 || slices.Max(k.InWindow) > slices.Max(m.key.InWindow)) {
				m.key = k
			}
		}
		p.Evidence = strings.TrimSuffix(p.Evidence, ".")
		id := strings.TrimSuffix(record.CheckID(p.Plan, ""), "-")
		suffix := strings.TrimPrefix(id, "load")
		if i == 0 { // the first plan's anchors are the short ones
			suffix = ""
		}
		plans = append(plans, Plan{p, id, m.charts(suffix), m.tables()})
	}
	return plans
}

// measured is what the charts of one plan are made from. The minute is the target's, in seconds.
type measured struct {
	plan   judge.PlanReport
	minute float64
	key    judge.Series
}

// charts returns the charts that have data, numbered in the order of the page. Their time is in minutes of the target,
// since these are what its limiter counts in.
func (m measured) charts(suffix string) []Chart {
	all := []Chart{m.answers()}
	if len(m.key.S) > 0 {
		all = []Chart{m.remaining(), m.window(), m.answers()}
	}
	all = slices.DeleteFunc(all, func(c Chart) bool { return c.N == 0 })
	for i := range all {
		all[i].ID = fmt.Sprintf("figure-%d%s", i+1, suffix)
		all[i].Title = fmt.Sprintf("Figure %d, %s: %s", i+1, m.plan.Plan, all[i].Title)
		if all[i].X = "minutes since the run began"; m.minute != 60 {
			all[i].X = fmt.Sprintf("the target's minutes, of %s s each, since the run began", num(m.minute))
		}
	}
	return all
}

// remaining shows X-RateLimit-Remaining of a key. It draws each advertised reset once: resets less than 1.5 seconds
// apart are one, since the header has whole seconds.
func (m measured) remaining() Chart {
	var left []XY
	c := Chart{Title: "X-RateLimit-Remaining", Of: "responses", Y: "requests left"}
	low, high, last := math.Inf(1), math.Inf(-1), math.Inf(-1)
	for i, s := range m.key.S {
		if value := float64(m.key.Remaining[i]); value >= 0 {
			left = append(left, XY{s / m.minute, value})
			low, high = min(low, value), max(high, value)
		}
		if reset := s + m.key.ResetInS[i]; m.key.ResetInS[i] >= 0 && len(c.Resets) < mostResets && reset-last > 1.5 {
			c.Resets, last = append(c.Resets, reset/m.minute), reset
		}
		if m.key.Status[i] == 429 {
			c.Refused = append(c.Refused, s/m.minute)
		}
	}
	c.N, c.Series = len(left), []Series{{"as advertised", left}}
	c.Caption = fmt.Sprintf("X-RateLimit-Remaining of key %s was between %s and %s over %s, and %s of its responses were "+
		"429.%s", m.key.Key, num(low), num(high), spec.Count(len(left), "response"), spec.Number(len(c.Refused)), m.each())
	return c
}

// mostResets is how many upright lines can be told apart.
const mostResets = 16

// window shows how many requests were accepted in the minute that ends at each time, and the plan's limit. It is the
// main chart of a load run.
func (m measured) window() Chart {
	points := make([]XY, len(m.key.S))
	for i, s := range m.key.S {
		points[i] = XY{s / m.minute, float64(m.key.InWindow[i])}
	}
	peak := slices.MaxFunc(points, func(a, b XY) int { return cmp.Compare(a.Y, b.Y) })
	return Chart{Title: "accepted within any minute", Of: "requests", Y: "requests accepted in the minute before",
		N: len(points), Series: []Series{{"accepted, key " + m.key.Key, points}}, Limit: float64(m.plan.PerMinute), Peak: &peak,
		Caption: fmt.Sprintf("Most accepted within one minute: %s, in the one that ended at minute %s. %s%s",
			spec.Count(m.plan.MostInWindow, "request"), m.at(m.plan.MostAtS), Plan{PlanReport: m.plan}.Allowed(), m.each())}
}

// Allowed says how many requests a lawful limiter may accept within a minute: more than the plan's limit is not always
// a finding.
func (p Plan) Allowed() string {
	words := "The plan has " + spec.Number(p.PerMinute) + " a minute."
	switch most := int64(p.MostInWindow); {
	case most > 2*p.PerMinute:
		words += " No kind of limiter that keeps the plan accepts more than twice as many within any minute."
	case most > p.PerMinute:
		words += " A minute that crosses the edge of two windows, or in which a full bucket refills, can hold up to " +
			spec.Number(2*p.PerMinute) + "."
	}
	return words
}

// answers shows the responses of each second by class, and the planned requests.
func (m measured) answers() Chart {
	all := m.plan.PerSecond
	steps := func(name string, value func(s judge.SecondReport) int) Series {
		line := Series{Name: name}
		for i, s := range all {
			line.Points = append(line.Points, XY{float64(s.S) / m.minute, float64(value(s))})
			if i+1 == len(all) || all[i+1].S > s.S+1 { // the report leaves out seconds without a response
				line.Points = append(line.Points, XY{float64(s.S+1) / m.minute, 0})
			}
		}
		return line
	}
	c := Chart{Title: "responses per second", Of: "requests", Y: "responses per second", Series: []Series{
		steps("accepted", func(s judge.SecondReport) int { return s.Accepted }),
		steps("429", func(s judge.SecondReport) int { return s.Limited }),
		steps("planned", func(s judge.SecondReport) int { return s.Planned })}}
	others := m.plan.Requests - m.plan.Accepted - m.plan.Limited
	if others > 0 {
		c.Series = append(c.Series, steps("anything else", func(s judge.SecondReport) int {
			return s.Error4xx + s.Error5xx + s.None
		}))
	}
	c.Caption = fmt.Sprintf("%s: %s accepted, %s answered 429, %s with another response or none.",
		spec.Count(m.plan.Requests, "request"), spec.Number(m.plan.Accepted), spec.Number(m.plan.Limited), spec.Number(others))
	if len(all) > 0 {
		c.N = m.plan.Requests
	}
	return c
}

// at formats a time of the run, in seconds, as minutes of the target.
func (m measured) at(seconds float64) string { return fmt.Sprintf("%.2f", seconds/m.minute) }

// each says how many requests a point of a key's series stands for, if it is more than one.
func (m measured) each() string {
	if m.key.Every < 2 {
		return ""
	}
	return fmt.Sprintf(" Each point stands for %s.", spec.Count(m.key.Every, "request"))
}
