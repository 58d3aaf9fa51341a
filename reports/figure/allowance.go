package figure

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"petconform/load/judge"
	"petconform/spec"
)

// remaining shows X-RateLimit-Remaining, and what a sliding minute would leave.
func (m measured) remaining() (Chart, bool) {
	k := m.key
	if !whole(k) {
		return Chart{}, false
	}
	known := func(i int) bool { return k.Remaining[i] >= 0 }
	told := m.points(func(i int) float64 { return float64(k.Remaining[i]) }, known)
	if len(told) == 0 {
		return Chart{}, false
	}
	c := Chart{Title: "X-RateLimit-Remaining", N: len(told), Of: "responses", X: overTime, Y: Axis{Label: "requests left", Max: fromZero}}
	c.Series = []Series{{"as advertised", Steps, told}}
	if m.plan.Figure != "day" && m.plan.PerMinute > 0 {
		model := m.points(func(i int) float64 { return math.Max(0, float64(m.plan.PerMinute)-float64(k.InWindow[i])) }, known)
		c.Series = append(c.Series, Series{"plan minus the last minute's requests", Steps, model})
	}
	refused := m.points(func(i int) float64 { return math.Max(0, float64(k.Remaining[i])) }, m.limited)
	if len(refused) > 0 {
		c.Series = append(c.Series, Series{"429", Dots, refused})
	}
	c.Bands, c.Rules = m.bands(m.limited), m.resetTimes()
	c.Caption = fmt.Sprintf("X-RateLimit-Remaining fell from %s to %s over %s; %s of them were 429 (shaded). Vertical lines are advertised resets.",
		num(highest(told)), num(lowest(told)), spec.Count(len(told), "response"), spec.Number(len(refused)))
	c.Table = table(len(k.S), []string{"Second", "Remaining", "Status"}, func(i int) []string {
		return []string{num(k.S[i]), left(k.Remaining[i]), strconv.Itoa(k.Status[i])}
	})
	return c, true
}

func left(n int64) string {
	if n < 0 {
		return "none sent"
	}
	return spec.Number(n)
}

// mostRules is how many upright lines can be told apart.
const mostRules = 16

// resetTimes returns each advertised reset once. Resets less than a second apart are one.
func (m measured) resetTimes() []Rule {
	var out []Rule
	for i, s := range m.key.S {
		if m.key.ResetInS[i] < 0 {
			continue
		}
		at := s + m.key.ResetInS[i]
		if n := len(out); (n == 0 || at-out[n-1].At > 1.5) && n < mostRules {
			out = append(out, Rule{at, "reset"})
		}
	}
	return out
}

// window shows how many requests were accepted in the minute that ends at each time, and the plan's limit. It is the main chart
// of a load run.
func (m measured) window() (Chart, bool) {
	k := m.key
	if !whole(k) {
		return Chart{}, false
	}
	counts := m.points(func(i int) float64 { return float64(k.InWindow[i]) }, nil)
	c := Chart{Title: "accepted within any minute", N: len(counts), Of: "requests", X: overTime, Y: Axis{Label: "accepted in the minute before", Max: fromZero},
		Series: []Series{{"accepted in the minute that ends here", Steps, counts}}}
	if m.plan.PerMinute > 0 {
		c.Levels = []Rule{{float64(m.plan.PerMinute), "plan " + spec.Number(m.plan.PerMinute)}}
	}
	most := 0
	for i := range counts {
		if counts[i].Y > counts[most].Y {
			most = i
		}
	}
	c.Marks = []Mark{{counts[most], num(counts[most].Y)}}
	c.Caption = fmt.Sprintf("At most %s accepted within one minute, the one that ended at %s s. %s", were(m.plan.MostInWindow), num(m.plan.MostAtS), Allowed(m.plan))
	c.Table = table(len(k.S), []string{"Second", "Accepted in the minute before", "Status"}, func(i int) []string {
		return []string{num(k.S[i]), spec.Number(k.InWindow[i]), strconv.Itoa(k.Status[i])}
	}, most)
	return c, true
}

// resets shows the seconds to the reset, which make a Reset in milliseconds, or one that is a duration, obvious.
func (m measured) resets() (Chart, bool) {
	k := m.key
	if !whole(k) {
		return Chart{}, false
	}
	points := m.points(func(i int) float64 { return k.ResetInS[i] }, func(i int) bool { return k.ResetInS[i] >= 0 })
	if len(points) == 0 {
		return Chart{}, false
	}
	c := Chart{Title: "X-RateLimit-Reset minus Date", N: len(points), Of: "responses", X: overTime, Y: Axis{Label: "seconds to the reset", Max: fromZero},
		Series: []Series{{"Reset minus Date", Dots, points}}, Levels: []Rule{{m.report.MinuteS, "a minute of the target"}}}
	c.Caption = fmt.Sprintf("The advertised reset was %s to %s seconds after the response; the target's minute lasts %s seconds.",
		num(lowest(points)), num(highest(points)), num(m.report.MinuteS))
	c.Table = table(len(points), []string{"Second", "Seconds to the reset"}, func(i int) []string { return []string{num(points[i].X), num(points[i].Y)} })
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
		return words + fmt.Sprintf(" A bucket accepts a burst of %s and refills %s a minute, so up to %s within any minute can keep the plan.", limit, limit, spec.Number(2*p.PerMinute))
	}
	return words + fmt.Sprintf(" A minute that crosses the edge of two windows can hold up to %s: %s before the edge and %s after it.", spec.Number(2*p.PerMinute), limit, limit)
}

func were(requests int) string {
	if requests == 1 {
		return "1 request was"
	}
	return spec.Count(requests, "request") + " were"
}

func highest(p []XY) float64 {
	v := math.Inf(-1)
	for _, q := range p {
		v = math.Max(v, q.Y)
	}
	return v
}

func lowest(p []XY) float64 {
	v := math.Inf(1)
	for _, q := range p {
		v = math.Min(v, q.Y)
	}
	return v
}
