package figure

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"petconform/load/judge"
	"petconform/spec"
)

// window shows how many requests were accepted in the minute that ends at each time, and the plan's limit. It is the main chart
// of a load run. It shows the key to which most was granted, and the first key beside it.
func (m measured) window() (Chart, bool) {
	if len(m.keys) == 0 {
		return Chart{}, false
	}
	c := Chart{Title: "accepted within any minute", Of: "requests", X: m.overTime(), Y: Axis{Label: "requests accepted in the minute before", Value: "%s"}}
	c.Limit = math.Max(0, float64(m.plan.PerMinute))
	key, row := 0, 0
	for i, k := range m.keys {
		for j, n := range k.InWindow {
			if n > m.keys[key].InWindow[row] {
				key, row = i, j
			}
		}
	}
	for i, k := range m.keys {
		if i != 0 && i != key {
			continue
		}
		points := m.points(k, func(i int) float64 { return float64(k.InWindow[i]) }, nil)
		c.N += len(points)
		c.Series = append(c.Series, Series{"accepted, key " + k.Key, Steps, points})
		if i == key {
			c.Peak = &points[row]
		}
	}
	k := m.keys[key]
	c.Caption = fmt.Sprintf("At most %s accepted within one minute, the one that ended at minute %s. %s%s", were(m.plan.MostInWindow),
		m.minute.At(m.plan.MostAtS), Allowed(m.plan), each(k))
	c.Table = table(len(k.S), []string{"Minute", "Accepted in the minute before", "Status"}, func(i int) []string {
		return []string{m.minute.At(k.S[i]), spec.Number(k.InWindow[i]), strconv.Itoa(k.Status[i])}
	}, row)
	return c, true
}

// Allowed says how many requests a lawful limiter may accept within a minute: more than the plan's limit is not always a finding.
func Allowed(p judge.PlanReport) string {
	limit := spec.Number(p.PerMinute)
	words := "The plan has " + limit + " a minute."
	switch {
	case p.PerMinute <= 0 || int64(p.MostInWindow) <= p.PerMinute:
		return words
	case int64(p.MostInWindow) > 2*p.PerMinute:
		return words + " No kind of limiter that keeps the plan accepts more than twice as many within any minute."
	case strings.Contains(p.Kind, "bucket"):
		return words + fmt.Sprintf(" A bucket accepts a burst of %s and refills %s a minute, so up to %s within any minute can keep the plan.",
			limit, limit, spec.Number(2*p.PerMinute))
	}
	return words + fmt.Sprintf(" A minute that crosses the edge of two windows can hold up to %s: %s before the edge and %s after it.",
		spec.Number(2*p.PerMinute), limit, limit)
}

func were(requests int) string {
	if requests == 1 {
		return "1 request was"
	}
	return spec.Count(requests, "request") + " were"
}

// remaining shows X-RateLimit-Remaining of the first key, and what a sliding minute would leave.
func (m measured) remaining() (Chart, bool) {
	if len(m.keys) == 0 {
		return Chart{}, false
	}
	k := m.keys[0]
	known := func(i int) bool { return k.Remaining[i] >= 0 }
	told := m.points(k, func(i int) float64 { return float64(k.Remaining[i]) }, known)
	if len(told) == 0 {
		return Chart{}, false
	}
	c := Chart{Title: "X-RateLimit-Remaining", N: len(told), Of: "responses", X: m.overTime(), Y: Axis{Label: "requests left", Value: "%s left"},
		Series: []Series{{"as advertised", Steps, told}}}
	if m.plan.Figure != "day" && m.plan.PerMinute > 0 {
		model := func(i int) float64 { return math.Max(0, float64(m.plan.PerMinute)-float64(k.InWindow[i])) }
		c.Series = append(c.Series, Series{"by a sliding minute", Steps, m.points(k, model, known)})
	}
	refused := m.points(k, func(i int) float64 { return math.Max(0, float64(k.Remaining[i])) }, func(i int) bool { return limited(k.Status[i]) })
	if len(refused) > 0 {
		c.Series = append(c.Series, Series{"429", Dots, refused})
	}
	c.Refused, c.Resets = m.stretches(k), m.resets(k)
	low, high := told[0].Y, told[0].Y
	for _, p := range told {
		low, high = math.Min(low, p.Y), math.Max(high, p.Y)
	}
	c.Caption = fmt.Sprintf("X-RateLimit-Remaining of key %s was between %s and %s over %s, and %s of its responses were 429 (shaded). "+
		"A sliding minute would leave the plan minus the requests accepted in the minute before.%s",
		k.Key, num(low), num(high), spec.Count(len(told), "response"), spec.Number(len(refused)), each(k))
	c.Table = table(len(k.S), []string{"Minute", "Remaining", "Status"}, func(i int) []string {
		left := "none sent"
		if known(i) {
			left = spec.Number(k.Remaining[i])
		}
		return []string{m.minute.At(k.S[i]), left, strconv.Itoa(k.Status[i])}
	})
	return c, true
}

// resets returns each advertised reset once. Resets less than 1.5 seconds apart are one, since the header has whole seconds.
func (m measured) resets(k judge.Series) []float64 {
	var out []float64
	for i, s := range k.S {
		at := s + k.ResetInS[i]
		if n := len(out); k.ResetInS[i] >= 0 && n < mostResets && (n == 0 || at-out[n-1]*float64(m.minute) > 1.5) {
			out = append(out, at/float64(m.minute))
		}
	}
	return out
}

// mostResets is how many upright lines can be told apart.
const mostResets = 16

// stretches returns the uninterrupted stretches of 429.
func (m measured) stretches(k judge.Series) []Stretch {
	var out []Stretch
	for i, s := range k.S {
		at := s / float64(m.minute)
		switch {
		case !limited(k.Status[i]):
		case i > 0 && limited(k.Status[i-1]):
			out[len(out)-1].To = at
		default:
			out = append(out, Stretch{at, at})
		}
	}
	return out
}
