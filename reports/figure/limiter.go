package figure

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"petconform/spec"
)

// staircase is a kind of limiter. accept reports whether it accepts a request at a time in seconds; times must not decrease.
type staircase struct {
	name   string
	accept func(at float64) bool
}

// staircases returns the kinds of limiter that can be distinguished from outside, with the plan's limit and the target's minute.
func staircases(limit, minute float64) []staircase {
	return []staircase{
		{"fixed window", fixedWindow(limit, minute)},
		{"sliding window", slidingWindow(limit, minute)},
		{"token bucket", tokenBucket(limit, minute)},
	}
}

// fixedWindow begins a window with the first request, and each next window with the first request after the end of the last.
func fixedWindow(limit, minute float64) func(float64) bool {
	ends, used := math.Inf(-1), 0.0
	return func(at float64) bool {
		if at >= ends {
			ends, used = at+minute, 0
		}
		used++
		return used <= limit
	}
}

func slidingWindow(limit, minute float64) func(float64) bool {
	var taken []float64
	return func(at float64) bool {
		for len(taken) > 0 && taken[0] <= at-minute {
			taken = taken[1:]
		}
		if float64(len(taken)) >= limit {
			return false
		}
		taken = append(taken, at)
		return true
	}
}

func tokenBucket(limit, minute float64) func(float64) bool {
	tokens, last := limit, math.Inf(-1)
	return func(at float64) bool {
		if !math.IsInf(last, -1) {
			tokens = math.Min(limit, tokens+(at-last)*limit/minute)
		}
		last = at
		if tokens < 1 {
			return false
		}
		tokens--
		return true
	}
}

// cumulative shows the number of accepted requests, beside what three kinds of limiter would have accepted.
func (m measured) cumulative() (Chart, bool) {
	k := m.key
	if !whole(k) || m.plan.PerMinute <= 0 || m.report.MinuteS <= 0 {
		return Chart{}, false
	}
	seen := m.points(func(i int) float64 { return float64(k.Cumulative[i]) }, nil)
	c := Chart{Title: "accepted in total", N: len(seen), Of: "requests", X: overTime, Y: Axis{Label: "requests accepted", Max: fromZero},
		Series: []Series{{"accepted", Steps, seen}}}
	best, least := "", math.Inf(1)
	columns := []string{"Second", "Accepted"}
	var models [][]XY
	for _, s := range staircases(float64(m.plan.PerMinute), m.report.MinuteS) {
		model, off := m.follow(s, seen)
		if off < least {
			best, least = s.name, off
		}
		models, columns = append(models, model), append(columns, s.name)
		c.Series = append(c.Series, Series{s.name, Line, model})
	}
	c.Caption = fmt.Sprintf("The %s is nearest, off by %s requests on average. Kind of limiter by all responses: %s", best, num(least), cmp.Or(m.plan.Kind, "none"))
	if m.plan.Evidence != "" {
		c.Caption += " (" + strings.TrimSuffix(m.plan.Evidence, ".") + ")"
	}
	c.Caption += "."
	c.Table = table(len(seen), columns, func(i int) []string {
		row := []string{num(seen[i].X), spec.Number(k.Cumulative[i])}
		for _, model := range models {
			row = append(row, num(model[i].Y))
		}
		return row
	})
	return c, true
}

// follow runs the limiter over the times of sending and returns the mean difference to the responses, in requests. A point may
// stand for several requests.
func (m measured) follow(s staircase, seen []XY) (model []XY, off float64) {
	accepted := 0.0
	for _, p := range seen {
		for range max(1, m.key.Every) {
			if s.accept(p.X) {
				accepted++
			}
		}
		model = append(model, XY{p.X, accepted})
		off += math.Abs(accepted - p.Y)
	}
	return model, off / float64(len(seen))
}
