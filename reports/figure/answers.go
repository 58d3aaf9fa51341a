package figure

import (
	"cmp"
	"fmt"
	"slices"

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
			{"accepted", Steps, steps(func(s judge.SecondReport) int { return s.Accepted })},
			{"429", Steps, steps(func(s judge.SecondReport) int { return s.Limited })},
			{"planned", Steps, steps(func(s judge.SecondReport) int { return s.Planned })}}}
	if others > 0 {
		c.Series = append(c.Series, Series{"anything else", Steps, steps(other)})
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

// waits shows the Retry-After of each 429, and the response to the request after the wait.
func (m measured) waits() Chart {
	all := m.plan.Waits
	c := Chart{Title: "Retry-After against the wait", Of: "waits", X: Axis{Label: "seconds advertised", Value: "%s s advertised"},
		Y: Axis{Label: "seconds waited", Value: "%s s waited"}}
	next, points, longest := map[bool]string{true: "accepted", false: "refused again"}, map[bool][]XY{}, 0.0
	for _, w := range all {
		longest = max(longest, w.AdvertisedS, w.WaitedS)
		points[w.Accepted] = append(points[w.Accepted], XY{w.AdvertisedS, w.WaitedS})
	}
	c.add(next[true], Dots, points[true])
	c.add(next[false], Dots, points[false])
	c.Series = append(c.Series, Series{"waited as advertised", Line, []XY{{0, 0}, {longest, longest}}})
	c.Table = table(len(all), []string{"Minute", "Phase", "Advertised s", "Waited s", "Next request"}, func(i int) []string {
		w := all[i]
		return []string{m.minute.At(w.AtS), string(w.Phase), num(w.AdvertisedS), num(w.WaitedS), next[w.Accepted]}
	})
	c.Caption = fmt.Sprintf("The next request was accepted after every wait, %s in all.", spec.Count(len(all), "wait"))
	if refused := len(points[false]); refused > 0 {
		c.Caption = fmt.Sprintf("After %d of %s the next request was accepted; after %d it was refused again.",
			len(points[true]), spec.Count(len(all), "wait"), refused)
	}
	return c
}

// latency shows the response times by percentile.
func (m measured) latency() Chart {
	c := Chart{Title: "response time, by percentile", Of: "accepted requests",
		X: Axis{Label: "percentile", Value: "%s", Scale: Percentile}, Y: Axis{Label: "milliseconds", Value: "%s ms", Scale: Log}}
	times := curve(m.keys, accepted)
	if len(times) < 2 {
		return c
	}
	c.N, c.Series = m.plan.AcceptedMS.N, []Series{{"accepted", Line, times}}
	c.Caption = fmt.Sprintf("Accepted requests: %s.", Spread(m.plan.AcceptedMS))
	if refused := curve(m.keys, limited); len(refused) > 1 {
		c.Series = append(c.Series, Series{"429", Line, refused})
	}
	if last := curve(complete(m.last.Series), accepted); len(last) > 1 {
		c.Series = append(c.Series, Series{"accepted, last run", Line, last})
		c.Caption += fmt.Sprintf(" In the last run: %s.", Spread(m.last.AcceptedMS))
	}
	c.Table = Table{Columns: []string{"Percentile", "Accepted ms", "429 ms"}}
	refused := percentiles(m.plan.LimitedMS)
	for i, p := range percentiles(m.plan.AcceptedMS) {
		if p.ms != "" || refused[i].ms != "" {
			c.Table.Rows = append(c.Table.Rows, []string{p.name, cmp.Or(p.ms, "–"), cmp.Or(refused[i].ms, "–")})
		}
	}
	return c
}

// curve returns the times by 1/(1-p) of the responses of all keys whose status is of that class.
func curve(keys []judge.Series, class func(status int) bool) []XY {
	var ms []float64
	for _, k := range keys {
		for i, v := range k.MS {
			if class(k.Status[i]) {
				ms = append(ms, v)
			}
		}
	}
	slices.Sort(ms)
	out := make([]XY, len(ms))
	for i, v := range ms {
		out[i] = XY{float64(len(ms)) / float64(len(ms)-i), v}
	}
	return out
}

// lag shows how late requests were sent. If the client was the bottleneck, the response times show nothing about the
// service.
func (m measured) lag() Chart {
	k := m.keys[0]
	c := Chart{Title: "sent later than planned", Of: "requests", X: m.overTime(), Y: Axis{Label: "milliseconds late", Value: "%s ms late"}}
	c.add("request", Dots, over(m, k, k.LagMS))
	c.Caption = fmt.Sprintf("How late requests were sent: %s. A delay longer than the response time means that the client was the bottleneck.%s",
		Spread(m.plan.LagMS), each(k))
	c.Table = m.table(k, "Milliseconds late", func(i int) string { return num(k.LagMS[i]) }, slices.Index(k.LagMS, slices.Max(k.LagMS)))
	return c
}
