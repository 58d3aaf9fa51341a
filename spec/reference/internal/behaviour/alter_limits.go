package behaviour

import (
	"sync"
	"time"

	"petconform/spec"
	"petconform/spec/reference/limiter"
)

// Decision is the answer of a limiter to one request, and Take the counting of one.
type (
	Decision = limiter.Decision
	Take     = func() Decision
)

// Decided changes decisions.
func Decided(change func(c *Call, take Take) Decision) Change {
	return func(b *Behaviour) {
		take := b.Take
		b.Take = func(c *Call) Decision {
			return change(c, func() Decision { return take(c) })
		}
	}
}

// Judged changes decisions, one at a time. A T is kept for each key.
func Judged[T any](change func(c *Call, kept *T, d Decision) Decision) Change {
	of := PerKey[T]()
	return Decided(func(c *Call, take Take) Decision {
		d := take()
		defer c.Service.InTurn()()
		return change(c, of(c), d)
	})
}

// PerKey keeps a T for each key.
func PerKey[T any]() func(c *Call) *T {
	var all sync.Map
	return func(c *Call) *T {
		kept, _ := all.LoadOrStore(c.Account, new(T))
		return kept.(*T)
	}
}

// Enforce counts against other numbers than the plan's. The headers still show the plan.
func Enforce(change func(p *spec.Plan)) Change {
	show := Decided(func(c *Call, take Take) Decision {
		d, enforced, shown := take(), c.Account.Plan, c.Account.Plan.PerMinute
		if change(&enforced); d.Limit == enforced.PerDay {
			shown = c.Account.Plan.PerDay
		}
		// Remaining never exceeds the plan, even if more is enforced.
		d.Remaining = max(d.Remaining-max(d.Limit-shown, 0), 0)
		d.Limit = shown
		return d
	})
	return Together(func(b *Behaviour) { b.plan = change }, show)
}

// Scoped keeps an allowance for each scope. A scope that several keys share has the plan of the first key that is used.
func Scoped(scope func(c *Call) any) Change {
	var all sync.Map
	return func(b *Behaviour) {
		b.Allowance = func(c *Call) *limiter.Allowance {
			allowance, _ := all.LoadOrStore(scope(c), b.newAllowance(c.Account.Plan))
			return allowance.(*limiter.Allowance)
		}
	}
}

// Accepted turns a refusing decision into an accepting one.
func Accepted(d Decision) Decision {
	d.Allowed, d.RetryAfter = true, 0
	return d
}

// RefusedFor turns a decision into a refusal that ends after wait.
func RefusedFor(wait time.Duration, c *Call, d Decision) Decision {
	d.Allowed, d.Remaining, d.RetryAfter, d.Reset = false, 0, wait, c.Now.Add(wait)
	return d
}

// Counting changes how requests are counted.
func Counting(set func(o *limiter.Options)) Change {
	return func(b *Behaviour) { set(&b.Options) }
}

// BanAfter is how many refusals in a row lead to a ban.
const BanAfter = 5
