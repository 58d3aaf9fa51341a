package sample

import (
	"fmt"
	"math"
	"slices"

	"petconform/load/judge"
	"petconform/load/record"
)

// load is a load run of a Free key on a target with windows that begin with the first request: fill, recover, just under
// the limit, overload.
func load() judge.Report {
	p := judge.PlanReport{Plan: "Free", PerMinute: 60, PerDay: 1000, Keys: 2, Kind: "fixed window, from the first request",
		Evidence: "Retry-After counted down to the same moment in 3 of 3 bursts.", Figure: "minute"}
	var took, lag []float64
	for key := range 2 {
		p.Series = append(p.Series, series(&p, fmt.Sprintf("Free-%d", key+1), &took, &lag))
	}
	summarise(&p, took, lag)
	return judge.Report{Schema: judge.ReportSchema, MinuteS: 60, DayS: 86400, Phases: []record.Phase{record.Fill, record.Recover, record.Under, record.Overload},
		Plans: []judge.PlanReport{p}}
}

// series sends 61 requests in 2 s, one after the wait, 57 a minute for two minutes, then twice the plan for a minute.
// It adds the response times and the send lags.
func series(p *judge.PlanReport, key string, took, lag *[]float64) judge.Series {
	s := judge.Series{Key: key, Every: 1}
	var ends, used, taken = math.Inf(-1), 0, []float64{}
	send := func(at float64, phase int) {
		if at >= ends {
			ends, used = at+60, 0
		}
		used++
		n, status, left := len(s.N)+1, 200, max(0, 60-used)
		ms := 4 + 3*math.Abs(math.Sin(float64(n)*1.7)) + 40*math.Pow(math.Abs(math.Sin(float64(n)*0.37)), 40)
		if used > 60 {
			status, ms = 429, 0.8+math.Abs(math.Sin(float64(n)))
		} else {
			taken = append(taken, at)
		}
		within := 0
		for _, t := range taken {
			if t > at-60 {
				within++
			}
		}
		s.N, s.S, s.Status = append(s.N, n), append(s.S, at), append(s.Status, status)
		*took, *lag = append(*took, ms), append(*lag, 0.2+0.15*math.Sin(float64(n)))
		s.Remaining, s.ResetInS = append(s.Remaining, int64(left)), append(s.ResetInS, math.Ceil(ends-at))
		s.Cumulative, s.InWindow, s.Phase = append(s.Cumulative, len(taken)), append(s.InWindow, within), append(s.Phase, phase)
		second := int(at)
		for len(p.PerSecond) <= second {
			p.PerSecond = append(p.PerSecond, judge.SecondReport{S: len(p.PerSecond)})
		}
		p.PerSecond[second].Planned++
		if status == 200 {
			p.PerSecond[second].Accepted++
		} else {
			p.PerSecond[second].Limited++
		}
	}
	for i := range 61 {
		send(float64(i)*0.033, 0)
	}
	send(60.01, 1)
	for i := range 114 {
		send(121+float64(i)*1.05, 2)
	}
	for i := range 120 {
		send(245+float64(i)*0.5, 3)
	}
	p.Waits = append(p.Waits, judge.WaitReport{Key: key, Phase: record.Recover, AtS: 2, AdvertisedS: 58, WaitedS: 58.01, Accepted: true, Exchange: 62, AfterRefused: 61},
		judge.WaitReport{Key: key, Phase: record.Backoff, AtS: 305, AdvertisedS: 12, WaitedS: 16.2, Accepted: true, Exchange: 297, AfterRefused: 296})
	return s
}

func summarise(p *judge.PlanReport, took, lag []float64) {
	var ok, refused []float64
	for _, s := range p.Series {
		for i, status := range s.Status {
			ms := took[len(ok)+len(refused)]
			if status == 200 {
				ok = append(ok, ms)
			} else {
				refused = append(refused, ms)
			}
			if s.InWindow[i] > p.MostInWindow {
				p.MostInWindow, p.MostAtS = s.InWindow[i], s.S[i]
			}
		}
	}
	p.Requests, p.Accepted, p.Limited = len(ok)+len(refused), len(ok), len(refused)
	p.AcceptedMS, p.LimitedMS, p.LagMS = quantiles(ok), quantiles(refused), quantiles(lag)
	p.Spans = []judge.Span{{Phase: record.Fill, Round: 1, FromS: 0, ToS: 2, Sent: 61, Accepted: 60, Limited: 1},
		{Phase: record.Recover, Round: 1, FromS: 60, ToS: 60.1, Sent: 1, Accepted: 1},
		{Phase: record.Under, Round: 1, FromS: 121, ToS: 240, Sent: 114, Accepted: 114},
		{Phase: record.Overload, Round: 1, FromS: 245, ToS: 305, Sent: 120, Accepted: 60, Limited: 60}}
}

func quantiles(v []float64) judge.Quantiles {
	slices.Sort(v)
	at := func(q float64) float64 { return v[max(0, int(math.Ceil(q*float64(len(v))))-1)] }
	return judge.Quantiles{N: len(v), Mean: at(0.5), P50: at(0.5), P90: at(0.9), P99: at(0.99), P999: at(0.999), Max: at(1)}
}
