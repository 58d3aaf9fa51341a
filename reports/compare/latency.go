package compare

import (
	"math"
	"slices"
	"time"

	"petconform/spec"
	"petconform/spec/exchange"
)

// Latency compares how long the accepted requests of an operation took, from the first byte sent to the last one received.
type Latency struct {
	Operation spec.Operation `json:"operation"`
	// N counts what was measured; the times are in milliseconds.
	OldN   int     `json:"oldN"`
	NewN   int     `json:"newN"`
	OldP50 float64 `json:"oldP50Ms"`
	NewP50 float64 `json:"newP50Ms"`
	OldP99 float64 `json:"oldP99Ms"`
	NewP99 float64 `json:"newP99Ms"`
}

// enough is how many answers of an operation a comparison of times needs; with fewer, one slow answer decides.
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

// times gives the sorted milliseconds of the answers to a valid key that are neither refused for the rate nor broken off.
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
