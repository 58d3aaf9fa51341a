package figure

import (
	"math"

	"petconform/load/judge"
	"petconform/spec"
)

// times has the response times and the send lag by the percentiles for which there are enough requests: 100 for the
// 99th, 1,000 for 99.9. Requests that were sent later than it took to answer them show that the client was the
// bottleneck.
func (m measured) times() Table {
	t := Table{Columns: []string{"Milliseconds", "Requests", "50 %", "90 %", "99 %", "99.9 %", "100 %"}}
	for _, row := range []struct {
		name string
		q    judge.Quantiles
	}{{"accepted", m.plan.AcceptedMS}, {"accepted, from due", m.plan.DueMS}, {"answered 429", m.plan.LimitedMS}, {"sent late by", m.plan.LagMS}} {
		of := func(need int, ms float64) string {
			if row.q.N < need {
				return "–"
			}
			return num(ms)
		}
		if q := row.q; q.N > 0 {
			t.Rows = append(t.Rows, []string{row.name, spec.Number(q.N), of(1, q.P50), of(10, q.P90), of(100, q.P99), of(1000, q.P999), of(1, q.Max)})
		}
	}
	return t
}

// waits has the wait that each 429 asked for, and the response to the request after it.
func (m measured) waits() Table {
	all := m.plan.Waits
	next := map[bool]string{true: "accepted", false: "refused again"}
	return table(len(all), []string{"Minute", "Phase", "Asked for, s", "Waited, s", "Next request"}, func(i int) []string {
		w := all[i]
		return []string{m.minute.At(w.AtS), string(w.Phase), num(w.AdvertisedS), num(w.WaitedS), next[w.Accepted]}
	})
}

// keyTable has what would take a figure for each key: how much each was granted, and how far away its resets were.
func (m measured) keyTable() Table {
	t := Table{Columns: []string{"Key", "Most accepted in a minute", "Accepted in total", "Reset minus Date, seconds"}}
	for _, k := range m.keys {
		most, near, far := 0, math.Inf(1), -1.0
		for i, n := range k.InWindow {
			most = max(most, n)
			if s := k.ResetInS[i]; s >= 0 {
				near, far = math.Min(near, s), math.Max(far, s)
			}
		}
		resets := "none sent"
		if far >= 0 {
			resets = num(near) + " to " + num(far)
		}
		t.Rows = append(t.Rows, []string{k.Key, spec.Number(most), spec.Number(k.Cumulative[len(k.Cumulative)-1]), resets})
	}
	t.Left = max(0, m.plan.Keys-len(t.Rows))
	return t
}
