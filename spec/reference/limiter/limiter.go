// Package limiter counts requests against a plan. Every kind of limiter that the interface's "60 per minute" may mean is
// here, pure and driven by the time it is given: nothing reads a clock, sleeps or starts a goroutine.
package limiter

import (
	"fmt"
	"strings"
	"time"
)

// Decision is what a limiter says of one request.
type Decision struct {
	Allowed bool
	// Limit is the figure of the plan, Remaining what is left of it after the request.
	Limit, Remaining int64
	// Reset is when the whole limit is there again, or, where a kind has no such time soon, when the next request is
	// accepted for certain. Requests are accepted at Reset in every kind.
	Reset time.Time
	// RetryAfter is how long to wait for the next request to be accepted; 0 when this one was.
	RetryAfter time.Duration
}

// Limiter counts the requests of one key against one limit. It is not safe for concurrent use; Allowance locks.
type Limiter interface {
	// Look says what a request at now would get. It counts nothing.
	Look(now time.Time) Decision
	// Spend counts one request at now, allowed or not.
	Spend(now time.Time)
}

// Kind names a way of counting.
type Kind string

// The kinds. They differ in what a burst gets and in when a refused client may come back.
const (
	// FixedFirst opens a window with the first request after the last one ended.
	FixedFirst Kind = "fixed-first"
	// FixedClock counts in windows that begin at whole multiples of the window since 1970.
	FixedClock Kind = "fixed-clock"
	// SlidingLog keeps the time of each request and counts those of the trailing window.
	SlidingLog Kind = "sliding-log"
	// SlidingCounter weighs the previous clock window by the part of it that the trailing window still covers.
	SlidingCounter Kind = "sliding-counter"
	// TokenBucket starts full and is refilled at an even rate.
	TokenBucket Kind = "token-bucket"
	// GCRA keeps one time, at which the next request would be due; from outside it can't be told from a bucket.
	GCRA Kind = "gcra"
	// SteppedBucket starts full and is refilled by a timer, a tenth of the limit ten times in a window. It is a token bucket,
	// and none of Kinds.
	SteppedBucket Kind = "stepped-bucket"
)

// Kinds lists every kind.
func Kinds() []Kind {
	return []Kind{FixedFirst, FixedClock, SlidingLog, SlidingCounter, TokenBucket, GCRA}
}

// ParseKind finds a kind by its name; the empty name is FixedFirst.
func ParseKind(name string) (Kind, error) {
	if name == "" {
		return FixedFirst, nil
	}
	names := make([]string, 0, 6)
	for _, k := range Kinds() {
		if string(k) == name {
			return k, nil
		}
		names = append(names, string(k))
	}
	return "", fmt.Errorf("the limiter kind %q is not known; one of %s is wanted", name, strings.Join(names, ", "))
}

// New makes a limiter that allows limit requests in a window. A limit below 0 counts as 0, which allows none.
func New(kind Kind, limit int64, window time.Duration) Limiter {
	limit = max(limit, 0)
	if limit == 0 {
		return nothing{window}
	}
	switch kind {
	case FixedClock:
		return &fixed{limit: limit, window: window, onClock: true}
	case SlidingLog:
		return &slidingLog{limit: limit, window: window}
	case SlidingCounter:
		return &slidingCounter{limit: limit, window: window}
	case TokenBucket:
		return &tokenBucket{limit: limit, window: window, tokens: float64(limit)}
	case SteppedBucket:
		return &steppedBucket{limit: limit, tokens: limit, period: max(window/stepsInWindow, 1)}
	case GCRA:
		return &gcra{limit: limit, window: window, interval: max(window/time.Duration(limit), 1)}
	default:
		return &fixed{limit: limit, window: window}
	}
}

// nothing is a limit of 0: a plan that was closed.
type nothing struct{ window time.Duration }

func (n nothing) Look(now time.Time) Decision {
	return Decision{Reset: now.Add(n.window), RetryAfter: n.window}
}

func (nothing) Spend(time.Time) {}
