package figure

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"petconform/load/judge"
	"petconform/spec"
)

// answers shows the responses of each second by class, and the planned requests.
func (m measured) answers() (Chart, bool) {
	all := m.plan.PerSecond
	if len(all) == 0 {
		return Chart{}, false
	}
	column := func(value func(s judge.SecondReport) int) []XY {
		var out []XY
		for i, s := range all {
			out = append(out, XY{float64(s.S) / float64(m.minute), float64(value(s))})
			if i+1 == len(all) || all[i+1].S > s.S+1 { // seconds without an answer are left out of the report: they are 0
				out = append(out, XY{float64(s.S+1) / float64(m.minute), 0})
			}
		}
		return out
	}
	other := func(s judge.SecondReport) int { return s.Error4xx + s.Error5xx + s.None }
	others := 0
	for _, s := range all {
		others += other(s)
	}
	c := Chart{Title: "responses per second", N: m.plan.Requests, Of: "requests", X: m.overTime(), Y: Axis{Label: "responses per second", Value: "%s"},
		Series: []Series{
			{"accepted", Steps, column(func(s judge.SecondReport) int { return s.Accepted })},
			{"429", Steps, column(func(s judge.SecondReport) int { return s.Limited })},
			{"planned", Steps, column(func(s judge.SecondReport) int { return s.Planned })}}}
	if others > 0 {
		c.Series = append(c.Series, Series{"anything else", Steps, column(other)})
	}
	c.Caption = fmt.Sprintf("%s: %s accepted, %s answered 429, %s with another response or none.", spec.Count(m.plan.Requests, "request"),
		spec.Number(m.plan.Accepted), spec.Number(m.plan.Limited), spec.Number(others))
	c.Table = m.sums(all)
	return c, true
}

// sums adds up the seconds, so that the table has at most MaxRows rows and leaves out no response.
func (m measured) sums(all []judge.SecondReport) Table {
	seconds := all[len(all)-1].S + 1
	width := max(1, (seconds+MaxRows-1)/MaxRows)
	t := Table{Columns: []string{"Minutes", "Planned", "Accepted", "429", "Other 4xx", "5xx", "No response"}}
	for from := 0; from < seconds; from += width {
		var n [6]int
		for _, s := range all {
			if s.S >= from && s.S < from+width {
				for i, v := range []int{s.Planned, s.Accepted, s.Limited, s.Error4xx, s.Error5xx, s.None} {
					n[i] += v
				}
			}
		}
		row := []string{m.minute.At(float64(from)) + " to " + m.minute.At(float64(min(from+width, seconds)))}
		for _, v := range n {
			row = append(row, spec.Number(v))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// waits shows the Retry-After of each 429, and the response to the request after the wait.
func (m measured) waits() (Chart, bool) {
	all := m.plan.Waits
	if len(all) == 0 {
		return Chart{}, false
	}
	var through, refused []XY
	longest := 0.0
	for _, w := range all {
		longest = max(longest, w.AdvertisedS, w.WaitedS)
		if p := (XY{w.AdvertisedS, w.WaitedS}); w.Accepted {
			through = append(through, p)
		} else {
			refused = append(refused, p)
		}
	}
	c := Chart{Title: "Retry-After against the wait", N: len(all), Of: "waits", X: Axis{Label: "seconds advertised", Value: "%s s advertised"},
		Y:      Axis{Label: "seconds waited", Value: "%s s waited"},
		Series: []Series{{"accepted", Dots, through}, {"refused again", Dots, refused}, {"waited as advertised", Line, []XY{{0, 0}, {longest, longest}}}}}
	c.Caption = fmt.Sprintf("After %d of %s the next request was accepted; after %d it was refused again.", len(through), spec.Count(len(all), "wait"), len(refused))
	if len(refused) == 0 {
		c.Caption = fmt.Sprintf("The next request was accepted after every wait, %s in all.", spec.Count(len(through), "wait"))
	}
	c.Table = table(len(all), []string{"Minute", "Phase", "Advertised s", "Waited s", "Next request"}, func(i int) []string {
		next := "refused"
		if all[i].Accepted {
			next = "accepted"
		}
		return []string{m.minute.At(all[i].AtS), string(all[i].Phase), num(all[i].AdvertisedS), num(all[i].WaitedS), next}
	})
	return c, true
}

// latency shows the response times by percentile.
func (m measured) latency() (Chart, bool) {
	times := curve(m.keys, accepted)
	if len(times) < 2 {
		return Chart{}, false
	}
	c := Chart{Title: "response time, by percentile", N: m.plan.AcceptedMS.N, Of: "accepted requests",
		X: Axis{Label: "percentile", Value: "%s", Scale: Percentile}, Y: Axis{Label: "milliseconds", Value: "%s ms", Scale: Log},
		Series: []Series{{"accepted", Line, times}}}
	if refused := curve(m.keys, limited); len(refused) > 1 {
		c.Series = append(c.Series, Series{"429", Line, refused})
	}
	c.Caption = fmt.Sprintf("Accepted requests: %s.", Spread(m.plan.AcceptedMS))
	if m.last != nil {
		if last := curve(slices.DeleteFunc(slices.Clone(m.last.Series), func(s judge.Series) bool { return !whole(s) }), accepted); len(last) > 1 {
			c.Series = append(c.Series, Series{"accepted, last run", Line, last})
			c.Caption += fmt.Sprintf(" In the last run: %s.", Spread(m.last.AcceptedMS))
		}
	}
	c.Table = Table{Columns: []string{"Percentile", "Accepted ms", "429 ms"}}
	refused := percentiles(m.plan.LimitedMS)
	for i, p := range percentiles(m.plan.AcceptedMS) {
		if p.ms != "" || refused[i].ms != "" {
			c.Table.Rows = append(c.Table.Rows, []string{p.name, cmp.Or(p.ms, "–"), cmp.Or(refused[i].ms, "–")})
		}
	}
	return c, true
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
	var out []XY
	for i, v := range ms {
		out = append(out, XY{float64(len(ms)) / float64(len(ms)-i), v})
	}
	return out
}

// lag shows how late requests were sent. If the client was the bottleneck, the response times show nothing about the service.
func (m measured) lag() (Chart, bool) {
	if len(m.keys) == 0 {
		return Chart{}, false
	}
	k := m.keys[0]
	late := m.points(k, func(i int) float64 { return k.LagMS[i] }, nil)
	c := Chart{Title: "sent later than planned", N: len(late), Of: "requests", X: m.overTime(), Y: Axis{Label: "milliseconds late", Value: "%s ms late"},
		Series: []Series{{"request", Dots, late}}}
	c.Caption = fmt.Sprintf("How late requests were sent: %s. A delay longer than the response time means that the client was the bottleneck.%s",
		Spread(m.plan.LagMS), each(k))
	slowest := 0
	for i, p := range late {
		if p.Y > late[slowest].Y || math.IsNaN(late[slowest].Y) {
			slowest = i
		}
	}
	c.Table = table(len(late), []string{"Minute", "Milliseconds late"}, func(i int) []string { return []string{m.minute.At(k.S[i]), num(late[i].Y)} }, slowest)
	return c, true
}
