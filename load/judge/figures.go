package judge

import (
	"maps"
	"math"
	"slices"
	"time"

	vegeta "github.com/tsenart/vegeta/v12/lib"

	"petconform/load/record"
)

// figures gathers the measurements of a run.
func figures(rec *record.Recording, all []*View, warnings []string) Report {
	r := Report{Schema: ReportSchema, MinuteS: rec.Settings.Minute.Seconds(), DayS: rec.Settings.Day.Seconds(), Phases: rec.Settings.Phases,
		Invalid: warnings}
	for _, plan := range plans(all) {
		r.Plans = append(r.Plans, planReport(rec, plan))
	}
	return r
}

func planReport(rec *record.Recording, plan []*View) PlanReport {
	first := plan[0]
	p := PlanReport{Plan: first.lane.Plan, PerMinute: first.lane.PerMinute, PerDay: first.lane.PerDay, Keys: len(plan), Figure: first.figureShown()}
	p.Kind, p.Evidence = first.kind()
	var all, accepted, limited vegeta.Metrics
	var due, lag vegeta.LatencyMetrics
	seconds := map[int]*SecondReport{}
	second := func(d time.Duration) *SecondReport {
		s := int(d / time.Second)
		if seconds[s] == nil {
			seconds[s] = &SecondReport{S: s}
		}
		return seconds[s]
	}
	for i, v := range plan {
		for _, r := range v.own {
			p.Requests++
			res := rec.Result(r)
			all.Add(&res)
			lag.Add(r.Lag())
			switch {
			case r.Accepted():
				p.Accepted++
				accepted.Add(&res)
				due.Add(r.FromDue())
			case r.Limited():
				p.Limited++
				limited.Add(&res)
			default:
				p.Other++
			}
			second(r.Planned).Planned++
			second(r.Received()).count(r)
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
	all.Close()
	p.Codes, p.BytesIn, p.BytesOut, p.PerSecondSent = all.StatusCodes, all.BytesIn.Total, all.BytesOut.Total, round3(all.Rate)
	p.AcceptedMS, p.LimitedMS = quantiles(&accepted.Latencies, p.Accepted), quantiles(&limited.Latencies, p.Limited)
	p.DueMS, p.LagMS = quantiles(&due, p.Accepted), quantiles(&lag, p.Requests)
	p.Spans = first.spans()
	for _, s := range slices.Sorted(maps.Keys(seconds)) {
		p.PerSecond = append(p.PerSecond, *seconds[s])
	}
	return p
}

// count adds a response to its second.
func (s *SecondReport) count(r *record.Record) {
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

func (v *View) waitReports() []WaitReport {
	var out []WaitReport
	for _, w := range v.minute.Waits {
		a, b := v.own[w.Refused], v.own[w.Next]
		out = append(out, WaitReport{Key: v.lane.Label, Phase: b.Phase, AtS: round3(b.Sent.Seconds()), AdvertisedS: w.Asked.Seconds(),
			WaitedS: round3(w.Waited.Seconds()), Accepted: !b.Limited(), FromReset: w.FromReset, Exchange: b.N, AfterRefused: a.N})
	}
	return out
}

func (v *View) spans() []Span {
	var out []Span
	of := func(p record.Phase, round int) *Span {
		for i := range slices.Backward(out) {
			if out[i].Phase == p && out[i].Round == round {
				return &out[i]
			}
		}
		return &Span{}
	}
	for _, n := range v.notes {
		switch n.Kind {
		case record.Began:
			out = append(out, Span{Phase: n.Phase, Round: n.Round, FromS: round3(n.At.Seconds())})
		case record.Ended:
			of(n.Phase, n.Round).ToS = round3(n.At.Seconds())
		}
	}
	for _, r := range v.own {
		s := of(r.Phase, r.Round)
		s.Sent++
		if r.Accepted() {
			s.Accepted++
		} else if r.Limited() {
			s.Limited++
		}
	}
	return out
}

// quantiles returns vegeta's percentiles of n times.
func quantiles(l *vegeta.LatencyMetrics, n int) Quantiles {
	if n == 0 {
		return Quantiles{}
	}
	at := func(q float64) float64 { return round3(ms(min(l.Quantile(q), l.Max))) }
	return Quantiles{N: n, Mean: round3(ms(l.Total) / float64(n)), P50: at(0.5), P90: at(0.9), P99: at(0.99), P999: at(0.999), Max: round3(ms(l.Max))}
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

func round3(x float64) float64 { return math.Round(x*1000) / 1000 }

// series returns the requests of one key as columns, and the most that were accepted within a window, which ended at
// at.
func (v *View) series(rec *record.Recording) (s Series, most int, at time.Duration) {
	every := max(1, (len(v.own)+MaxPoints-1)/MaxPoints)
	s = Series{Key: v.lane.Label, Every: every}
	cumulative, oldest := 0, 0
	within := 0
	for i, r := range v.own {
		if r.Accepted() {
			cumulative++
			within++
		}
		for oldest < i && r.Received()-v.own[oldest].Received() >= v.window {
			if v.own[oldest].Accepted() {
				within--
			}
			oldest++
		}
		if within > most {
			most, at = within, r.Received()
		}
		if i%every != every-1 && i != len(v.own)-1 {
			continue
		}
		s.N, s.S, s.Status = append(s.N, r.N), append(s.S, round3(r.Sent.Seconds())), append(s.Status, r.Status)
		remaining, resetIn := int64(-1), -1.0
		if r.Remaining.Known() {
			remaining = int64(r.Remaining)
		}
		if in, ok := r.ResetIn(); ok {
			resetIn = in.Seconds()
		}
		s.Remaining, s.ResetInS = append(s.Remaining, remaining), append(s.ResetInS, resetIn)
		s.Cumulative, s.InWindow = append(s.Cumulative, cumulative), append(s.InWindow, within)
		s.Phase = append(s.Phase, slices.Index(rec.Settings.Phases, r.Phase))
	}
	return s, most, at
}
