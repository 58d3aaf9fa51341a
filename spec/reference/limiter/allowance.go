package limiter

import (
	"sync"
	"time"
)

// Report says which of a plan's two figures the headers speak of while requests are accepted. When one is refused,
// they always speak of the figure that refused it.
type Report int

const (
	// Tightest reports the minute's figure until less is left of the day's.
	Tightest Report = iota
	// OfMinute reports the minute's figure, whatever is left of the day's.
	OfMinute
	// OfDay reports the day's figure.
	OfDay
)

// Options say how an Allowance counts.
type Options struct {
	Kind Kind
	// Minute and Day are how long the plan's minute and day last.
	Minute, Day time.Duration
	Report      Report
	// CountRefused counts a refused request as well, so that a client that does not wait stays out longer.
	CountRefused bool
	// BanAfter bans the key for BanFor when so many requests were refused one after the other; 0 never does.
	BanAfter int
	BanFor   time.Duration
}

// Allowance is what one key may spend: so many requests a minute and so many a day, both enforced. It is safe for
// concurrent use.
type Allowance struct {
	mu          sync.Mutex
	options     Options
	minute, day Limiter
	refused     int
	bannedUntil time.Time
}

// NewAllowance makes an untouched one.
func NewAllowance(perMinute, perDay int64, o Options) *Allowance {
	return &Allowance{
		options: o,
		minute:  New(o.Kind, perMinute, o.Minute),
		day:     New(o.Kind, perDay, o.Day),
	}
}

// Take judges one request at now and counts it.
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

// Look says what a request at now would get, without counting one.
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

// report chooses the figure that the headers of an accepted request speak of.
func (a *Allowance) report(minute, day Decision) Decision {
	if a.options.Report == OfDay || a.options.Report == Tightest && day.Remaining < minute.Remaining {
		return day
	}
	return minute
}
