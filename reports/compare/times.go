package compare

import (
	"fmt"
	"math"
	"slices"
	"time"

	"petconform/load/judge"
	"petconform/spec"
	"petconform/spec/exchange"
)

// Times are those of the N accepted requests of an operation in the checks, or of a plan under load, from the beginning
// of the request to the end of the response, in milliseconds.
type Times struct {
	Of       string
	N        int
	P50, P99 float64
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
			all = append(all, Times{string(op), len(times), quantile(times, 0.5), quantile(times, 0.99)})
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
func UnderLoad(r judge.Report) (all []Times) {
	for _, p := range r.Plans {
		q := p.DueMS
		if q.N == 0 { // results of a version that counted from the sending
			q = p.AcceptedMS
		}
		all = append(all, Times{p.Plan, q.N, q.P50, q.P99})
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

// enough is the smallest number of responses whose times are compared: with fewer, one slow response would decide.
const enough = 5

// times compares the times of two runs where both have enough, a line each.
func times(old, now []Times) (lines []string) {
	for _, is := range now {
		i := slices.IndexFunc(old, func(was Times) bool { return was.Of == is.Of && was.N >= enough && is.N >= enough })
		if i >= 0 {
			lines = append(lines, fmt.Sprintf("%s: half within %.1f ms, then %.1f ms; 99 of 100 within %.1f ms, then %.1f ms; %s and %s requests",
				is.Of, old[i].P50, is.P50, old[i].P99, is.P99, spec.Number(old[i].N), spec.Number(is.N)))
		}
	}
	return lines
}
