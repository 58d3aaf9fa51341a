package limiter

import "time"

// tokenBucket holds up to limit tokens and refills evenly, limit tokens in a window. A request takes one token. As the
// generic cell rate algorithm does, it keeps the time at which the next request is due at an even rate, and needs no
// fractions of tokens. A request may come early by a window minus one interval.
type tokenBucket struct {
	limit    int64
	interval time.Duration
	due      time.Time
}

func (b *tokenBucket) Look(now time.Time) Decision {
	due := b.due
	if due.Before(now) {
		due = now
	}
	ahead := due.Sub(now)
	d := Decision{
		Allowed:   ahead+b.interval <= b.span(),
		Limit:     b.limit,
		Remaining: max(int64((b.span()-ahead)/b.interval), 0),
		Reset:     due,
	}
	if !d.Allowed {
		d.RetryAfter = ahead + b.interval - b.span()
	}
	return d
}

// span is limit intervals. It is the window, minus the rounding of the interval.
func (b *tokenBucket) span() time.Duration { return b.interval * time.Duration(b.limit) }

// Spend takes the level below 0 when refused requests are counted, but not below -limit.
func (b *tokenBucket) Spend(now time.Time) {
	if b.due.Before(now) {
		b.due = now
	}
	b.due = b.due.Add(b.interval)
	if most := now.Add(2 * b.span()); b.due.After(most) {
		b.due = most
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
