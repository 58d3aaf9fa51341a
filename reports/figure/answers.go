package figure

import (
	"fmt"
	"math"

	"petconform/load/judge"
	"petconform/spec"
)

// answers shows the responses of each second, and the planned requests.
func (m measured) answers() (Chart, bool) {
	all := m.plan.PerSecond
	if len(all) == 0 {
		return Chart{}, false
	}
	column := func(value func(s judge.SecondReport) int) []XY {
		var out []XY
		for i, s := range all {
			out = append(out, XY{float64(s.S), float64(value(s))})
			if i+1 == len(all) || all[i+1].S > s.S+1 { // seconds without an answer are left out of the report: they are 0
				out = append(out, XY{float64(s.S + 1), 0})
			}
		}
		return out
	}
	other := func(s judge.SecondReport) int { return s.Error4xx + s.Error5xx + s.None }
	others := 0
	for _, s := range all {
		others += other(s)
	}
	c := Chart{Title: "responses per second", N: m.plan.Requests, Of: "requests", X: overTime, Y: Axis{Label: "responses per second", Max: fromZero},
		Series: []Series{
			{"accepted", Steps, column(func(s judge.SecondReport) int { return s.Accepted })},
			{"429", Steps, column(func(s judge.SecondReport) int { return s.Limited })},
			{"planned", Steps, column(func(s judge.SecondReport) int { return s.Planned })},
			{"anything else", Steps, column(other)}}}
	c.Caption = fmt.Sprintf("%s: %s accepted, %s answered 429, %s with another response or none.", spec.Count(m.plan.Requests, "request"), spec.Number(m.plan.Accepted), spec.Number(m.plan.Limited), spec.Number(others))
	c.Table = sums(all)
	return c, true
}

// sums adds up the seconds, so that the table has at most MaxRows rows and leaves out no response.
func sums(all []judge.SecondReport) Table {
	seconds := all[len(all)-1].S + 1
	width := max(1, (seconds+MaxRows-1)/MaxRows)
	t := Table{Columns: []string{"Seconds", "Planned", "Accepted", "429", "Other 4xx", "5xx", "No response"}}
	for from := 0; from < seconds; from += width {
		var n [6]int
		for _, s := range all {
			if s.S >= from && s.S < from+width {
				for i, v := range []int{s.Planned, s.Accepted, s.Limited, s.Error4xx, s.Error5xx, s.None} {
					n[i] += v
				}
			}
		}
		row := []string{fmt.Sprintf("%d to %d", from, min(from+width, seconds))}
		for _, v := range n {
			row = append(row, spec.Number(v))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// waits shows the Retry-After of each 429, and the response to the request after the wait.
func (m measured) waits() (Chart, bool) {
	if len(m.plan.Waits) == 0 {
		return Chart{}, false
	}
	var through, refused []XY
	longest := 0.0
	for _, w := range m.plan.Waits {
		p := XY{w.AdvertisedS, w.WaitedS}
		longest = math.Max(longest, math.Max(p.X, p.Y))
		if w.Accepted {
			through = append(through, p)
		} else {
			refused = append(refused, p)
		}
	}
	c := Chart{Title: "Retry-After against the wait", N: len(m.plan.Waits), Of: "waits", X: Axis{Label: "seconds advertised", Max: fromZero}, Y: Axis{Label: "seconds waited", Max: fromZero},
		Series: []Series{{"accepted", Dots, through}, {"refused again", Dots, refused}, {"waited as advertised", Line, []XY{{0, 0}, {longest, longest}}}}}
	c.Caption = fmt.Sprintf("After %d of %s the next request was accepted; after %d it was refused again.", len(through), spec.Count(len(m.plan.Waits), "wait"), len(refused))
	if len(refused) == 0 {
		c.Caption = fmt.Sprintf("The next request was accepted after every wait, %s in all.", spec.Count(len(through), "wait"))
	}
	c.Table = table(len(m.plan.Waits), []string{"Second", "Phase", "Advertised s", "Waited s", "Next request"}, func(i int) []string {
		w := m.plan.Waits[i]
		next := "refused"
		if w.Accepted {
			next = "accepted"
		}
		return []string{num(w.AtS), string(w.Phase), num(w.AdvertisedS), num(w.WaitedS), next}
	})
	return c, true
}

// lag shows how late requests were sent. If the client was the bottleneck, the response times show nothing about the service.
func (m measured) lag() (Chart, bool) {
	k := m.key
	if !whole(k) {
		return Chart{}, false
	}
	late := m.points(func(i int) float64 { return k.LagMS[i] }, nil)
	q := m.plan.LagMS
	c := Chart{Title: "sent later than planned", N: q.N, Of: "requests", X: overTime, Y: Axis{Label: "milliseconds late", Max: fromZero},
		Series: []Series{{"late by", Dots, late}}}
	c.Caption = fmt.Sprintf("How late requests were sent: %s. A delay longer than the response time means that the client was the bottleneck.", Spread(q))
	c.Table = table(len(late), []string{"Second", "Milliseconds late"}, func(i int) []string { return []string{num(late[i].X), num(late[i].Y)} })
	return c, true
}

// keys repeats the chart of window for each key, on the same axes, so that a key which is limited differently stands out.
func (m measured) keys() (Chart, bool) {
	if len(m.plan.Series) < 2 {
		return Chart{}, false
	}
	c := Chart{Title: "accepted within any minute, key by key", Of: "keys", X: overTime, Y: Axis{Label: "accepted in the minute before", Max: fromZero}}
	if m.plan.PerMinute > 0 {
		c.Levels = []Rule{{float64(m.plan.PerMinute), "plan " + spec.Number(m.plan.PerMinute)}}
	}
	over := 0
	var rows [][]string
	for _, s := range m.plan.Series {
		if !whole(s) {
			continue
		}
		one := measured{key: s}
		counts := one.points(func(i int) float64 { return float64(s.InWindow[i]) }, nil)
		c.Panels = append(c.Panels, Series{s.Key, Steps, counts})
		most := highest(counts)
		if most > float64(m.plan.PerMinute) {
			over++
		}
		rows = append(rows, []string{s.Key, spec.Number(len(s.S)), num(most), spec.Number(s.Cumulative[len(s.Cumulative)-1])})
	}
	if c.N = len(c.Panels); c.N == 0 {
		return Chart{}, false
	}
	c.Caption = fmt.Sprintf("%d of %s had more than %s requests accepted within one minute.", over, spec.Count(c.N, "key"), spec.Number(m.plan.PerMinute))
	if left := m.plan.Keys - c.N; left > 0 {
		c.Caption += fmt.Sprintf(" The recording has %s more.", spec.Count(left, "key"))
	}
	c.Table = Table{Columns: []string{"Key", "Points", "Most in a minute", "Accepted in total"}, Rows: rows}
	return c, true
}
