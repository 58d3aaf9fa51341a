package figure

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"petconform/load/judge"
	"petconform/spec"
)

// Plan is a plan's charts.
type Plan struct {
	judge.PlanReport
	// ID is the anchor, "plan-free".
	ID     string
	Charts []Chart
	// ByKey has one row for each key.
	ByKey  Table
	Minute Minute
}

// Minute is the length of the target's minute in seconds.
type Minute float64

// At formats a time of the run, in seconds, as minutes of the target.
func (m Minute) At(seconds float64) string { return fmt.Sprintf("%.2f", seconds/float64(m)) }

// Of returns the charts of a load run, plan by plan. last is an earlier load run to compare with, or empty.
func Of(r, last judge.Report) []Plan {
	var plans []Plan
	for i, p := range r.Plans {
		m := measured{plan: p, minute: Minute(r.MinuteS)}
		if !(m.minute > 0) {
			m.minute = 60
		}
		for j := range last.Plans {
			if last.Plans[j].Plan == p.Plan {
				m.last = &last.Plans[j]
			}
		}
		for _, s := range p.Series {
			if whole(s) {
				m.keys = append(m.keys, s)
			}
		}
		suffix := ""
		if i > 0 { // the first plan's anchors are the short ones
			suffix = "-" + anchor(p.Plan)
		}
		plans = append(plans, Plan{p, "plan-" + anchor(p.Plan), m.charts(suffix), m.keyTable(), m.minute})
	}
	return plans
}

func anchor(plan string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, strings.ToLower(plan))
}

// measured is what the charts of one plan are made from.
type measured struct {
	plan   judge.PlanReport
	last   *judge.PlanReport
	minute Minute
	// keys are the series of the plan's keys, without those that have columns of different lengths: a report that petconform did not
	// write may have such.
	keys []judge.Series
}

func whole(s judge.Series) bool {
	n := len(s.S)
	return n > 0 && len(s.N) == n && len(s.Status) == n && len(s.MS) == n && len(s.LagMS) == n && len(s.Remaining) == n &&
		len(s.ResetInS) == n && len(s.Cumulative) == n && len(s.InWindow) == n
}

// charts returns the charts that have data, numbered in the order of the page.
func (m measured) charts(suffix string) []Chart {
	var out []Chart
	for _, draw := range []func() (Chart, bool){m.window, m.remaining, m.answers, m.latency, m.waits, m.lag} {
		c, ok := draw()
		if !ok {
			continue
		}
		number := len(out) + 1
		c.ID = fmt.Sprintf("figure-%d%s", number, suffix)
		c.Title = fmt.Sprintf("Figure %d, %s: %s", number, m.plan.Plan, c.Title)
		out = append(out, c)
	}
	return out
}

// overTime is the axis of most charts: minutes of the target, since these are what its limiter counts in.
func (m measured) overTime() Axis {
	a := Axis{Label: "minutes since the run began", Value: "minute %s"}
	if m.minute != 60 {
		a.Label = fmt.Sprintf("the target's minutes, of %s s each, since the run began", num(float64(m.minute)))
	}
	return a
}

// points returns the values of a key's column over the time of sending, of the rows that keep selects.
func (m measured) points(k judge.Series, value func(i int) float64, keep func(i int) bool) []XY {
	var out []XY
	for i, s := range k.S {
		if keep == nil || keep(i) {
			out = append(out, XY{s / float64(m.minute), value(i)})
		}
	}
	return out
}

// each says how many requests a point of a key's series stands for, if it is more than one.
func each(k judge.Series) string {
	if k.Every < 2 {
		return ""
	}
	return fmt.Sprintf(" Each point stands for %s.", spec.Count(k.Every, "request"))
}

func limited(status int) bool  { return status == 429 }
func accepted(status int) bool { return status != 0 && status != 429 && status != 401 && status < 500 }

// keyTable has what would take a figure for each key: how much each was granted, and how far away its resets were.
func (m measured) keyTable() Table {
	t := Table{Columns: []string{"Key", "Most accepted in a minute", "Accepted in total", "Reset minus Date, seconds"}}
	for _, k := range m.keys {
		most, near, far := 0, math.Inf(1), -1.0
		for i, n := range k.InWindow {
			most = max(most, n)
			if s := k.ResetInS[i]; s >= 0 {
				near, far = math.Min(near, s), math.Max(far, s)
			}
		}
		resets := "none sent"
		if far >= 0 {
			resets = num(near) + " to " + num(far)
		}
		t.Rows = append(t.Rows, []string{k.Key, spec.Number(most), spec.Number(k.Cumulative[len(k.Cumulative)-1]), resets})
	}
	t.Left = max(0, m.plan.Keys-len(t.Rows))
	return t
}

// Spread describes the times of requests by the percentiles for which there are enough.
func Spread(q judge.Quantiles) string {
	var parts []string
	for _, p := range percentiles(q) {
		if p.ms != "" && p.name != "90 %" {
			parts = append(parts, fmt.Sprintf("%s within %s ms", p.words, p.ms))
		}
	}
	return cmp.Or(strings.Join(parts, ", "), "none")
}

// percentile is a time within which a share of the responses arrived. ms is empty if there are too few responses for this share.
type percentile struct{ name, words, ms string }

// percentiles returns the percentiles for which there are enough responses: 100 for the 99th, 1,000 for 99.9.
func percentiles(q judge.Quantiles) []percentile {
	of := func(name, words string, need int, ms float64) percentile {
		if q.N < need {
			return percentile{name: name}
		}
		return percentile{name, words, num(ms)}
	}
	return []percentile{of("50 %", "half", 1, q.P50), of("90 %", "9 of 10", 10, q.P90), of("99 %", "99 of 100", 100, q.P99),
		of("99.9 %", "999 of 1,000", 1000, q.P999), of("100 %", "all", 1, q.Max)}
}
