package figure

import (
	"cmp"
	"fmt"
	"math"
	"slices"
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
		m := measured{plan: p, minute: Minute(r.MinuteS), keys: complete(p.Series)}
		if !(m.minute > 0) {
			m.minute = 60
		}
		if j := slices.IndexFunc(last.Plans, func(q judge.PlanReport) bool { return q.Plan == p.Plan }); j >= 0 {
			m.last = last.Plans[j]
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
	plan, last judge.PlanReport
	minute     Minute
	keys       []judge.Series
}

// complete returns the series of keys without those that are empty or have columns of different lengths: a report that
// petconform did not write may have such.
func complete(keys []judge.Series) []judge.Series {
	return slices.DeleteFunc(slices.Clone(keys), func(s judge.Series) bool {
		n := len(s.S)
		return n == 0 || len(s.N) != n || len(s.Status) != n || len(s.MS) != n || len(s.LagMS) != n || len(s.Remaining) != n ||
			len(s.ResetInS) != n || len(s.Cumulative) != n || len(s.InWindow) != n
	})
}

// charts returns the charts that have data, numbered in the order of the page.
func (m measured) charts(suffix string) []Chart {
	all := []Chart{m.answers(), m.latency(), m.waits()}
	if len(m.keys) > 0 {
		all = []Chart{m.window(), m.remaining(), all[0], all[1], all[2], m.lag()}
	}
	all = slices.DeleteFunc(all, func(c Chart) bool { return c.N == 0 })
	for i := range all {
		all[i].ID = fmt.Sprintf("figure-%d%s", i+1, suffix)
		all[i].Title = fmt.Sprintf("Figure %d, %s: %s", i+1, m.plan.Plan, all[i].Title)
	}
	return all
}

// add adds a series of measurements.
func (c *Chart) add(name string, kind Kind, points []XY) {
	c.N, c.Series = c.N+len(points), append(c.Series, Series{name, kind, points})
}

func (m measured) minutes(seconds float64) float64 { return seconds / float64(m.minute) }

// overTime is the axis of most charts: minutes of the target, since these are what its limiter counts in.
func (m measured) overTime() Axis {
	a := Axis{Label: "minutes since the run began", Value: "minute %s"}
	if m.minute != 60 {
		a.Label = fmt.Sprintf("the target's minutes, of %s s each, since the run began", num(float64(m.minute)))
	}
	return a
}

// over returns the values of a column of a key's series over the time of sending.
func over[T int | float64](m measured, k judge.Series, values []T) []XY {
	out := make([]XY, len(k.S))
	for i, s := range k.S {
		out[i] = XY{m.minutes(s), float64(values[i])}
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

// percentile is a time within which a share of the responses arrived. ms is empty if there are too few responses for
// this share.
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
