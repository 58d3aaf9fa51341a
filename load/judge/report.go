package judge

import (
	"encoding/json"
	"fmt"
)

// ReportSchema names the format of Report. It changes if a field is removed or changes its meaning.
const ReportSchema = "petconform/load/2"

// Report is the load block of results.json: the measurements from which figures and tables are made. Names that end in
// S are seconds, and those that end in MS are milliseconds. MostAtS and S count from the start of the run.
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
	// MostInWindow is the largest number of requests that were accepted within one of the target's minutes, which ended
	// at MostAtS.
	MostInWindow int     `json:"mostInWindow"`
	MostAtS      float64 `json:"mostAtS"`
	// AcceptedMS and LimitedMS are the response times of accepted and of refused requests, from the sending. DueMS are
	// those of accepted requests from when they were due. LagMS is how late this machine sent requests.
	AcceptedMS Quantiles `json:"acceptedMs"`
	LimitedMS  Quantiles `json:"limitedMs"`
	DueMS      Quantiles `json:"dueMs"`
	LagMS      Quantiles `json:"lagMs"`
	// PerSecond counts the responses of all keys of the plan, by class.
	PerSecond []SecondReport `json:"perSecond,omitempty"`
	// Series has that of the key to which most was granted, if any was.
	Series []Series `json:"series,omitempty"`
}

// Quantiles are vegeta's, which estimates them by a t-digest. N is the number of records; if it is 0, so are the others.
type Quantiles struct {
	N    int     `json:"n"`
	P50  float64 `json:"p50"`
	P90  float64 `json:"p90"`
	P99  float64 `json:"p99"`
	P999 float64 `json:"p999"`
	Max  float64 `json:"max"`
}

// SecondReport counts the responses of one second of the run.
type SecondReport struct {
	S        int `json:"s"`
	Accepted int `json:"accepted,omitempty"`
	Limited  int `json:"limited,omitempty"`
	Other    int `json:"other,omitempty"`
	// Planned counts the requests that were due in this second.
	Planned int `json:"planned,omitempty"`
}

// mostPoints is about how many points a series has. The recording has everything.
const mostPoints = 4000

// Series has the requests of one key as columns of equal length, in the order of sending. If there are more than
// mostPoints, it has every Every-th request and the last one. InWindow counts all requests.
type Series struct {
	Key   string `json:"key"`
	Every int    `json:"every"`
	// S is the time at which a request was sent, and Status the HTTP status, or 0 without a response.
	S      []float64 `json:"s"`
	Status []int     `json:"status"`
	// Remaining is X-RateLimit-Remaining, and ResetInS is X-RateLimit-Reset minus Date; -1 without one.
	Remaining []int64   `json:"remaining"`
	ResetInS  []float64 `json:"resetInS"`
	// InWindow counts the accepted requests of the window that ends here.
	InWindow []int `json:"inWindow"`
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
