package judge

import (
	"encoding/json"
	"fmt"
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
	// Steps are the steps of time with a response, in their order.
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
	// Remaining is the smallest X-RateLimit-Remaining; -1 without one.
	Remaining int64 `json:"remaining"`
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
