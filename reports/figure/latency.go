package figure

import (
	"fmt"
	"math"
	"slices"

	"petconform/load/judge"
)

// latencyOverTime is figure 6: how long answers took, those that were accepted and those of 429 apart.
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
	p50, p99 := stretches(accepted, 30)
	c := Chart{Title: "time to answer", N: len(accepted) + len(limited), Of: "answers", X: overTime, Y: Axis{Label: "milliseconds", Scale: Log},
		Series: []Series{{"accepted", Dots, accepted}, {"429", Dots, limited}, {"p50 of accepted", Steps, p50}, {"p99 of accepted", Steps, p99}}}
	c.Caption = fmt.Sprintf("Accepted requests took %s ms at the median and %s ms at the 99th percentile, at most %s ms; 429 took %s and %s ms.",
		num(m.plan.AcceptedMS.P50), num(m.plan.AcceptedMS.P99), num(m.plan.AcceptedMS.Max), num(m.plan.LimitedMS.P50), num(m.plan.LimitedMS.P99))
	half, most := stretches(accepted, MaxRows-1)
	c.Table = table(len(half), []string{"From second", "p50 ms", "p99 ms"}, func(i int) []string { return []string{num(half[i].X), num(half[i].Y), num(most[i].Y)} })
	return c, true
}

// stretches gives the median and the 99th percentile of equal stretches of time; of those with an answer.
func stretches(points []XY, parts int) (p50, p99 []XY) {
	from, to := points[0].X, points[len(points)-1].X
	span := math.Max((to-from)/float64(parts), 0.001)
	groups := map[int][]float64{}
	for _, p := range points {
		i := int((p.X - from) / span)
		groups[i] = append(groups[i], p.Y)
	}
	for i := range parts + 1 {
		values := groups[i]
		if len(values) == 0 {
			continue
		}
		slices.Sort(values)
		x := from + float64(i)*span
		p50, p99 = append(p50, XY{x, at(values, 0.5)}), append(p99, XY{x, at(values, 0.99)})
	}
	return p50, p99
}

// at is the smallest of the sorted values that at least q of them do not exceed.
func at(sorted []float64, q float64) float64 {
	return sorted[max(0, int(math.Ceil(q*float64(len(sorted))))-1)]
}

// latencyByPercentile is figure 7. The axis gives each further nine the same room, so that the slowest answers can be seen.
func (m measured) latencyByPercentile() (Chart, bool) {
	accepted := curve(m.plan.Series, true)
	if len(accepted) < 2 {
		return Chart{}, false
	}
	c := Chart{Title: "time to answer, by percentile", N: m.plan.AcceptedMS.N, Of: "accepted requests",
		X: Axis{Label: "percentile", Scale: Percentile}, Y: Axis{Label: "milliseconds", Scale: Log}, Series: []Series{{"accepted", Line, accepted}}}
	if limited := curve(m.plan.Series, false); len(limited) > 1 {
		c.Series = append(c.Series, Series{"429", Line, limited})
	}
	c.Caption = fmt.Sprintf("99 of 100 accepted requests were answered within %s ms, 999 of 1,000 within %s ms.", num(m.plan.AcceptedMS.P99), num(m.plan.AcceptedMS.P999))
	if m.last != nil {
		if last := curve(m.last.Series, true); len(last) > 1 {
			c.Series = append(c.Series, Series{"accepted, last run", Line, last})
			c.Caption += fmt.Sprintf(" The last run: %s ms and %s ms.", num(m.last.AcceptedMS.P99), num(m.last.AcceptedMS.P999))
		}
	}
	q, l := m.plan.AcceptedMS, m.plan.LimitedMS
	c.Table = Table{Columns: []string{"Percentile", "Accepted ms", "429 ms"}, Rows: [][]string{
		{"50 %", num(q.P50), num(l.P50)}, {"90 %", num(q.P90), num(l.P90)}, {"99 %", num(q.P99), num(l.P99)}, {"99.9 %", num(q.P999), num(l.P999)}, {"100 %", num(q.Max), num(l.Max)}}}
	return c, true
}

// curve gives time by 1/(1-p) over all series, of what was accepted or of what was limited.
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
