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

// window shows how many requests were accepted in the minute that ends at each time, and the plan's limit. It is the
// main chart of a load run. It shows the first key, and the one to which most was granted.
func (m measured) window() Chart {
	c := Chart{Title: "accepted within any minute", Of: "requests", X: m.overTime(),
		Y:     Axis{Label: "requests accepted in the minute before", Value: "%s"},
		Limit: math.Max(0, float64(m.plan.PerMinute))}
	busiest, row := 0, 0
	for i, k := range m.keys {
		if most := slices.Max(k.InWindow); most > m.keys[busiest].InWindow[row] {
			busiest, row = i, slices.Index(k.InWindow, most)
		}
	}
	var k judge.Series
	for _, i := range slices.Compact([]int{0, busiest}) {
		k = m.keys[i]
		c.add("accepted, key "+k.Key, over(m, k, k.InWindow))
	}
	c.Peak = &XY{m.minutes(k.S[row]), float64(k.InWindow[row])}
	c.Caption = fmt.Sprintf("Most accepted within one minute: %s, in the one that ended at minute %s. %s%s",
		spec.Count(m.plan.MostInWindow, "request"), m.minute.At(m.plan.MostAtS), Allowed(m.plan), each(k))
	c.Table = m.table(k, "Accepted in the minute before", func(i int) string { return spec.Number(k.InWindow[i]) }, row)
	return c
}

// Allowed says how many requests a lawful limiter may accept within a minute: more than the plan's limit is not always
// a finding.
func Allowed(p judge.PlanReport) string {
	limit, twice := spec.Number(p.PerMinute), spec.Number(2*p.PerMinute)
	words := "The plan has " + limit + " a minute."
	switch {
	case p.PerMinute <= 0 || int64(p.MostInWindow) <= p.PerMinute:
		return words
	case int64(p.MostInWindow) > 2*p.PerMinute:
		return words + " No kind of limiter that keeps the plan accepts more than twice as many within any minute."
	case strings.Contains(p.Kind, "bucket"):
		return fmt.Sprintf("%s A bucket accepts a burst of %s and refills %s a minute, so up to %s within any minute can keep the plan.", words, limit, limit, twice)
	}
	return fmt.Sprintf("%s A minute that crosses the edge of two windows can hold up to %s: %s before the edge and %s after it.", words, twice, limit, limit)
}

// mostResets is how many upright lines can be told apart.
const mostResets = 16

// remaining shows X-RateLimit-Remaining of the first key, and what a sliding minute would leave. It shades and marks the
// uninterrupted stretches of 429, and draws each advertised reset once: resets less than 1.5 seconds apart are one,
// since the header has whole seconds.
func (m measured) remaining() Chart {
	k := m.keys[0]
	c := Chart{Title: "X-RateLimit-Remaining", Of: "responses", X: m.overTime(), Y: Axis{Label: "requests left", Value: "%s left"}}
	var left, model []XY
	refused := 0
	low, high, last := math.Inf(1), math.Inf(-1), math.Inf(-1)
	for i, s := range k.S {
		at, value := m.minutes(s), float64(k.Remaining[i])
		if value >= 0 {
			left, model = append(left, XY{at, value}), append(model, XY{at, math.Max(0, float64(m.plan.PerMinute)-float64(k.InWindow[i]))})
			low, high = math.Min(low, value), math.Max(high, value)
		}
		if reset := s + k.ResetInS[i]; k.ResetInS[i] >= 0 && len(c.Resets) < mostResets && reset-last > 1.5 {
			c.Resets, last = append(c.Resets, m.minutes(reset)), reset
		}
		if k.Status[i] != 429 {
			continue
		}
		refused++
		if i > 0 && k.Status[i-1] == 429 {
			c.Refused[len(c.Refused)-1].To = at
		} else {
			c.Refused = append(c.Refused, Stretch{at, at})
		}
	}
	c.add("as advertised", left)
	if m.plan.Figure != "day" && m.plan.PerMinute > 0 {
		c.Series = append(c.Series, Series{"by a sliding minute", model})
	}
	c.Caption = fmt.Sprintf("X-RateLimit-Remaining of key %s was between %s and %s over %s, and %s of its responses were 429 (shaded). "+
		"A sliding minute would leave the plan minus the requests accepted in the minute before.%s",
		k.Key, num(low), num(high), spec.Count(len(left), "response"), spec.Number(refused), each(k))
	c.Table = m.table(k, "Remaining", func(i int) string {
		if k.Remaining[i] < 0 {
			return "none sent"
		}
		return spec.Number(k.Remaining[i])
	})
	return c
}

// table has a column of a key's series beside the time and the status.
func (m measured) table(k judge.Series, name string, value func(i int) string, keep ...int) Table {
	return table(len(k.S), []string{"Minute", name, "Status"}, func(i int) []string {
		return []string{m.minute.At(k.S[i]), value(i), strconv.Itoa(k.Status[i])}
	}, keep...)
}
