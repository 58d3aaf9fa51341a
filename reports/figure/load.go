package figure

import (
	"fmt"
	"math"
	"slices"
	"strconv"
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
}

// Of returns the charts of a load run, plan by plan. last is an earlier load run to compare with, or nil.
func Of(r judge.Report, last *judge.Report) []Plan {
	var plans []Plan
	for i, p := range r.Plans {
		m := measured{report: r, plan: p}
		if last != nil {
			for j := range last.Plans {
				if last.Plans[j].Plan == p.Plan {
					m.last = &last.Plans[j]
				}
			}
		}
		if len(p.Series) > 0 {
			m.key = p.Series[0]
		}
		suffix := ""
		if i > 0 { // the first plan's anchors are the short ones
			suffix = "-" + anchor(p.Plan)
		}
		plans = append(plans, Plan{p, "plan-" + anchor(p.Plan), m.charts(suffix)})
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
	report judge.Report
	plan   judge.PlanReport
	last   *judge.PlanReport
	// key is the series of the plan's first key; empty if the report has none.
	key judge.Series
}

// charts returns the charts that have data, numbered in the order of the page.
func (m measured) charts(suffix string) []Chart {
	var out []Chart
	for _, make := range []func() (Chart, bool){
		m.remaining, m.window, m.cumulative, m.answers, m.waits, m.latencyOverTime, m.latencyByPercentile, m.lag, m.keys, m.resets,
	} {
		c, ok := make()
		if !ok {
			continue
		}
		if m.key.Every > 1 && c.N == len(m.key.S) {
			c.Caption += fmt.Sprintf(" Each point stands for %s.", spec.Count(m.key.Every, "request"))
		}
		number := len(out) + 1
		c.ID = fmt.Sprintf("figure-%d%s", number, suffix)
		c.Title = fmt.Sprintf("Figure %d, %s: %s", number, m.plan.Plan, c.Title)
		out = append(out, c)
	}
	return out
}

// overTime is the axis of most charts. It begins with the run, not with the first response.
var overTime = Axis{Label: "seconds since the run began", Max: fromZero}

// points returns the values of a column over the time of sending, of the rows that keep selects.
func (m measured) points(value func(i int) float64, keep func(i int) bool) []XY {
	var out []XY
	for i, s := range m.key.S {
		if keep == nil || keep(i) {
			out = append(out, XY{s, value(i)})
		}
	}
	return out
}

func (m measured) limited(i int) bool { return m.key.Status[i] == 429 }

func (m measured) accepted(i int) bool {
	s := m.key.Status[i]
	return s != 0 && s != 429 && s != 401 && s < 500
}

// whole reports whether all columns have the same length. In a report that petconform did not write they may differ.
func whole(s judge.Series) bool {
	n := len(s.S)
	return n > 0 && len(s.N) == n && len(s.Status) == n && len(s.MS) == n && len(s.LagMS) == n && len(s.Remaining) == n &&
		len(s.ResetInS) == n && len(s.Cumulative) == n && len(s.InWindow) == n
}

// table makes rows of n data points. If there are more than a page shows, it has evenly chosen ones, with the first, the last and those of
// keep.
func table(n int, columns []string, row func(i int) []string, keep ...int) Table {
	t := Table{Columns: columns}
	most := MaxRows - 1 - len(keep)
	for i := range n {
		if n <= MaxRows || i == n-1 || i*most/n != (i-1)*most/n || i == 0 || slices.Contains(keep, i) {
			t.Rows = append(t.Rows, row(i))
		}
	}
	t.Left = n - len(t.Rows)
	return t
}

// num writes a number with three significant digits.
func num(v float64) string {
	switch {
	case v == float64(int64(v)):
		return spec.Number(int64(v))
	case v >= 100 || v <= -100:
		return spec.Number(int64(math.Round(v)))
	case v >= 10 || v <= -10:
		return strconv.FormatFloat(v, 'f', 1, 64)
	}
	return strconv.FormatFloat(v, 'f', 2, 64)
}

// bands returns the uninterrupted stretches in which keep is true.
func (m measured) bands(keep func(i int) bool) []Band {
	var out []Band
	open := false
	for i, s := range m.key.S {
		switch {
		case keep(i) && !open:
			out, open = append(out, Band{s, s}), true
		case keep(i):
			out[len(out)-1].To = s
		default:
			open = false
		}
	}
	return out
}
