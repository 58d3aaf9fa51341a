package figure

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"petconform/load/judge"
)

// latencyOverTime shows how long answers took, those that were accepted and those of 429 apart.
func (m measured) latencyOverTime() (Chart, bool) {
	k := m.key
	if !whole(k) {
		return Chart{}, false
	}
	ms := func(i int) float64 { return k.MS[i] }
	accepted, limited := m.points(ms, m.accepted), m.points(ms, m.limited)
	if len(accepted) == 0 {
		return Chart{}, false
	}
	p50, high, what := stretches(accepted, 30)
	c := Chart{Title: "response time", N: len(accepted) + len(limited), Of: "responses", X: overTime, Y: Axis{Label: "milliseconds", Scale: Log},
		Series: []Series{{"accepted", Dots, accepted}, {"429", Dots, limited}, {"p50 of accepted", Steps, p50}, {what + " of accepted", Steps, high}}}
	c.Caption = fmt.Sprintf("Accepted requests: %s.", Spread(m.plan.AcceptedMS))
	if len(limited) > 0 {
		c.Caption += fmt.Sprintf(" Responses with 429: %s.", Spread(m.plan.LimitedMS))
	}
	half, slow, name := stretches(accepted, MaxRows-1)
	c.Table = table(len(half), []string{"From second", "p50 ms", name + " ms"}, func(i int) []string { return []string{num(half[i].X), num(half[i].Y), num(slow[i].Y)} })
	return c, true
}

// stretches returns the median and the 99th percentile of equal stretches of time that have a response. If one of them has fewer
// than a hundred responses, it returns the slowest response of each instead of the 99th percentile; what says which.
func stretches(points []XY, parts int) (p50, high []XY, what string) {
	from, to := points[0].X, points[len(points)-1].X
	span := math.Max((to-from)/float64(parts), 0.001)
	groups := map[int][]float64{}
	for _, p := range points {
		i := int((p.X - from) / span)
		groups[i] = append(groups[i], p.Y)
	}
	q := 0.99
	what = "p99"
	for _, g := range groups {
		if len(g) < 100 {
			q, what = 1, "slowest"
		}
	}
	for _, i := range slices.Sorted(maps.Keys(groups)) {
		values := groups[i]
		slices.Sort(values)
		x := from + float64(i)*span
		p50, high = append(p50, XY{x, at(values, 0.5)}), append(high, XY{x, at(values, q)})
	}
	return p50, high, what
}

// at returns the q-quantile: the smallest value that at least the share q of the sorted values do not exceed.
func at(sorted []float64, q float64) float64 {
	return sorted[max(0, int(math.Ceil(q*float64(len(sorted))))-1)]
}

// latencyByPercentile shows the times of the slowest responses, on the scale Percentile.
func (m measured) latencyByPercentile() (Chart, bool) {
	accepted := curve(m.plan.Series, true)
	if len(accepted) < 2 {
		return Chart{}, false
	}
	c := Chart{Title: "response time, by percentile", N: m.plan.AcceptedMS.N, Of: "accepted requests",
		X: Axis{Label: "percentile", Scale: Percentile}, Y: Axis{Label: "milliseconds", Scale: Log}, Series: []Series{{"accepted", Line, accepted}}}
	if limited := curve(m.plan.Series, false); len(limited) > 1 {
		c.Series = append(c.Series, Series{"429", Line, limited})
	}
	c.Caption = fmt.Sprintf("Accepted requests: %s.", Spread(m.plan.AcceptedMS))
	if m.last != nil {
		if last := curve(m.last.Series, true); len(last) > 1 {
			c.Series = append(c.Series, Series{"accepted, last run", Line, last})
			c.Caption += fmt.Sprintf(" In the last run: %s.", Spread(m.last.AcceptedMS))
		}
	}
	c.Table = Table{Columns: []string{"Percentile", "Accepted ms", "429 ms"}}
	limited := percentiles(m.plan.LimitedMS)
	for i, p := range percentiles(m.plan.AcceptedMS) {
		if p.ms != "" || limited[i].ms != "" {
			c.Table.Rows = append(c.Table.Rows, []string{p.name, cmp.Or(p.ms, "–"), cmp.Or(limited[i].ms, "–")})
		}
	}
	return c, true
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
	return []percentile{of("50 %", "half", 1, q.P50), of("90 %", "9 of 10", 10, q.P90), of("99 %", "99 of 100", 100, q.P99), of("99.9 %", "999 of 1,000", 1000, q.P999), of("100 %", "all", 1, q.Max)}
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

// curve returns the times by 1/(1-p) of all series, of the accepted requests or of the 429s.
func curve(all []judge.Series, accepted bool) []XY {
	var ms []float64
	for _, s := range all {
		if !whole(s) {
			continue
		}
		one := measured{key: s}
		for i, v := range s.MS {
			if accepted && one.accepted(i) || !accepted && one.limited(i) {
				ms = append(ms, v)
			}
		}
	}
	slices.Sort(ms)
	var out []XY
	for i, v := range ms {
		out = append(out, XY{float64(len(ms)) / float64(len(ms)-i), v})
	}
	return out
}
