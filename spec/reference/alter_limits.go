package reference

import (
	"sync"
	"time"

	"petconform/spec"
	"petconform/spec/reference/limiter"
)

// enforce counts against other numbers than the plan's. The headers still show the plan.
func enforce(change func(spec.Plan) spec.Plan) func(*behaviour) {
	return func(b *behaviour) {
		b.plan = change
		b.rate.limit = func(c *call, d limiter.Decision) string { return whole(planned(c, change, d)) }
		b.rate.remaining = func(c *call, d limiter.Decision) string {
			// Remaining never exceeds the plan, even if more is enforced.
			beyond := max(d.Limit-planned(c, change, d), 0)
			return whole(max(d.Remaining-beyond, 0))
		}
	}
}

// planned is the plan's own number for the limit that a decision enforces.
func planned(c *call, change func(spec.Plan) spec.Plan, d limiter.Decision) int64 {
	p := spec.Free
	if c.account != nil {
		p = c.account.plan
	}
	if d.Limit == change(p).PerDay {
		return p.PerDay
	}
	return p.PerMinute
}

func perMinute(change func(int64) int64) func(spec.Plan) spec.Plan {
	return func(p spec.Plan) spec.Plan {
		p.PerMinute = change(p.PerMinute)
		return p
	}
}

func perDay(change func(int64) int64) func(spec.Plan) spec.Plan {
	return func(p spec.Plan) spec.Plan {
		p.PerDay = change(p.PerDay)
		return p
	}
}

// bucketed counts in a bucket that holds one part of the plan and refills at the plan's rate.
func bucketed(part int64) func(*behaviour) {
	return func(b *behaviour) {
		b.options.Kind = limiter.TokenBucket
		b.options.Minute /= time.Duration(part)
		enforce(perMinute(func(n int64) int64 { return max(n/part, 1) }))(b)
	}
}

// scoped keeps an allowance for each scope. A scope that several keys share has the plan of the first key that is used.
func scoped(scope func(c *call) any) func(*behaviour) {
	return func(b *behaviour) {
		var mu sync.Mutex
		all := map[any]*limiter.Allowance{}
		b.allowance = func(c *call) *limiter.Allowance {
			mu.Lock()
			defer mu.Unlock()
			key := scope(c)
			if all[key] == nil {
				all[key] = c.service.newAllowance(c.account.plan)
			}
			return all[key]
		}
	}
}

// judged changes decisions, one at a time. A T is kept for each key.
func judged[T any](change func(b *behaviour, c *call, kept *T, d limiter.Decision) limiter.Decision) func(*behaviour) {
	return func(b *behaviour) {
		var mu sync.Mutex
		take, all := b.take, map[*account]*T{}
		b.take = func(c *call) limiter.Decision {
			d := take(c)
			mu.Lock()
			defer mu.Unlock()
			if all[c.account] == nil {
				all[c.account] = new(T)
			}
			return change(b, c, all[c.account], d)
		}
	}
}

// accepted turns a refusing decision into an accepting one.
func accepted(d limiter.Decision) limiter.Decision {
	d.Allowed, d.RetryAfter = true, 0
	return d
}

// refusedFor turns a decision into a refusal that ends after wait.
func refusedFor(wait time.Duration, c *call, d limiter.Decision) limiter.Decision {
	d.Allowed, d.Remaining, d.RetryAfter, d.Reset = false, 0, wait, c.now.Add(wait)
	return d
}

// streak is the number of refusals of a key since its last accepted request.
type streak int

func (s *streak) count(d limiter.Decision) int {
	if *s++; d.Allowed {
		*s = 0
	}
	return int(*s)
}

// counting changes how requests are counted.
func counting(set func(o *limiter.Options)) func(*behaviour) {
	return func(b *behaviour) { set(&b.options) }
}

// banAfter is how many refusals in a row lead to a ban.
const banAfter = 5
