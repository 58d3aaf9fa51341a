package compare

import (
	"math"
	"slices"
	"time"

	"petconform/load/judge"
	"petconform/reports/safe"
	"petconform/spec"
	"petconform/spec/exchange"
	"petconform/spec/verdict"
)

// Times are those of the N accepted requests of an operation in the checks, or of a plan under load, from the beginning
// of the request to the end of the response, in milliseconds.
type Times struct {
	Operation spec.Operation
	Plan      string
	N         int
	P50, P99  float64
}

// InChecks returns the times of each operation, over the complete responses to a valid key, without 429s. rec may be
// nil.
func InChecks(rec *exchange.Recording) (all []Times) {
	if rec == nil {
		return nil
	}
	ms := map[spec.Operation][]float64{}
	for _, x := range rec.Exchanges {
		if x.Answered() && !x.Limited() && x.Auth.Valid() {
			ms[x.Operation] = append(ms[x.Operation], float64(x.Done)/float64(time.Millisecond))
		}
	}
	for _, op := range spec.Operations() {
		if times := ms[op]; len(times) > 0 {
			slices.Sort(times)
			all = append(all, Times{Operation: op, N: len(times), P50: quantile(times, 0.5), P99: quantile(times, 0.99)})
		}
	}
	return all
}

// quantile is the smallest value that at least q of the sorted values do not exceed.
func quantile(sorted []float64, q float64) float64 {
	return sorted[max(0, int(math.Ceil(q*float64(len(sorted))))-1)]
}

// UnderLoad returns the times of each plan that a run loaded, from when each request was due: a frozen target puts off
// requests, which would not be slow if their times were counted from their sending.
func UnderLoad(res verdict.Results) (all []Times) {
	r, _ := judge.ParseReport(res.Load) // a load in another layout has no plans
	for _, p := range r.Plans {
		q := p.DueMS
		if q.N == 0 { // results of a version that counted from the sending
			q = p.AcceptedMS
		}
		all = append(all, Times{Plan: p.Plan, N: q.N, P50: q.P50, P99: q.P99})
	}
	return all
}

// Slowest returns the times with the highest 99th percentile. N is 0 if no request was accepted.
func Slowest(all []Times) (slowest Times) {
	for _, t := range all {
		if t.N > 0 && t.P99 >= slowest.P99 {
			slowest = t
		}
	}
	return slowest
}

// Took is the 99th percentile, to 10 microseconds.
func (t Times) Took() time.Duration {
	return time.Duration(t.P99 * float64(time.Millisecond)).Round(10 * time.Microsecond)
}

// Latency compares the times of two runs.
type Latency struct {
	// Operation is set for requests of the checks, and Plan for those of a load run.
	Operation spec.Operation `json:"operation,omitempty"`
	Plan      string         `json:"plan,omitempty"`
	// OldN and NewN are the numbers of requests.
	OldN   int     `json:"oldN"`
	NewN   int     `json:"newN"`
	OldP50 float64 `json:"oldP50Ms"`
	NewP50 float64 `json:"newP50Ms"`
	OldP99 float64 `json:"oldP99Ms"`
	NewP99 float64 `json:"newP99Ms"`
}

// enough is the smallest number of responses whose times are compared: with fewer, one slow response would decide.
const enough = 5

// Latencies compares the times of two runs where both have enough.
func Latencies(old, now []Times) (all []Latency) {
	for _, is := range now {
		for _, was := range old {
			if was.Operation == is.Operation && was.Plan == is.Plan && was.N >= enough && is.N >= enough {
				all = append(all, Latency{is.Operation, is.Plan, was.N, is.N, was.P50, is.P50, was.P99, is.P99})
				break
			}
		}
	}
	return all
}

// Name is what the times are of.
func (l Latency) Name() string {
	if l.Plan != "" {
		return "load, " + safe.Line(l.Plan)
	}
	return string(l.Operation)
}
