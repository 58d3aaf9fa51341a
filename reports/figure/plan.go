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
	// Times are the response times and the send lag, by percentile.
	Times Table
}

// Of returns the charts and the numbers of a load run, plan by plan.
func Of(r judge.Report) (plans []Plan) {
	for i, p := range r.Plans {
		m := measured{PlanReport: p, minute: cmp.Or(r.MinuteS, 60)}
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
		plans = append(plans, Plan{p, id, m.charts(suffix), m.times()})
	}
	return plans
}

// measured is what the charts of one plan are made from. The minute is the target's, in seconds.
type measured struct {
	judge.PlanReport
	minute float64
	key    judge.Series
}

// charts returns the charts that have data, numbered in the order of the page. Their time is in minutes of the target,
// since these are what its limiter counts in.
func (m measured) charts(suffix string) []Chart {
	all := []Chart{m.remaining(), m.window(), m.answers()}
	all = slices.DeleteFunc(all, func(c Chart) bool { return c.N == 0 })
	for i := range all {
		all[i].ID = fmt.Sprintf("figure-%d%s", i+1, suffix)
		all[i].Title = fmt.Sprintf("Figure %d, %s: %s", i+1, m.Plan, all[i].Title)
		if all[i].X = "minutes since the run began"; m.minute != 60 {
			all[i].X = fmt.Sprintf("the target's minutes, of %s s each, since the run began", num(m.minute))
		}
	}
	return all
}

// mostResets is how many upright lines can be told apart.
const mostResets = 16

// remaining shows X-RateLimit-Remaining of a key. It draws each advertised reset once: resets less than 1.5 seconds
// apart are one, since the header has whole seconds.
func (m measured) remaining() Chart {
	var left, resets, refused []XY
	low, high, last := math.Inf(1), math.Inf(-1), math.Inf(-1)
	for i, s := range m.key.S {
		if value := float64(m.key.Remaining[i]); value >= 0 {
			left = append(left, XY{s / m.minute, value})
			low, high = min(low, value), max(high, value)
		}
		if reset := s + m.key.ResetInS[i]; m.key.ResetInS[i] >= 0 && len(resets) < mostResets && reset-last > 1.5 {
			resets, last = append(resets, XY{X: reset / m.minute}), reset
		}
		if m.key.Status[i] == 429 {
			refused = append(refused, XY{X: s / m.minute})
		}
	}
	return Chart{Title: "X-RateLimit-Remaining", N: len(left), Of: "responses", Y: "requests left",
		Layers: []Layer{{"as advertised", Steps, left}, {"advertised reset", Upright, resets}, {"429", Ticks, refused}},
		Caption: fmt.Sprintf("X-RateLimit-Remaining of key %s was between %s and %s over %s, and %s of its responses were 429.%s",
			m.key.Key, num(low), num(high), spec.Count(len(left), "response"), spec.Number(len(refused)), m.each())}
}

// window shows how many requests were accepted in the minute that ends at each time, and the plan's limit. It is the
// main chart of a load run.
func (m measured) window() Chart {
	var points, peak, limit []XY
	for i, s := range m.key.S {
		points = append(points, XY{s / m.minute, float64(m.key.InWindow[i])})
	}
	if len(points) > 0 {
		peak = []XY{slices.MaxFunc(points, func(a, b XY) int { return cmp.Compare(a.Y, b.Y) })}
	}
	if m.PerMinute > 0 {
		limit = []XY{{Y: float64(m.PerMinute)}}
	}
	return Chart{Title: "accepted within any minute", N: len(points), Of: "requests", Y: "requests accepted in the minute before",
		Layers: []Layer{{"accepted, key " + m.key.Key, Steps, points},
			{"plan " + num(float64(m.PerMinute)), Across, limit}, {"", Peak, peak}},
		Caption: fmt.Sprintf("Most accepted within one minute: %s, in the one that ended at minute %s. %s%s",
			spec.Count(m.MostInWindow, "request"), m.at(m.MostAtS), Plan{PlanReport: m.PlanReport}.Allowed(), m.each())}
}

// Allowed says how many requests a lawful limiter may accept within a minute: more than the plan's limit is not always
// a finding.
func (p Plan) Allowed() string {
	words := "The plan has " + spec.Number(p.PerMinute) + " a minute"
	switch most := int64(p.MostInWindow); {
	case most > 2*p.PerMinute:
		words += ", and no kind of limiter that keeps it accepts more than twice as many within any minute"
	case most > p.PerMinute:
		words += ", and up to " + spec.Number(2*p.PerMinute) + " are lawful in a minute that has a part of two windows, " +
			"or in which a full bucket refills"
	}
	return words + "."
}

// answers shows the responses of each second by class, and the planned requests.
func (m measured) answers() Chart {
	all, others := m.PerSecond, m.Requests-m.Accepted-m.Limited
	c := Chart{Title: "responses per second", Of: "requests", Y: "responses per second"}
	steps := func(name string, value func(s judge.SecondReport) int) {
		line := Layer{Name: name, As: Steps}
		for i, s := range all {
			line.Points = append(line.Points, XY{float64(s.S) / m.minute, float64(value(s))})
			if i+1 == len(all) || all[i+1].S > s.S+1 { // the report leaves out seconds without a response
				line.Points = append(line.Points, XY{float64(s.S+1) / m.minute, 0})
			}
		}
		c.Layers, c.N = append(c.Layers, line), m.Requests*min(len(all), 1)
	}
	steps("accepted", func(s judge.SecondReport) int { return s.Accepted })
	steps("429", func(s judge.SecondReport) int { return s.Limited })
	steps("planned", func(s judge.SecondReport) int { return s.Planned })
	if others > 0 {
		steps("anything else", func(s judge.SecondReport) int { return s.Error4xx + s.Error5xx + s.None })
	}
	c.Caption = fmt.Sprintf("%s: %s accepted, %s answered 429, %s with another response or none.",
		spec.Count(m.Requests, "request"), spec.Number(m.Accepted), spec.Number(m.Limited), spec.Number(others))
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

// times has the response times and the send lag. A percentile is there only of enough requests: 100 for the 99th, 1,000
// for 99.9. Requests that were sent later than it took to answer them show that the client was the bottleneck.
func (m measured) times() Table {
	times := Table{Name: "Response times and send lag, by percentile",
		Columns: []string{"Milliseconds", "Requests", "50 %", "90 %", "99 %", "99.9 %", "100 %"}}
	for i, q := range []judge.Quantiles{m.AcceptedMS, m.DueMS, m.LimitedMS, m.LagMS} {
		row := []string{[]string{"accepted", "accepted, from due", "answered 429", "sent late by"}[i], spec.Number(q.N)}
		for j, ms := range []float64{q.P50, q.P90, q.P99, q.P999, q.Max} {
			if q.N >= []int{1, 10, 100, 1000, 1}[j] {
				row = append(row, num(ms))
			} else {
				row = append(row, "–")
			}
		}
		if q.N > 0 {
			times.Rows = append(times.Rows, row)
		}
	}
	return times
}
