package figure

import (
	"fmt"
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
	// Times has a row for each class of responses, Waits one for each wait, and ByKey one for each key.
	Times, Waits, ByKey Table
	Minute              Minute
}

// Minute is the length of the target's minute in seconds.
type Minute float64

// At formats a time of the run, in seconds, as minutes of the target.
func (m Minute) At(seconds float64) string { return fmt.Sprintf("%.2f", seconds/float64(m)) }

// Of returns the charts and the numbers of a load run, plan by plan.
func Of(r judge.Report) []Plan {
	var plans []Plan
	for i, p := range r.Plans {
		m := measured{plan: p, minute: Minute(r.MinuteS), keys: complete(p.Series)}
		if !(m.minute > 0) {
			m.minute = 60
		}
		suffix := ""
		if i > 0 { // the first plan's anchors are the short ones
			suffix = "-" + anchor(p.Plan)
		}
		plans = append(plans, Plan{p, "plan-" + anchor(p.Plan), m.charts(suffix), m.times(), m.waits(), m.keyTable(), m.minute})
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
	minute Minute
	keys   []judge.Series
}

// complete returns the series of keys without those that are empty or have columns of different lengths: a report that
// petconform did not write may have such.
func complete(keys []judge.Series) []judge.Series {
	return slices.DeleteFunc(slices.Clone(keys), func(s judge.Series) bool {
		n := len(s.S)
		return n == 0 || len(s.N) != n || len(s.Status) != n || len(s.Remaining) != n || len(s.ResetInS) != n ||
			len(s.Cumulative) != n || len(s.InWindow) != n
	})
}

// charts returns the charts that have data, numbered in the order of the page.
func (m measured) charts(suffix string) []Chart {
	all := []Chart{m.answers()}
	if len(m.keys) > 0 {
		all = []Chart{m.remaining(), m.window(), m.answers()}
	}
	all = slices.DeleteFunc(all, func(c Chart) bool { return c.N == 0 })
	for i := range all {
		all[i].ID = fmt.Sprintf("figure-%d%s", i+1, suffix)
		all[i].Title = fmt.Sprintf("Figure %d, %s: %s", i+1, m.plan.Plan, all[i].Title)
	}
	return all
}

// add adds a series of measurements.
func (c *Chart) add(name string, points []XY) {
	c.N, c.Series = c.N+len(points), append(c.Series, Series{name, points})
}

func (m measured) minutes(seconds float64) float64 { return seconds / float64(m.minute) }

// overTime is the axis of every chart: minutes of the target, since these are what its limiter counts in.
func (m measured) overTime() Axis {
	a := Axis{Label: "minutes since the run began", Value: "minute %s"}
	if m.minute != 60 {
		a.Label = fmt.Sprintf("the target's minutes, of %s s each, since the run began", num(float64(m.minute)))
	}
	return a
}

// over returns the values of a column of a key's series over the time of sending.
func over(m measured, k judge.Series, values []int) []XY {
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
