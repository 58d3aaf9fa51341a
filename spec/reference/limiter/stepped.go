package limiter

import "time"

// stepsInWindow is the number of refills in a window.
const stepsInWindow = 10

// steppedBucket holds up to limit tokens and gains a tenth of limit, rounded up, at whole multiples of period since 1970.
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
