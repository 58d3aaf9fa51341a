package judge

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	vegeta "github.com/tsenart/vegeta/v12/lib"

	"petconform/load/record"
	"petconform/spec/verdict"
)

// ReportSchema names the format of Report. It changes if a field is removed or changes its meaning.
const ReportSchema = "petconform/load/3"

// Report is the load block of results.json: the measurements from which figures and tables are made. Names that end in
// S are seconds, and those that end in MS are milliseconds.
type Report struct {
	Schema string `json:"schema"`
	// MinuteS and DayS are the lengths of the target's minute and day.
	MinuteS float64 `json:"minuteS"`
	DayS    float64 `json:"dayS"`
	// Plans has one entry for each plan, in the order of the run.
	Plans []PlanReport `json:"plans"`
}

// PlanReport is what was measured on the keys of one plan.
type PlanReport struct {
	Plan string `json:"plan"`
	// PerMinute and PerDay are the plan's figures; PerDay 0 means none.
	PerMinute int64 `json:"perMinute"`
	PerDay    int64 `json:"perDay,omitempty"`
	Keys      int   `json:"keys"`
	Requests  int   `json:"requests"`
	Responses
	// Vegeta is what vegeta's own report has of the requests: status codes, rates, bytes and latencies from the sending.
	// What follows is what it lacks.
	Vegeta vegeta.Metrics `json:"vegeta"`
	// Kind names the kinds of limiter that explain every response. Figure says which limit X-RateLimit-Limit has: minute,
	// day, minute and day, or neither.
	Kind   string `json:"kind"`
	Figure string `json:"figure"`
	// MostInWindow is the largest number of requests that were accepted of one key within one of the target's minutes.
	MostInWindow int `json:"mostInWindow"`
	// AcceptedMS and LimitedMS are the response times of accepted and of refused requests, from the sending. DueMS are
	// those of accepted requests from when they were due. LagMS is how late this machine sent requests.
	AcceptedMS Quantiles `json:"acceptedMs"`
	LimitedMS  Quantiles `json:"limitedMs"`
	DueMS      Quantiles `json:"dueMs"`
	LagMS      Quantiles `json:"lagMs"`
	// Steps are the steps of time in which a request was due or a response came, in their order.
	Steps []Step `json:"steps,omitempty"`
}

// Responses counts responses: Accepted by the limiter, Limited by a 429, and Other, which include requests without one.
type Responses struct {
	Accepted int `json:"accepted"`
	Limited  int `json:"limited"`
	Other    int `json:"other"`
}

// StepsPerMinute is how many steps a minute of the target has: 60.
const StepsPerMinute = 60

// Step is what the responses of all keys of a plan say in a step of time, which begins S after the start of the run.
type Step struct {
	S float64 `json:"s"`
	Responses
	// Due is how many requests were due.
	Due int `json:"due"`
	// Remaining is the smallest X-RateLimit-Remaining; -1 without one. ResetS is the X-RateLimit-Reset of the last 429, in
	// seconds after the start of the run; 0 without one.
	Remaining int64   `json:"remaining"`
	ResetS    float64 `json:"resetS,omitempty"`
	// InWindow is the largest number of accepted requests of one key within a minute of the target that ends in the step.
	InWindow int `json:"inWindow"`
}

// Quantiles are vegeta's, which estimates them by a t-digest. N is the number of records; if it is 0, so are the others.
type Quantiles struct {
	N   int     `json:"n"`
	P50 float64 `json:"p50"`
	P90 float64 `json:"p90"`
	P99 float64 `json:"p99"`
	Max float64 `json:"max"`
}

// ParseReport reads the load block of results. The report of results without one has no schema.
func ParseReport(load json.RawMessage) (r Report, err error) {
	if len(load) == 0 || string(load) == "null" {
		return r, nil
	}
	if err := json.Unmarshal(load, &r); err != nil {
		return Report{}, fmt.Errorf("the load block of the results: %w", err)
	}
	if r.Schema != ReportSchema {
		return Report{}, fmt.Errorf("the load block of the results: the schema is %q; use a report of schema %q", r.Schema, ReportSchema)
	}
	return r, nil
}

// figures gathers the measurements of a run.
func figures(rec *record.Recording, all []*View) Report {
	r := Report{Schema: ReportSchema, MinuteS: rec.Settings.Minute.Seconds(), DayS: rec.Settings.Day.Seconds()}
	plans := map[string][]*View{} // the keys of each
	for _, v := range all {
		plans[v.lane.Plan] = append(plans[v.lane.Plan], v)
	}
	for _, v := range all {
		if own := plans[v.lane.Plan]; own[0] == v {
			r.Plans = append(r.Plans, planReport(own))
		}
	}
	return r
}

