package figure

import (
	"fmt"

	"petconform/load/judge"
	"petconform/spec"
)

// answers shows the responses of each second by class, and the planned requests.
func (m measured) answers() Chart {
	all := m.plan.PerSecond
	steps := func(value func(s judge.SecondReport) int) (out []XY) {
		for i, s := range all {
			out = append(out, XY{m.minutes(float64(s.S)), float64(value(s))})
			if i+1 == len(all) || all[i+1].S > s.S+1 { // seconds without an answer are left out of the report: they are 0
				out = append(out, XY{m.minutes(float64(s.S + 1)), 0})
			}
		}
		return out
	}
	other := func(s judge.SecondReport) int { return s.Error4xx + s.Error5xx + s.None }
	others := 0
	for _, s := range all {
		others += other(s)
	}
	c := Chart{Title: "responses per second", Of: "requests", X: m.overTime(), Y: Axis{Label: "responses per second", Value: "%s"},
		Series: []Series{
			{"accepted", steps(func(s judge.SecondReport) int { return s.Accepted })},
			{"429", steps(func(s judge.SecondReport) int { return s.Limited })},
			{"planned", steps(func(s judge.SecondReport) int { return s.Planned })}}}
	if others > 0 {
		c.Series = append(c.Series, Series{"anything else", steps(other)})
	}
	c.Caption = fmt.Sprintf("%s: %s accepted, %s answered 429, %s with another response or none.", spec.Count(m.plan.Requests, "request"),
		spec.Number(m.plan.Accepted), spec.Number(m.plan.Limited), spec.Number(others))
	if len(all) > 0 {
		c.N, c.Table = m.plan.Requests, m.sums(all)
	}
	return c
}

// sums adds up the seconds, so that the table has at most MaxRows rows and leaves out no response.
func (m measured) sums(all []judge.SecondReport) Table {
	seconds := all[len(all)-1].S + 1
	wide := (seconds + MaxRows - 1) / MaxRows
	return table((seconds+wide-1)/wide, []string{"Minutes", "Planned", "Accepted", "429", "Other 4xx", "5xx", "No response"}, func(i int) []string {
		var n [6]int
		for _, s := range all {
			for column, v := range []int{s.Planned, s.Accepted, s.Limited, s.Error4xx, s.Error5xx, s.None} {
				if s.S/wide == i {
					n[column] += v
				}
			}
		}
		row := []string{m.minute.At(float64(i*wide)) + " to " + m.minute.At(float64(min((i+1)*wide, seconds)))}
		for _, v := range n {
			row = append(row, spec.Number(v))
		}
		return row
	})
}
