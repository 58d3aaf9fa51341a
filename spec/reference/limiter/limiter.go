// Package limiter counts requests against a plan. It has every kind of limiter that "60 requests per minute" may
// mean. Time is an argument: nothing reads a clock, sleeps or starts a goroutine.
package limiter

import (
	"fmt"
	"strings"
	"sync"
	"time"
)

// Decision is the answer of a limiter to one request.
type Decision struct {
	Allowed          bool
	Limit, Remaining int64 // the number of the plan, and what is left of it after the request
	// Reset is when the whole limit is available again. SlidingCounter gives the end of its window, or if that is
	// later, the time when the next request is accepted. Every kind accepts a request at Reset.
	Reset      time.Time
	RetryAfter time.Duration // the wait until the next request is accepted; 0 if this one was
}

// Limiter counts the requests of one key against one limit. It is not safe for concurrent use; Allowance locks.
type Limiter interface {
	// Look returns the decision for a request at now without counting one.
	Look(now time.Time) Decision
	// Spend counts one request at now, even if it is not allowed.
	Spend(now time.Time)
}

// Kind names a way of counting.
type Kind string

// The kinds differ in the largest burst and in the wait after a refusal.
const (
	FixedFirst Kind = "fixed-first" // begins a window with the first request after the last window
	// FixedClock counts in windows that begin at whole multiples of the window since 1970.
	FixedClock Kind = "fixed-clock"
	SlidingLog Kind = "sliding-log" // counts the requests of the trailing window by their times
	// SlidingCounter estimates the trailing window from the current clock window and a share of the previous one.
	SlidingCounter Kind = "sliding-counter"
	// TokenBucket starts full and refills evenly. The generic cell rate algorithm (GCRA) makes the same decisions.
	TokenBucket Kind = "token-bucket"
	// SteppedBucket starts full and gains a tenth of the limit ten times in a window. Kinds does not list it, since
	// it is a token bucket.
	SteppedBucket Kind = "stepped-bucket"
	// SlidingParts counts the requests of the newest ten tenths of a window, on the clock. Kinds does not list it,
	// since it lies between SlidingLog and FixedClock.
	SlidingParts Kind = "sliding-parts"
)

// Kinds lists the kinds that a user may choose.
func Kinds() []Kind {
	return []Kind{FixedFirst, FixedClock, SlidingLog, SlidingCounter, TokenBucket}
}

// ParseKind finds one of Kinds by its name; "" is FixedFirst.
func ParseKind(name string) (Kind, error) {
	if name == "" {
		return FixedFirst, nil
	}
	names := make([]string, 0, 5)
	for _, k := range Kinds() {
		if string(k) == name {
			return k, nil
		}
		names = append(names, string(k))
	}
	return "", fmt.Errorf("unknown limiter %q; use one of %s", name, strings.Join(names, ", "))
}

// New makes a limiter that allows limit requests in a window, and 1 at least.
func New(kind Kind, limit int64, window time.Duration) Limiter {
	limit = max(limit, 1)
	if kind == SlidingCounter {
		return &slidingCounter{limit: limit, window: window}
	}
	return newLog(kind, limit, window)
}

// Report says which limit of a plan the headers show while requests are accepted. On a refusal they always show the
// limit that refused.
type Report int

const (
	Tightest Report = iota // shows the minute's limit until less is left of the day's
	OfMinute               // shows the minute's limit
	OfDay                  // shows the day's limit
)

// Options say how an Allowance counts.
type Options struct {
	Kind        Kind
	Minute, Day time.Duration // Minute and Day are how long the plan's minute and day last
	Report      Report
	// CountRefused counts refused requests too, so a client that does not wait is refused for longer.
	CountRefused bool
	// BanAfter is the number of refusals in a row that ban the key for BanFor; 0 never bans.
	BanAfter int
	BanFor   time.Duration
}

// Allowance enforces both limits of a key, of the minute and of the day. It is safe for concurrent use.
type Allowance struct {
	mu          sync.Mutex
	options     Options
	minute, day Limiter
	refused     int
	bannedUntil time.Time
}

// NewAllowance makes an allowance of which nothing is spent.
func NewAllowance(perMinute, perDay int64, o Options) *Allowance {
	return &Allowance{
		options: o,
		minute:  New(o.Kind, perMinute, o.Minute),
		day:     New(o.Kind, perDay, o.Day),
	}
}

// Take decides about one request at now and counts it.
func (a *Allowance) Take(now time.Time) Decision {
	a.mu.Lock()
	defer a.mu.Unlock()
	d := a.look(now)
	if d.Allowed {
		a.refused = 0
		a.spend(now)
		after := a.report(a.minute.Look(now), a.day.Look(now))
		after.Allowed, after.RetryAfter = true, 0
		return after
	}
	if now.Before(a.bannedUntil) {
		return d
	}
	a.refused++
	if a.options.CountRefused {
		a.spend(now)
	}
	if a.options.BanAfter > 0 && a.refused >= a.options.BanAfter {
		a.refused, a.bannedUntil = 0, now.Add(a.options.BanFor)
	}
	return a.look(now)
}

// Look returns the decision for a request at now without counting one.
func (a *Allowance) Look(now time.Time) Decision {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.look(now)
}

func (a *Allowance) spend(now time.Time) {
	a.minute.Spend(now)
	a.day.Spend(now)
}

func (a *Allowance) look(now time.Time) Decision {
	minute, day := a.minute.Look(now), a.day.Look(now)
	d := a.report(minute, day)
	switch {
	case day.RetryAfter > minute.RetryAfter:
		d = day
	case !minute.Allowed:
		d = minute
	}
	if wait := a.bannedUntil.Sub(now); wait > d.RetryAfter {
		d.Allowed, d.Remaining, d.RetryAfter, d.Reset = false, 0, wait, a.bannedUntil
	}
	return d
}

// report chooses the limit that the headers of an accepted request show.
func (a *Allowance) report(minute, day Decision) Decision {
	if a.options.Report == OfDay || a.options.Report == Tightest && day.Remaining < minute.Remaining {
		return day
	}
	return minute
}
