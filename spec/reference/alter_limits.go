package reference

import (
	"sync"

	"petconform/spec"
	"petconform/spec/reference/limiter"
)

// enforce counts against other figures than the plan's, while the headers go on speaking of the plan.
func (b *behaviour) enforce(change func(spec.Plan) spec.Plan) {
	b.plan = change
	b.rate.limit = func(c *call, d limiter.Decision) string { return whole(promised(c, change, d)) }
	b.rate.remaining = func(c *call, d limiter.Decision) string {
		// More than the plan has can't be left of it. Less may be, when less is enforced.
		beyond := max(d.Limit-promised(c, change, d), 0)
		return whole(max(d.Remaining-beyond, 0))
	}
}

// promised is the figure of the plan that a decision's enforced limit stands for.
func promised(c *call, change func(spec.Plan) spec.Plan, d limiter.Decision) int64 {
	p := spec.Free
	if c.account != nil {
		p = c.account.plan
	}
	if d.Limit == change(p).PerDay {
		return p.PerDay
	}
	return p.PerMinute
}

// perMinute and perDay change one figure of a plan.
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

// scoped counts requests of a key on their own for each scope. An empty scope of the account counts all keys together,
// by the plan of the first one that comes.
func (b *behaviour) scoped(scope func(c *call) any) {
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

// judge changes decisions after they were made, one at a time.
func (b *behaviour) judge(change func(c *call, d limiter.Decision) limiter.Decision) {
	var mu sync.Mutex
	take := b.take
	b.take = func(c *call) limiter.Decision {
		d := take(c)
		mu.Lock()
		defer mu.Unlock()
		return change(c, d)
	}
}

// accepted makes an accepting decision of a refusing one.
func accepted(d limiter.Decision) limiter.Decision {
	d.Allowed, d.RetryAfter = true, 0
	return d
}

// streaks counts, for each key, the refusals since the last request that was accepted.
func streaks() func(c *call, d limiter.Decision) int {
	count := map[*account]int{}
	return func(c *call, d limiter.Decision) int {
		if d.Allowed {
			count[c.account] = 0
		} else {
			count[c.account]++
		}
		return count[c.account]
	}
}
