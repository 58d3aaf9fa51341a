package limiter

import (
	"sync"
	"time"
)

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
	Kind Kind
	// Minute and Day are how long the plan's minute and day last.
	Minute, Day time.Duration
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
