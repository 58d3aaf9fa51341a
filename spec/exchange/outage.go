package exchange

import (
	"fmt"
	"time"
)

// Symptom returns the sign that a request did not reach the service, or "" if there is none: a status of what stands in
// front of a service, no connection, or one that ended without a response. A target that ends a response in the middle
// is not down, and a time-out may have any cause.
func (x Exchange) Symptom() string {
	switch f := x.Failure; {
	case Unavailable(x.Status()):
		return fmt.Sprintf("status %d", x.Status())
	case f == nil:
	case f.Kind == Closed && x.Response == nil, f.Kind == Unreachable, f.Kind == Timeout:
		return string(f.Kind)
	}
	return ""
}

// Unended returns the numbers of the exchanges in an outage that the recording does not show the end of. Each has the
// symptom of an outage, and no request that was sent after it ended was answered, so what it shows may be of the outage
// alone. A target that answered nothing at all has none. Time-outs are not among them, since no judge reads one. A run
// and a reviewer of its recording find the same exchanges.
func Unended(all []Exchange) map[int]bool {
	var answered time.Time // when the last request was sent that was answered
	for _, x := range all {
		stopped := x.Failure != nil && (x.Failure.Kind == Stopped || x.Failure.Kind == Outage)
		if !stopped && x.Symptom() == "" && x.Sent.After(answered) {
			answered = x.Sent
		}
	}
	unended := map[int]bool{}
	for _, x := range all {
		timeout := x.Failure != nil && x.Failure.Kind == Timeout
		if !answered.IsZero() && x.Symptom() != "" && !timeout && answered.Before(x.Ended()) {
			unended[x.N] = true
		}
	}
	return unended
}
