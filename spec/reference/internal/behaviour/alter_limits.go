package behaviour

import (
	"sync"
	"time"

	"petconform/spec"
	"petconform/spec/reference/limiter"
)

// Enforce counts against other numbers than the plan's. The headers still show the plan.
func Enforce(change func(spec.Plan) spec.Plan) Change {
	return func(b *Behaviour) {
		b.plan = change
		b.Rate.Limit = func(c *Call, d limiter.Decision) string { return Whole(planned(c, change, d)) }
		b.Rate.Remaining = func(c *Call, d limiter.Decision) string {
			// Remaining never exceeds the plan, even if more is enforced.
			beyond := max(d.Limit-planned(c, change, d), 0)
			return Whole(max(d.Remaining-beyond, 0))
		}
	}
}

// planned is the plan's own number for the limit that a decision enforces.
func planned(c *Call, change func(spec.Plan) spec.Plan, d limiter.Decision) int64 {
	p := spec.Free
	if c.Account != nil {
		p = c.Account.Plan
	}
	if d.Limit == change(p).PerDay {
		return p.PerDay
	}
	return p.PerMinute
}

func PerMinute(change func(int64) int64) func(spec.Plan) spec.Plan {
	return func(p spec.Plan) spec.Plan {
		p.PerMinute = change(p.PerMinute)
		return p
	}
}

func PerDay(change func(int64) int64) func(spec.Plan) spec.Plan {
	return func(p spec.Plan) spec.Plan {
		p.PerDay = change(p.PerDay)
		return p
	}
}

// Bucketed counts in a bucket that holds one part of the plan and refills at the plan's rate.
func Bucketed(part int64) Change {
	return func(b *Behaviour) {
		b.Options.Kind = limiter.TokenBucket
		b.Options.Minute /= time.Duration(part)
		Enforce(PerMinute(func(n int64) int64 { return max(n/part, 1) }))(b)
	}
}

// Scoped keeps an allowance for each scope. A scope that several keys share has the plan of the first key that is used.
func Scoped(scope func(c *Call) any) Change {
	return func(b *Behaviour) {
		var mu sync.Mutex
		all := map[any]*limiter.Allowance{}
		b.Allowance = func(c *Call) *limiter.Allowance {
			mu.Lock()
			defer mu.Unlock()
			key := scope(c)
			if all[key] == nil {
				all[key] = c.Service.newAllowance(c.Account.Plan)
			}
			return all[key]
		}
	}
}

// Judged changes decisions, one at a time. A T is kept for each key.
func Judged[T any](change func(b *Behaviour, c *Call, kept *T, d limiter.Decision) limiter.Decision) Change {
	return func(b *Behaviour) {
		var mu sync.Mutex
		take, all := b.Take, map[*Account]*T{}
		b.Take = func(c *Call) limiter.Decision {
			d := take(c)
			mu.Lock()
			defer mu.Unlock()
			if all[c.Account] == nil {
				all[c.Account] = new(T)
			}
			return change(b, c, all[c.Account], d)
		}
	}
}

// Accepted turns a refusing decision into an accepting one.
func Accepted(d limiter.Decision) limiter.Decision {
	d.Allowed, d.RetryAfter = true, 0
	return d
}

// RefusedFor turns a decision into a refusal that ends after wait.
func RefusedFor(wait time.Duration, c *Call, d limiter.Decision) limiter.Decision {
	d.Allowed, d.Remaining, d.RetryAfter, d.Reset = false, 0, wait, c.Now.Add(wait)
	return d
}

// Streak is the number of refusals of a key since its last accepted request.
type Streak int

func (s *Streak) Count(d limiter.Decision) int {
	if *s++; d.Allowed {
		*s = 0
	}
	return int(*s)
}

// Counting changes how requests are counted.
func Counting(set func(o *limiter.Options)) Change {
	return func(b *Behaviour) { set(&b.Options) }
}

// BanAfter is how many refusals in a row lead to a ban.
const BanAfter = 5
