package judge

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"petconform/load/record"
	"petconform/spec"
	"petconform/spec/verdict"
)

// ReportSchema names the format of Report. It changes if a field is removed or changes its meaning.
const ReportSchema = "petconform/load/1"

// Report is the load block of results.json: the measurements from which figures and tables are made. Names that end in
// S are seconds, and those that end in MS are milliseconds. AtS, FromS, ToS, MostAtS and S count from the start of the
// run.
type Report struct {
	Schema string `json:"schema"`
	// MinuteS and DayS are the lengths of the target's minute and day.
	MinuteS float64 `json:"minuteS"`
	DayS    float64 `json:"dayS"`
	// Phases are the phases that were planned.
	Phases []record.Phase `json:"phases"`
	// Invalid has the warnings of the run, such as a clock that jumped or someone else who used a key.
	Invalid []string `json:"invalid,omitempty"`
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
	// Requests is the number of requests sent. Of these the limiter accepted Accepted, Limited were answered 429, and
	// Other are the rest.
	Requests int `json:"requests"`
	Accepted int `json:"accepted"`
	Limited  int `json:"limited"`
	Other    int `json:"other"`
	// Kind names the kinds of limiter that explain every response, and Evidence has the numbers of responses. Figure
	// says which limit X-RateLimit-Limit has: minute, day, minute and day, other or nothing.
	Kind     string `json:"kind"`
	Evidence string `json:"evidence"`
	Figure   string `json:"figure"`
	// Waits are the requests after Retry-After or Reset.
	Waits []WaitReport `json:"waits,omitempty"`
	// MostInWindow is the largest number of requests that were accepted within one of the target's minutes, which ended
	// at MostAtS.
	MostInWindow int     `json:"mostInWindow"`
	MostAtS      float64 `json:"mostAtS"`
	// Codes counts the responses by status, 0 for none. BytesIn and BytesOut are the bytes of bodies, and PerSecondSent is the
	// mean rate. These and the percentiles are vegeta's Metrics.
	Codes         map[string]int `json:"codes,omitempty"`
	BytesIn       uint64         `json:"bytesIn,omitempty"`
	BytesOut      uint64         `json:"bytesOut,omitempty"`
	PerSecondSent float64        `json:"perSecondSent,omitempty"`
	// AcceptedMS and LimitedMS are the response times of accepted and of refused requests, from the sending. DueMS are
	// those of accepted requests from when they were due. LagMS is how late this machine sent requests.
	AcceptedMS Quantiles `json:"acceptedMs"`
	LimitedMS  Quantiles `json:"limitedMs"`
	DueMS      Quantiles `json:"dueMs"`
	LagMS      Quantiles `json:"lagMs"`
	// Spans are the rounds of phases of the first key.
	Spans []Span `json:"spans,omitempty"`
	// PerSecond counts the responses of all keys of the plan, by class.
	PerSecond []SecondReport `json:"perSecond,omitempty"`
	// Series has one series for each of the first MaxSeries keys.
	Series []Series `json:"series,omitempty"`
}

// WaitReport is a request, sent at AtS, that waited WaitedS after a 429. The 429 asked to wait AdvertisedS: by Reset
// minus Date if FromReset is set, else by Retry-After.
type WaitReport struct {
	Key          string       `json:"key"`
	Phase        record.Phase `json:"phase"`
	AtS          float64      `json:"atS"`
	AdvertisedS  float64      `json:"advertisedS"`
	WaitedS      float64      `json:"waitedS"`
	Accepted     bool         `json:"accepted"`
	FromReset    bool         `json:"fromReset,omitempty"`
	Exchange     int          `json:"exchange"`
	AfterRefused int          `json:"afterExchange"`
}

// Quantiles are vegeta's, which estimates them by a t-digest. N is the number of records; if it is 0, so are the others.
type Quantiles struct {
	N    int     `json:"n"`
	Mean float64 `json:"mean"`
	P50  float64 `json:"p50"`
	P90  float64 `json:"p90"`
	P99  float64 `json:"p99"`
	P999 float64 `json:"p999"`
	Max  float64 `json:"max"`
}

