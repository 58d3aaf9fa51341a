package reference

import (
	"slices"
	"time"

	"petconform/spec"
	"petconform/spec/reference/limiter"
)

// underLoad makes a deviation of the limits, which shows when a plan is spent. What the count is wrong about, the
// headers may be found wrong about too.
func underLoad(name string, breaks []spec.ID, suffers string, apply func(b *behaviour), may ...spec.ID) Deviation {
	return Deviation{Name: name, Breaks: breaks, May: may, Suffers: suffers, Needs: Load, apply: apply}
}

// forADay needs a day's requests to be spent.
func forADay(d Deviation) Deviation {
	d.Needs = Day
	return d
}

func miscounted(name string, breaks spec.ID, suffers string, change func(spec.Plan) spec.Plan) Deviation {
	return underLoad(name, ids(breaks), suffers, func(b *behaviour) { b.enforce(change) }, "RATE-14", "RATE-15")
}

// bucketed counts in a bucket that holds a part of the plan and is refilled at the plan's rate.
func (b *behaviour) bucketed(part int64) {
	b.options.Kind = limiter.TokenBucket
	b.options.Minute /= time.Duration(part)
	b.enforce(perMinute(func(n int64) int64 { return max(n/part, 1) }))
}

var limitCountDeviations = slices.Concat(tooLowDeviations, tooHighDeviations, scopeDeviations)

// RATE-7: what is within the plan is not refused.
var tooLowDeviations = []Deviation{
	miscounted("plan-one-low", "RATE-7", "The last request of the plan is refused.", perMinute(func(n int64) int64 { return n - 1 })),
	miscounted("plan-half", "RATE-7", "A client gets half of what it pays for.", perMinute(func(n int64) int64 { return n / 2 })),
	miscounted("plan-nine-tenths", "RATE-7", "A margin is kept back.", perMinute(func(n int64) int64 { return n * 9 / 10 })),
	forADay(miscounted("plan-day-half", "RATE-7", "A client gets half a day.", perDay(func(n int64) int64 { return n / 2 }))),
	forADay(miscounted("plan-day-one-low", "RATE-7", "The last request of the day is refused.", perDay(func(n int64) int64 { return n - 1 }))),
	underLoad("plan-spread-over-seconds", ids("RATE-7"), "The minute is enforced second by second, so two requests at once are refused.", func(b *behaviour) {
		b.bucketed(60)
	}, "RATE-14", "RATE-15"),
	underLoad("plan-burst-of-half", ids("RATE-7"), "After a pause only half of the plan can be spent at once.", func(b *behaviour) {
		b.bucketed(2)
	}, "RATE-14", "RATE-15"),
	underLoad("plan-counts-twice", ids("RATE-7", "RATE-15"), "Two layers count each request.", func(b *behaviour) {
		take := b.take
		b.take = func(c *call) limiter.Decision {
			if d := take(c); !d.Allowed {
				return d
			}
			d := b.allowance(c).Take(c.now)
			return accepted(d)
		}
	}, "RATE-14"),
	underLoad("plan-refuses-now-and-then", ids("RATE-7"), "Every nineteenth request is refused, whatever is left.", func(b *behaviour) {
		nineteenth := every(19)
		b.judge(func(c *call, d limiter.Decision) limiter.Decision {
			if d.Allowed && nineteenth(c, nil) {
				d.Allowed, d.RetryAfter = false, time.Second
			}
			return d
		})
	}, "RATE-15", "RATE-14", "RATE-9"),
	underLoad("plan-window-renewed", ids("RATE-7"), "Each request renews the window, so whoever never pauses is shut out.", func(b *behaviour) {
		type window struct {
			last  time.Time
			count int64
		}
		windows := map[*account]*window{}
		b.judge(func(c *call, d limiter.Decision) limiter.Decision {
			w := windows[c.account]
			if w == nil || c.now.Sub(w.last) >= b.options.Minute {
				w = &window{}
				windows[c.account] = w
			}
			limit := c.account.plan.PerMinute
			w.last = c.now
			w.count++
			d = limiter.Decision{Allowed: w.count <= limit, Limit: limit, Remaining: max(limit-w.count, 0), Reset: c.now.Add(b.options.Minute)}
			if !d.Allowed {
				d.RetryAfter = b.options.Minute
			}
			return d
		})
	}, "RATE-14"),
}

