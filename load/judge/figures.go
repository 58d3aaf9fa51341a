package judge

import (
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	vegeta "github.com/tsenart/vegeta/v12/lib"

	"petconform/load/limiter"
	"petconform/load/record"
	"petconform/spec"
	"petconform/spec/verdict"
)

// figures gathers the measurements of a run.
func figures(rec *record.Recording, all []*View) Report {
	r := Report{Schema: ReportSchema, MinuteS: rec.Settings.Minute.Seconds(), DayS: rec.Settings.Day.Seconds()}
	for _, plan := range plans(all) {
		r.Plans = append(r.Plans, planReport(plan))
	}
	return r
}

func planReport(plan []*View) PlanReport {
	lane := plan[0].lane
	p := PlanReport{Plan: lane.Plan, PerMinute: lane.PerMinute, PerDay: lane.PerDay, Keys: len(plan), Figure: plan[0].figureShown()}
	p.Kind, p.Evidence = plan[0].kind()
	var accepted, limited, due, lag vegeta.LatencyMetrics
	seconds := map[int]*SecondReport{}
	second := func(d time.Duration) *SecondReport {
		s := int(d / time.Second)
		if seconds[s] == nil {
			seconds[s] = &SecondReport{S: s}
		}
		return seconds[s]
	}
	for _, v := range plan {
		for _, r := range v.own {
			lag.Add(r.Lag())
			second(r.Planned).Planned++
			switch s := second(r.Received()); {
			case r.Accepted():
				s.Accepted, p.Accepted = s.Accepted+1, p.Accepted+1
				accepted.Add(r.Done)
				due.Add(r.FromDue())
			case r.Limited():
				s.Limited, p.Limited = s.Limited+1, p.Limited+1
				limited.Add(r.Done)
			default:
				s.Other, p.Other = s.Other+1, p.Other+1
			}
		}
		if s, most, at := v.series(); most > p.MostInWindow {
			p.MostInWindow, p.MostAtS, p.Series = most, round3(at.Seconds()), []Series{s}
		}
	}
	p.Requests = p.Accepted + p.Limited + p.Other
	p.AcceptedMS, p.LimitedMS = quantiles(&accepted, p.Accepted), quantiles(&limited, p.Limited)
	p.DueMS, p.LagMS = quantiles(&due, p.Accepted), quantiles(&lag, p.Requests)
	for _, s := range slices.Sorted(maps.Keys(seconds)) {
		p.PerSecond = append(p.PerSecond, *seconds[s])
	}
	return p
}

// quantiles returns vegeta's percentiles of n times.
func quantiles(l *vegeta.LatencyMetrics, n int) Quantiles {
	if n == 0 {
		return Quantiles{}
	}
	ms := func(d time.Duration) float64 { return round3(float64(d) / float64(time.Millisecond)) }
	at := func(q float64) float64 { return ms(min(l.Quantile(q), l.Max)) }
	return Quantiles{N: n, P50: at(0.5), P90: at(0.9), P99: at(0.99), P999: at(0.999), Max: ms(l.Max)}
}

func round3(x float64) float64 { return math.Round(x*1000) / 1000 }

// series returns the requests of one key as columns, and the most that were accepted within a window, which ended at
// at.
func (v *View) series() (s Series, most int, at time.Duration) {
	s = Series{Key: v.lane.Label, Every: max(1, (len(v.own)+mostPoints-1)/mostPoints)}
	oldest, within := 0, 0
	for i, r := range v.own {
		if r.Accepted() {
			within++
		}
		for ; oldest < i && r.Received()-v.own[oldest].Received() >= v.window; oldest++ {
			if v.own[oldest].Accepted() {
				within--
			}
		}
		if within > most {
			most, at = within, r.Received()
		}
		if i%s.Every != s.Every-1 && i != len(v.own)-1 {
			continue
		}
		s.S, s.Status, s.InWindow = append(s.S, round3(r.Sent.Seconds())), append(s.Status, r.Status), append(s.InWindow, within)
		s.Remaining, s.ResetInS = append(s.Remaining, max(-1, r.Remaining)), append(s.ResetInS, max(-1, r.ResetIn.Seconds()))
	}
	return s, most, at
}

// kind returns the names of the kinds of limiter that explain all responses to the key, and the evidence. It is an
// observation (RATE-18), on which no verdict depends.
func (v *View) kind() (kind, evidence string) {
	var names []string
	for _, k := range v.minute.Explaining {
		names = append(names, k.Name)
	}
	slices.Sort(names)
	switch {
	case !slices.ContainsFunc(v.own, (*record.Record).Limited):
		return "none", "there was no 429"
	case !v.minute.Lawful():
		return "no lawful kind", "none explains all responses"
	}
	return strings.Join(names, ", or "), "explains all " + spec.Count(len(v.own), "response")
}

// figureShown returns PlanReport.Figure: the limit in X-RateLimit-Limit.
func (v *View) figureShown() string {
	shows := func(n int64) bool {
		return slices.ContainsFunc(v.own, func(r *record.Record) bool { return r.Limit == n })
	}
	switch minute, day := shows(v.lane.PerMinute), v.lane.PerDay > 0 && shows(v.lane.PerDay); {
	case minute && day:
		return "minute and day"
	case minute:
		return "minute"
	case day:
		return "day"
	case slices.ContainsFunc(v.own, func(r *record.Record) bool { return r.Limit != limiter.Absent }):
		return "other"
	}
	return "nothing"
}

// observe returns the observations of what the interface does not specify.
func (v *View) observe() []verdict.Observation {
	applies := "they apply"
	if len(v.bursts) > 0 && !slices.ContainsFunc(v.own, (*record.Record).Limited) {
		applies = "no request was ever refused"
	}
	kind, _ := v.kind() // without the evidence, whose counts differ in every run
	plan := v.lane.Plan
	return []verdict.Observation{
		{Requirement: "RATE-17", Key: plan + ": do the plan's limits apply", Value: applies},
		{Requirement: "RATE-18", Key: plan + ": kind of limiter", Value: kind},
		{Requirement: "RATE-18", Key: plan + ": figure in the headers", Value: v.figureShown()},
	}
}
