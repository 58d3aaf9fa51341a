package judge

import (
	"math"
	"slices"
	"time"

	"petconform/load/record"
)

// figures gathers the measurements of a run.
func figures(rec *record.Recording, all []*view) Report {
	r := Report{Schema: ReportSchema, MinuteS: rec.Settings.Minute.Seconds(), DayS: rec.Settings.Day.Seconds(), Phases: rec.Settings.Phases}
	r.Invalid = warnings(rec, all)
	for _, plan := range plans(all) {
		r.Plans = append(r.Plans, planReport(rec, plan))
	}
	return r
}

func planReport(rec *record.Recording, plan []*view) PlanReport {
	first := plan[0]
	p := PlanReport{Plan: first.lane.Plan, PerMinute: first.lane.PerMinute, PerDay: first.lane.PerDay, Keys: len(plan), Figure: first.figureShown()}
	p.Kind, p.Evidence = first.kind()
	var accepted, limited, lag []float64
	seconds := map[int]*SecondReport{}
	for i, v := range plan {
		for _, r := range v.own {
			p.Requests++
			lag = append(lag, ms(r.Lag()))
			switch {
			case r.Accepted():
				p.Accepted++
				accepted = append(accepted, ms(r.Done))
			case r.Limited():
				p.Limited++
				limited = append(limited, ms(r.Done))
			default:
				p.Other++
			}
			second(seconds, r)
		}
		series, most, at := v.series(rec)
		if most > p.MostInWindow {
			p.MostInWindow, p.MostAtS = most, round3(at.Seconds())
		}
		if i < MaxSeries {
			p.Series = append(p.Series, series)
		}
		if i < MaxListed {
			p.Waits = append(p.Waits, v.waitReports()...)
		}
	}
	p.AcceptedMS, p.LimitedMS, p.LagMS = quantiles(accepted), quantiles(limited), quantiles(lag)
	p.Spans = first.spans()
	for _, s := range seconds {
		p.PerSecond = append(p.PerSecond, *s)
	}
	slices.SortFunc(p.PerSecond, func(a, b SecondReport) int { return a.S - b.S })
	return p
}

func second(all map[int]*SecondReport, r *record.Record) {
	at := func(d time.Duration) *SecondReport {
		s := int(d / time.Second)
		if all[s] == nil {
			all[s] = &SecondReport{S: s}
		}
		return all[s]
	}
	at(r.Planned).Planned++
	s := at(r.Received())
	switch {
	case r.Status == 0:
		s.None++
	case r.Limited():
		s.Limited++
	case r.Status >= 500:
		s.Error5xx++
	case r.Status >= 400:
		s.Error4xx++
	default:
		s.Accepted++
	}
}

func (v *view) waitReports() []WaitReport {
	byWait, byReset := v.comebacks()
	var out []WaitReport
	for _, m := range append(byWait, byReset...) {
		out = append(out, WaitReport{Key: v.lane.Label, Phase: m.next.Phase, AtS: round3(m.next.Sent.Seconds()), AdvertisedS: m.asked.Seconds(),
			WaitedS: round3(m.waited.Seconds()), Accepted: !m.next.Limited(), FromReset: m.fromReset, Exchange: m.next.N, AfterRefused: m.refused.N})
	}
	return out
}

func (v *view) spans() []Span {
	var out []Span
	for _, n := range v.notes {
		switch n.Kind {
		case record.Began:
			out = append(out, Span{Phase: n.Phase, Round: n.Round, FromS: round3(n.At.Seconds())})
		case record.Ended:
			for i := len(out) - 1; i >= 0; i-- {
				if out[i].Phase == n.Phase && out[i].Round == n.Round {
					out[i].ToS = round3(n.At.Seconds())
					break
				}
			}
		}
	}
	for i := range out {
		for _, r := range v.of(out[i].Phase, out[i].Round) {
			out[i].Sent++
			if r.Accepted() {
				out[i].Accepted++
			} else if r.Limited() {
				out[i].Limited++
			}
		}
	}
	return out
}

// quantiles computes exact quantiles. It sorts, since all numbers of a run fit in memory.
func quantiles(all []float64) Quantiles {
	q := Quantiles{N: len(all)}
	if q.N == 0 {
		return q
	}
	slices.Sort(all)
	sum := 0.0
	for _, x := range all {
		sum += x
	}
	at := func(p float64) float64 { return round3(all[min(q.N-1, int(math.Ceil(p*float64(q.N)))-1)]) }
	q.Mean, q.P50, q.P90, q.P99, q.P999, q.Max = round3(sum/float64(q.N)), at(0.5), at(0.9), at(0.99), at(0.999), round3(all[q.N-1])
	return q
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

func round3(x float64) float64 { return math.Round(x*1000) / 1000 }