// RATE-6 and RATE-13: what is beyond the plan is refused.
var tooHighDeviations = []Deviation{
	miscounted("plan-one-high", "RATE-6", "One request too many is served in each window.", perMinute(func(n int64) int64 { return n + 1 })),
	miscounted("plan-tenth-high", "RATE-6", "A grace of a tenth is given that other deployments do not give.", perMinute(func(n int64) int64 { return n + max(n/10, 2) })),
	miscounted("plan-double", "RATE-6", "Two servers count on their own, and a client gets both plans.", perMinute(func(n int64) int64 { return 2 * n })),
	underLoad("plan-not-enforced", ids("RATE-6"), "Headers count down to 0 and nothing happens.", func(b *behaviour) {
		b.judge(func(_ *call, d limiter.Decision) limiter.Decision { return accepted(d) })
	}, "RATE-13", "RATE-14", "RATE-15"),
	underLoad("plan-race", ids("RATE-6"), "Requests that come at the same time all see the last free place.", func(b *behaviour) {
		take := b.take
		b.take = func(c *call) limiter.Decision {
			// The count is read, something else takes its time, and the count is written.
			room := b.allowance(c).Look(c.now).Allowed
			time.Sleep(2 * time.Millisecond)
			d := take(c)
			if room {
				d = accepted(d)
			}
			return d
		}
	}, "RATE-14", "RATE-15"),
	forADay(miscounted("plan-day-not-enforced", "RATE-13", "A day has no end.", perDay(func(n int64) int64 { return n * 1000 }))),
	forADay(miscounted("plan-day-double", "RATE-13", "A day is two.", perDay(func(n int64) int64 { return 2 * n }))),
	forADay(miscounted("plan-day-one-high", "RATE-13", "One request too many is served each day.", perDay(func(n int64) int64 { return n + 1 }))),
}

// RATE-10 and RATE-11: one allowance for each key, over everything that it does.
var scopeDeviations = []Deviation{
	underLoad("scope-all-keys", ids("RATE-10"), "One client spends what all others have.", func(b *behaviour) {
		b.scoped(func(*call) any { return "everybody" })
	}, "RATE-4", "RATE-6", "RATE-7", "RATE-9", "RATE-14", "RATE-15"),
	underLoad("scope-refusal-for-all", ids("RATE-10"), "When one key is refused, all are, until it may come back.", func(b *behaviour) {
		var until time.Time
		var by *account
		b.judge(func(c *call, d limiter.Decision) limiter.Decision {
			switch {
			case !d.Allowed && !until.After(c.now):
				until, by = c.now.Add(d.RetryAfter), c.account
			case d.Allowed && c.account != by && until.After(c.now):
				d.Allowed, d.Remaining, d.RetryAfter, d.Reset = false, 0, until.Sub(c.now), until
			}
			return d
		})
	}, "RATE-7", "RATE-14", "RATE-15"),
	scopedBy("scope-operation", "Each operation has an allowance of its own.", func(c *call) any { return c.operation }),
	scopedBy("scope-method", "Reading and writing count on their own.", func(c *call) any { return c.request.Method }),
	scopedBy("scope-connection", "Each connection has an allowance of its own.", func(c *call) any { return c.request.RemoteAddr }),
	scopedBy("scope-path", "Each animal has an allowance of its own.", func(c *call) any { return c.path }),
	uncounted("scope-without-get", "The deprecated operation is not counted.", spec.GetPet),
	uncounted("scope-without-create", "Creations are not counted.", spec.CreatePet),
}

// scopedBy counts each key's requests apart by what by gives.
func scopedBy(name, suffers string, by func(c *call) any) Deviation {
	type scope struct {
		who  *account
		what any
	}
	return underLoad(name, ids("RATE-11"), suffers, func(b *behaviour) {
		b.scoped(func(c *call) any { return scope{c.account, by(c)} })
	}, "RATE-4", "RATE-6", "RATE-14", "RATE-15")
}

func uncounted(name, suffers string, op spec.Operation) Deviation {
	return underLoad(name, ids("RATE-11"), suffers, func(b *behaviour) {
		take := b.take
		b.take = func(c *call) limiter.Decision {
			if c.operation == op {
				return accepted(b.allowance(c).Look(c.now))
			}
			return take(c)
		}
	}, "RATE-4", "RATE-6", "RATE-14", "RATE-15")
}
