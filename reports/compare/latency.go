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

// Latency compares the times of accepted requests in two runs, from the beginning of the request to the end of the response, in
// milliseconds.
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

// Latencies compares the times of two recordings, operation by operation, where both have enough answers.
func Latencies(old, now *exchange.Recording) []Latency {
	if old == nil || now == nil {
		return nil
	}
	var out []Latency
	for _, op := range spec.Operations() {
		a, b := times(old, op), times(now, op)
		if len(a) < enough || len(b) < enough {
			continue
		}
		out = append(out, Latency{Operation: op, OldN: len(a), NewN: len(b),
			OldP50: quantile(a, 0.5), NewP50: quantile(b, 0.5), OldP99: quantile(a, 0.99), NewP99: quantile(b, 0.99)})
	}
	return out
}

// UnderLoad compares the times of two load runs, plan by plan, where both have enough answers.
func UnderLoad(old, now verdict.Results) []Latency {
	a, _ := judge.ParseReport(old.Load)
	b, _ := judge.ParseReport(now.Load)
	var out []Latency
	for _, p := range b.Plans {
		i := slices.IndexFunc(a.Plans, func(was judge.PlanReport) bool { return was.Plan == p.Plan })
		if i < 0 || a.Plans[i].AcceptedMS.N < enough || p.AcceptedMS.N < enough {
			continue
		}
		was, is := a.Plans[i].AcceptedMS, p.AcceptedMS
		out = append(out, Latency{Plan: p.Plan, OldN: was.N, NewN: is.N, OldP50: was.P50, NewP50: is.P50, OldP99: was.P99, NewP99: is.P99})
	}
	return out
}

// Name is what the times are of.
func (l Latency) Name() string {
	if l.Plan != "" {
		return "load, " + safe.Line(l.Plan)
	}
	return string(l.Operation)
}

// times returns the sorted times, in milliseconds, of the complete responses to a valid key, without 429s.
func times(rec *exchange.Recording, op spec.Operation) []float64 {
	var out []float64
	for _, x := range rec.Exchanges {
		if x.Operation == op && x.Answered() && !x.Limited() && x.Auth.Valid() {
			out = append(out, float64(x.Done)/float64(time.Millisecond))
		}
	}
	slices.Sort(out)
	return out
}

// quantile is the smallest value that at least q of the sorted values do not exceed.
func quantile(sorted []float64, q float64) float64 {
	return sorted[max(0, int(math.Ceil(q*float64(len(sorted))))-1)]
}
