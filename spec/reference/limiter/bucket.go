package limiter

import (
	"math"
	"time"
)

// tokenBucket holds up to limit tokens and refills evenly, limit tokens in a window. A request takes one token.
type tokenBucket struct {
	limit  int64
	window time.Duration
	tokens float64
	at     time.Time
}

// rounding is the tolerance for float64 arithmetic, in tokens.
const rounding = 1e-6

func (b *tokenBucket) Look(now time.Time) Decision {
	tokens := b.level(now)
	d := Decision{
		Allowed:   tokens+rounding >= 1,
		Limit:     b.limit,
		Remaining: max(int64(math.Floor(tokens+rounding)), 0),
		Reset:     now.Add(b.toGain(float64(b.limit) - tokens)),
	}
	if !d.Allowed {
		d.RetryAfter = b.toGain(1 - tokens)
	}
	return d
}

// Spend takes the level below 0 when refused requests are counted, but not below -limit.
func (b *tokenBucket) Spend(now time.Time) {
	b.tokens = max(b.level(now)-1, -float64(b.limit))
	if now.After(b.at) {
		b.at = now
	}
}

func (b *tokenBucket) level(now time.Time) float64 {
	if b.at.IsZero() || !now.After(b.at) {
		return b.tokens
	}
	gained := float64(now.Sub(b.at)) / float64(b.window) * float64(b.limit)
	return min(b.tokens+gained, float64(b.limit))
}

// toGain is the time to refill that many tokens, rounded up.
func (b *tokenBucket) toGain(tokens float64) time.Duration {
	return time.Duration(math.Ceil(max(tokens, 0) / float64(b.limit) * float64(b.window)))
}

// gcra keeps the time at which the next request is due at an even rate. A request may come early by a window minus one
// interval.
type gcra struct {
	limit    int64
	interval time.Duration
	due      time.Time
}

func (g *gcra) Look(now time.Time) Decision {
	due := g.due
	if due.Before(now) {
		due = now
	}
	ahead := due.Sub(now)
	d := Decision{
		Allowed:   ahead+g.interval <= g.span(),
		Limit:     g.limit,
		Remaining: max(int64((g.span()-ahead)/g.interval), 0),
		Reset:     due,
	}
	if !d.Allowed {
		d.RetryAfter = ahead + g.interval - g.span()
	}
	return d
}

// span is limit intervals. It is the window, minus the rounding of the interval.
func (g *gcra) span() time.Duration { return g.interval * time.Duration(g.limit) }

func (g *gcra) Spend(now time.Time) {
	if g.due.Before(now) {
		g.due = now
	}
	g.due = g.due.Add(g.interval)
	if most := now.Add(2 * g.span()); g.due.After(most) {
		g.due = most
	}
}

// stepsInWindow is the number of refills in a window.
const stepsInWindow = 10

// steppedBucket holds up to limit tokens and gains a tenth of limit, rounded up, at whole multiples of period since
// 1970.
type steppedBucket struct {
	limit  int64
	period time.Duration
	tokens int64
	at     time.Time
}

func (b *steppedBucket) gain() int64 { return (b.limit + stepsInWindow - 1) / stepsInWindow }

func (b *steppedBucket) Look(now time.Time) Decision {
	tokens := b.level(now)
	d := Decision{Allowed: tokens >= 1, Limit: b.limit, Remaining: max(tokens, 0), Reset: b.when(now, b.limit-tokens)}
	if !d.Allowed {
		d.RetryAfter = b.when(now, 1-tokens).Sub(now)
	}
	return d
}

// Spend takes the level below 0 when refused requests are counted, but not below -limit.
func (b *steppedBucket) Spend(now time.Time) {
	b.tokens = max(b.level(now)-1, -b.limit)
	if now.After(b.at) {
		b.at = now
	}
}

func (b *steppedBucket) level(now time.Time) int64 {
	if b.at.IsZero() || !now.After(b.at) {
		return b.tokens
	}
	steps := int64(now.Truncate(b.period).Sub(b.at.Truncate(b.period)) / b.period)
	return min(b.tokens+steps*b.gain(), b.limit)
}

// when is the time of the refill that completes that many tokens.
func (b *steppedBucket) when(now time.Time, tokens int64) time.Time {
	if tokens <= 0 {
		return now
	}
	steps := (tokens + b.gain() - 1) / b.gain()
	return now.Truncate(b.period).Add(time.Duration(steps) * b.period)
}