// Span is one round of a phase.
type Span struct {
	Phase    record.Phase `json:"phase"`
	Round    int          `json:"round"`
	FromS    float64      `json:"fromS"`
	ToS      float64      `json:"toS"`
	Sent     int          `json:"sent"`
	Accepted int          `json:"accepted"`
	Limited  int          `json:"limited"`
}

// SecondReport counts the responses of one second of the run.
type SecondReport struct {
	S        int `json:"s"`
	Accepted int `json:"accepted,omitempty"`
	Limited  int `json:"limited,omitempty"`
	Error4xx int `json:"error4xx,omitempty"`
	Error5xx int `json:"error5xx,omitempty"`
	None     int `json:"none,omitempty"`
	// Planned counts the requests that were due in this second.
	Planned int `json:"planned,omitempty"`
}

// Bounds of a report. The recording has everything. A plan has the series of the first MaxSeries keys, and the waits of
// the first MaxListed. A series has about MaxPoints points.
const (
	MaxSeries = 8
	MaxListed = 64
	MaxPoints = 4000
)

// Series has the requests of one key as columns of equal length, in the order of sending. If there are more than
// MaxPoints, it has every Every-th request and the last one. Cumulative and InWindow count all requests.
type Series struct {
	Key   string `json:"key"`
	Every int    `json:"every"`
	// N is the number of the exchange, S the time at which its request was sent, and Status the HTTP status, or 0
	// without a response.
	N      []int     `json:"n"`
	S      []float64 `json:"s"`
	Status []int     `json:"status"`
	// Remaining is X-RateLimit-Remaining, and ResetInS is X-RateLimit-Reset minus Date; -1 without one.
	Remaining []int64   `json:"remaining"`
	ResetInS  []float64 `json:"resetInS"`
	// Cumulative counts the accepted requests so far, and InWindow those of the window that ends here.
	Cumulative []int `json:"cumulative"`
	InWindow   []int `json:"inWindow"`
	// Phase is the index of the phase in Report.Phases.
	Phase []int `json:"phase"`
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

// kind returns the names of the kinds of limiter that explain all responses to the key, and the evidence. It is an
// observation (RATE-18), on which no verdict depends.
func (v *View) kind() (kind, evidence string) {
	accepted, refused := count(v.own, (*record.Record).Accepted), count(v.own, (*record.Record).Limited)
	if refused == 0 {
		return "none", "there was no 429"
	}
	all := fmt.Sprintf("all responses, %s accepted and %s refused", spec.Number(accepted), spec.Number(refused))
	if !v.minute.Lawful() {
		return "no lawful kind", "no lawful kind explains " + all
	}
	var names []string
	for _, k := range v.minute.Explaining {
		names = append(names, k.Name)
	}
	slices.Sort(names)
	if len(names) == 1 {
		return names[0], "it alone explains " + all
	}
	return strings.Join(names, ", or "), "each explains " + all
}

// figureShown returns PlanReport.Figure: the limit in X-RateLimit-Limit.
func (v *View) figureShown() string {
	shows := func(is func(n int64) bool) bool {
		return slices.ContainsFunc(v.own, func(r *record.Record) bool { return r.Limit.Known() && is(int64(r.Limit)) })
	}
	minute, day := shows(func(n int64) bool { return n == v.lane.PerMinute }), shows(func(n int64) bool { return n == v.lane.PerDay })
	switch {
	case minute && day:
		return "minute and day"
	case minute:
		return "minute"
	case day:
		return "day"
	case shows(func(int64) bool { return true }):
		return "other"
	}
	return "nothing"
}

// observe returns the observations of what the interface does not specify.
func (v *View) observe() []verdict.Observation {
	applies := "they apply"
	if len(v.burstsOf(record.Fill)) > 0 && !slices.ContainsFunc(v.own, (*record.Record).Limited) {
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