func planReport(plan []*View) PlanReport {
	lane := plan[0].lane
	p := PlanReport{Plan: lane.Plan, PerMinute: lane.PerMinute, PerDay: lane.PerDay, Keys: len(plan), Kind: plan[0].kind(),
		Figure: plan[0].figureShown()}
	var accepted, limited, due, lag vegeta.LatencyMetrics
	steps := map[time.Duration]*Step{}
	for _, v := range plan {
		oldest, within := 0, 0 // within counts the accepted requests from the oldest on
		for i, r := range v.own {
			p.Vegeta.Add(v.result(r))
			lag.Add(r.Lag())
			v.step(steps, max(0, r.Planned-r.PutOff)).Due++
			s := v.step(steps, r.Received())
			switch {
			case r.Accepted():
				s.Accepted, within = s.Accepted+1, within+1
				accepted.Add(r.Done)
				due.Add(r.FromDue())
			case r.Limited():
				s.Limited++
				limited.Add(r.Done)
				s.ResetS = round3(max(0, r.Received()+r.ResetIn).Seconds())
			default:
				s.Other++
			}
			for ; oldest < i && r.Received()-v.own[oldest].Received() >= v.window; oldest++ {
				if v.own[oldest].Accepted() {
					within--
				}
			}
			s.InWindow = max(s.InWindow, within)
			if r.Remaining >= 0 && (s.Remaining < 0 || r.Remaining < s.Remaining) {
				s.Remaining = r.Remaining
			}
		}
	}
	for _, at := range slices.Sorted(maps.Keys(steps)) {
		s := steps[at]
		p.Steps, p.MostInWindow = append(p.Steps, *s), max(p.MostInWindow, s.InWindow)
		p.Accepted, p.Limited, p.Other = p.Accepted+s.Accepted, p.Limited+s.Limited, p.Other+s.Other
	}
	p.Vegeta.Close()
	p.Requests = int(p.Vegeta.Requests)
	p.AcceptedMS, p.LimitedMS = quantiles(&accepted, p.Accepted), quantiles(&limited, p.Limited)
	p.DueMS, p.LagMS = quantiles(&due, p.Accepted), quantiles(&lag, p.Requests)
	return p
}

// result is a request as vegeta's Attacker had it.
func (v *View) result(r *record.Record) *vegeta.Result {
	res := &vegeta.Result{Code: uint16(r.Status), Timestamp: v.rec.Meta.Started.Add(r.Sent), Latency: r.Done,
		BytesOut: uint64(len(r.Like.Request.Body))}
	if x := r.Like.Response; x != nil {
		res.BytesIn = uint64(x.Size)
	}
	if r.Like.Failure != nil {
		res.Error = r.Like.Failure.Detail
	}
	return res
}

func (v *View) step(steps map[time.Duration]*Step, at time.Duration) *Step {
	begins := at.Truncate(max(1, v.window/StepsPerMinute))
	if steps[begins] == nil {
		steps[begins] = &Step{S: round3(begins.Seconds()), Remaining: -1}
	}
	return steps[begins]
}

func quantiles(l *vegeta.LatencyMetrics, n int) Quantiles {
	if n == 0 {
		return Quantiles{}
	}
	ms := func(d time.Duration) float64 { return round3(float64(d) / float64(time.Millisecond)) }
	at := func(q float64) float64 { return ms(min(l.Quantile(q), l.Max)) }
	return Quantiles{N: n, P50: at(0.5), P90: at(0.9), P99: at(0.99), Max: ms(l.Max)}
}

func round3(x float64) float64 { return math.Round(x*1000) / 1000 }

// kind returns the names of the kinds of limiter that explain all responses to the key. It is an observation (RATE-18), on
// which no verdict depends.
func (v *View) kind() string {
	var names []string
	for _, k := range v.minute.Explaining {
		names = append(names, k.Name)
	}
	slices.Sort(names)
	switch {
	case !slices.ContainsFunc(v.own, (*record.Record).Limited):
		return "none"
	case !v.minute.Lawful():
		return "no lawful kind"
	}
	return strings.Join(names, ", or ")
}

// figureShown returns PlanReport.Figure: the limits of the plan that X-RateLimit-Limit has.
func (v *View) figureShown() string {
	var names []string
	for i, limit := range []int64{v.lane.PerMinute, v.lane.PerDay} {
		if limit > 0 && slices.ContainsFunc(v.own, func(r *record.Record) bool { return r.Limit == limit }) {
			names = append(names, []string{"minute", "day"}[i])
		}
	}
	return cmp.Or(strings.Join(names, " and "), "neither")
}

// observe returns the observations of what the interface does not specify.
func (p *PlanReport) observe() []verdict.Observation {
	applies := "they apply"
	if p.Limited == 0 {
		applies = "no request was ever refused"
	}
	return []verdict.Observation{
		{Requirement: "RATE-17", Key: p.Plan + ": do the plan's limits apply", Value: applies},
		{Requirement: "RATE-18", Key: p.Plan + ": kind of limiter", Value: p.Kind},
		{Requirement: "RATE-18", Key: p.Plan + ": figure in the headers", Value: p.Figure},
	}
}
