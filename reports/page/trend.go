package page

import (
	"fmt"
	"html/template"
	"math"
	"slices"
	"strings"

	"petconform/reports/compare"
	"petconform/reports/safe"
	"petconform/spec"
	"petconform/spec/verdict"
)

// trendView shows the last runs, this one last: a table with a sparkline for each column of numbers.
type trendView struct {
	Columns []string
	Rows    []trendRow
	Sparks  []template.HTML
	// Failing lists the checks that fail now.
	Failing []checkView
}

type trendRow struct {
	Run   verdict.Past
	Cells []string
}

// Trend is nil when no earlier run is known.
func (v *view) Trend() *trendView {
	if len(v.Results.History) == 0 {
		return nil
	}
	t := &trendView{Failing: v.Failing()}
	var plans []string
	for _, run := range slices.Concat(v.Results.History, []verdict.Past{compare.PastOf(v.Results, v.Recording)}) {
		t.Rows = append(t.Rows, trendRow{Run: run})
		for _, plan := range run.Plans {
			if !slices.Contains(plans, plan.Plan) {
				plans = append(plans, plan.Plan)
			}
		}
	}
	count := func(n int) (float64, string) { return float64(n), spec.Number(n) }
	t.column("Broken musts", func(p verdict.Past) (float64, string) { return count(p.Broken) })
	t.column("Failed checks", func(p verdict.Past) (float64, string) { return count(p.Failing) })
	t.column("Requests", func(p verdict.Past) (float64, string) { return count(p.Requests) })
	t.column("Checks, p99 ms", func(p verdict.Past) (float64, string) { return milliseconds(p.P99MS) })
	for _, name := range plans {
		t.column(name+", p99 ms", func(p verdict.Past) (float64, string) { return milliseconds(planOf(p, name).P99MS) })
		t.column(name+", most in a minute", func(p verdict.Past) (float64, string) {
			l := planOf(p, name)
			if l.PerMinute == 0 {
				return 0, ""
			}
			return float64(l.Most), fmt.Sprintf("%s of %s", spec.Number(l.Most), spec.Number(l.PerMinute))
		})
	}
	return t
}

// column adds a column. of gives a number of a run, and its text, which is empty if the run does not have the number.
func (t *trendView) column(name string, of func(verdict.Past) (float64, string)) {
	var values []float64
	for i, row := range t.Rows {
		value, text := of(row.Run)
		if text == "" || row.Run.Claimed {
			value, text = math.NaN(), "–"
		}
		values = append(values, value)
		t.Rows[i].Cells = append(t.Rows[i].Cells, text)
	}
	t.Columns, t.Sparks = append(t.Columns, name), append(t.Sparks, spark(values))
}

func milliseconds(ms float64) (float64, string) {
	if ms == 0 {
		return 0, ""
	}
	return ms, fmt.Sprintf("%.1f", ms)
}

func planOf(p verdict.Past, name string) verdict.PastPlan {
	for _, l := range p.Plans {
		if l.Plan == name {
			return l
		}
	}
	return verdict.PastPlan{}
}

// The size of a sparkline in pixels.
const (
	sparkWidth  = 90
	sparkHeight = 18
)

// spark draws numbers, from zero to the highest, as a line with a dot at its end. A NaN is a gap. It is hidden from
// screen readers, because the table above it has the numbers.
func spark(values []float64) template.HTML {
	high := 0.0
	for _, v := range values {
		if v > high { // no NaN is
			high = v
		}
	}
	var path strings.Builder
	pen, x, y := "M", 0.0, 0.0
	for i, v := range values {
		if math.IsNaN(v) {
			pen = "M"
			continue
		}
		x, y = 3+float64(i)*(sparkWidth-6)/math.Max(1, float64(len(values)-1)), sparkHeight-3.0
		if high > 0 {
			y -= v / high * (sparkHeight - 6)
		}
		fmt.Fprintf(&path, "%s%.0f %.0f", pen, x, y)
		pen = "L"
	}
	if path.Len() == 0 {
		return ""
	}
	return template.HTML(fmt.Sprintf(`<svg width="%d" height="%d" aria-hidden="true" fill="none" stroke="#0a4a9e" class="s-s1"><path d="%s"/><circle cx="%.0f" cy="%.0f" r="2"/></svg>`,
		sparkWidth, sparkHeight, path.String(), x, y))
}

// When is to the minute: a pipeline has several runs a day.
func (r trendRow) When() string { return r.Run.Started.UTC().Format("2006-01-02 15:04") }

// RunName names a run as a row of a table has room for.
func (r trendRow) RunName() string { return safe.Clip(compare.PastName(r.Run), 40) }
