package figure

import (
	"fmt"
	"math"
	"strconv"
)

// remaining is figure 1: what the headers say is left, beside what a minute that slides with the clock would leave.
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
	c := Chart{Title: "X-RateLimit-Remaining", N: len(told), Of: "answers", X: overTime, Y: Axis{Label: "requests left", Max: fromZero}}
	c.Series = []Series{{"as advertised", Steps, told}}
	if m.plan.Figure != "day" && m.plan.PerMinute > 0 {
		model := m.points(func(i int) float64 { return math.Max(0, float64(m.plan.PerMinute)-float64(k.InWindow[i])) }, known)
		c.Series = append(c.Series, Series{"the plan less the last minute's", Steps, model})
	}
	refused := m.points(func(i int) float64 { return math.Max(0, float64(k.Remaining[i])) }, m.limited)
	if len(refused) > 0 {
		c.Series = append(c.Series, Series{"429", Dots, refused})
	}
	c.Bands, c.Rules = m.bands(m.limited), m.resetTimes()
	c.Caption = fmt.Sprintf("X-RateLimit-Remaining ran from %s down to %s over %d answers; %d of them were 429 (shaded). Upright lines are advertised resets.",
		num(highest(told)), num(lowest(told)), len(told), len(refused))
	c.Table = table(len(k.S), []string{"Second", "Remaining", "Status"}, func(i int) []string {
		return []string{num(k.S[i]), left(k.Remaining[i]), strconv.Itoa(k.Status[i])}
	})
	return c, true
}

func left(n int64) string {
	if n < 0 {
		return "none sent"
	}
	return strconv.FormatInt(n, 10)
}

// mostRules is how many upright lines can be told apart.
const mostRules = 16

// resetTimes gives each advertised reset once: those within a second of each other are one.
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

// window is figure 2, the one that decides: what was accepted in the minute that ends here, against the plan.
func (m measured) window() (Chart, bool) {
	k := m.key
	if !whole(k) {
		return Chart{}, false
	}
	counts := m.points(func(i int) float64 { return float64(k.InWindow[i]) }, nil)
	c := Chart{Title: "accepted within any minute", N: len(counts), Of: "requests", X: overTime, Y: Axis{Label: "accepted in the minute before", Max: fromZero},
		Series: []Series{{"accepted in the minute that ends here", Steps, counts}}}
	if m.plan.PerMinute > 0 {
		c.Levels = []Rule{{float64(m.plan.PerMinute), fmt.Sprintf("plan %d", m.plan.PerMinute)}}
	}
	most := 0
	for i := range counts {
		if counts[i].Y > counts[most].Y {
			most = i
		}
	}
	c.Marks = []Mark{{counts[most], num(counts[most].Y)}}
	c.Caption = fmt.Sprintf("At most %d requests were accepted within one minute, ending at %s s. The plan says %d; a fixed window may lawfully let twice that through across its edge.",
		m.plan.MostInWindow, num(m.plan.MostAtS), m.plan.PerMinute)
	c.Table = table(len(k.S), []string{"Second", "Accepted in the minute before", "Status"}, func(i int) []string {
		return []string{num(k.S[i]), strconv.Itoa(k.InWindow[i]), strconv.Itoa(k.Status[i])}
	}, most)
	return c, true
}

// resets is figure 10: seconds to the reset. A Reset in milliseconds, or one that is a delta, jumps out.
func (m measured) resets() (Chart, bool) {
	k := m.key
	if !whole(k) {
		return Chart{}, false
	}
	points := m.points(func(i int) float64 { return k.ResetInS[i] }, func(i int) bool { return k.ResetInS[i] >= 0 })
	if len(points) == 0 {
		return Chart{}, false
	}
	c := Chart{Title: "X-RateLimit-Reset less Date", N: len(points), Of: "answers", X: overTime, Y: Axis{Label: "seconds to the reset", Max: fromZero},
		Series: []Series{{"Reset less Date", Dots, points}}, Levels: []Rule{{m.report.MinuteS, "a minute of the target"}}}
	c.Caption = fmt.Sprintf("The advertised reset lay %s to %s seconds ahead of the answer; the target's minute lasts %s seconds.",
		num(lowest(points)), num(highest(points)), num(m.report.MinuteS))
	c.Table = table(len(points), []string{"Second", "Seconds to the reset"}, func(i int) []string { return []string{num(points[i].X), num(points[i].Y)} })
	return c, true
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
