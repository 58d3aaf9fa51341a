package figure

import (
	"petconform/load/judge"
	"petconform/load/record"
	"petconform/spec"
)

// Named is a table with its name.
type Named struct {
	Name string
	Table
}

// tables are the numbers of a plan that take no figure. The judge's own numbers of rounds only distinguish them; here
// those of each phase count from 1.
func (m measured) tables() []Named {
	rounds := Table{Columns: []string{"Phase", "From minute", "To minute", "Sent", "Accepted", "429"}}
	counts := map[record.Phase]int{}
	for _, s := range m.plan.Spans {
		counts[s.Phase]++
		rounds.Rows = append(rounds.Rows, []string{string(s.Phase) + " " + spec.Number(counts[s.Phase]),
			m.at(s.FromS), m.at(s.ToS), spec.Number(s.Sent), spec.Number(s.Accepted), spec.Number(s.Limited)})
	}
	waits := Table{Columns: []string{"Minute", "Phase", "Asked for, s", "Waited, s", "Next request"}}
	next := map[bool]string{true: "accepted", false: "refused again"}
	for i, w := range m.plan.Waits {
		if i == maxRows {
			waits.Left = len(m.plan.Waits) - i
			break
		}
		waits.Rows = append(waits.Rows,
			[]string{m.at(w.AtS), string(w.Phase), num(w.AdvertisedS), num(w.WaitedS), next[w.Accepted]})
	}
	return []Named{{"Phases of the first key", rounds}, {"Response times and send lag, by percentile", m.times()},
		{"Waits after a 429", waits}}
}

// times has the response times and the send lag by the percentiles for which there are enough requests: 100 for the
// 99th, 1,000 for 99.9. Requests that were sent later than it took to answer them show that the client was the
// bottleneck.
func (m measured) times() Table {
	t := Table{Columns: []string{"Milliseconds", "Requests", "50 %", "90 %", "99 %", "99.9 %", "100 %"}}
	for _, row := range []struct {
		name string
		q    judge.Quantiles
	}{{"accepted", m.plan.AcceptedMS}, {"accepted, from due", m.plan.DueMS}, {"answered 429", m.plan.LimitedMS},
		{"sent late by", m.plan.LagMS}} {
		of := func(need int, ms float64) string {
			if row.q.N < need {
				return "–"
			}
			return num(ms)
		}
		if q := row.q; q.N > 0 {
			t.Rows = append(t.Rows, []string{row.name, spec.Number(q.N), of(1, q.P50), of(10, q.P90), of(100, q.P99),
				of(1000, q.P999), of(1, q.Max)})
		}
	}
	return t
}
