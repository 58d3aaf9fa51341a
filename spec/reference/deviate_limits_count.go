package reference

import (
	"slices"
	"time"

	"petconform/spec"
	"petconform/spec/reference/limiter"
)

// The headers show a wrong count too, so a run may report them beside it.
var limitCountDeviations = slices.Concat(
	table(Deviation{Breaks: ids("RATE-7"), May: ids("RATE-14", "RATE-15"), Needs: Load}, []Deviation{
		{Name: "plan-one-low", Suffers: "The last request of the plan is refused.", apply: enforce(perMinute(func(n int64) int64 { return n - 1 }))},
		{Name: "plan-half", Suffers: "A client gets half of its plan.", apply: enforce(perMinute(func(n int64) int64 { return n / 2 }))},
		{Name: "plan-nine-tenths", Suffers: "A client gets nine tenths of its plan.", apply: enforce(perMinute(func(n int64) int64 { return n * 9 / 10 }))},
		{Name: "plan-day-half", Needs: Day, Suffers: "A client gets half of its plan in a day.", apply: enforce(perDay(func(n int64) int64 { return n / 2 }))},
		{Name: "plan-day-one-low", Needs: Day, Suffers: "The last request of the day is refused.", apply: enforce(perDay(func(n int64) int64 { return n - 1 }))},
		{Name: "plan-spread-over-seconds", Suffers: "Two requests in one second are refused, because each second of the minute is limited.", apply: bucketed(60)},
		{Name: "plan-burst-of-half", Suffers: "A burst gets half of the plan, even after a pause.", apply: bucketed(2)},
		{Name: "plan-counts-twice", Breaks: ids("RATE-7", "RATE-15"), May: ids("RATE-14"), Suffers: "Each request is counted twice, by two layers.",
			apply: countedTwice(spec.ListPets, spec.CreatePet, spec.GetPet)},
		{Name: "plan-counts-get-twice", May: ids("RATE-15"), Suffers: "Each getPet is counted twice.", apply: countedTwice(spec.GetPet)},
		{Name: "plan-counts-create-twice", May: ids("RATE-15"), Suffers: "Each createPet is counted twice.", apply: countedTwice(spec.CreatePet)},
		{Name: "plan-refuses-now-and-then", May: ids("RATE-15", "RATE-14", "RATE-9"), Suffers: "Every nineteenth request is refused, whatever remains.",
			apply: judged(func(_ *behaviour, c *call, _ *struct{}, d limiter.Decision) limiter.Decision {
				if d.Allowed && byNineteenth(c, nil) {
					d.Allowed, d.RetryAfter = false, time.Second
				}
				return d
			})},
		{Name: "plan-refills-slowly", Suffers: "A client that sends steadily gets 51 of 60 requests a minute, because its bucket refills in 70.6 s.",
			apply: counting(func(o *limiter.Options) { o.Kind, o.Minute = limiter.TokenBucket, o.Minute*20/17 })},
		{Name: "plan-refills-a-tenth-slowly", Suffers: "A client that sends steadily gets 54 of 60 requests a minute, because its bucket refills in 66.7 s.",
			apply: counting(func(o *limiter.Options) { o.Kind, o.Minute = limiter.TokenBucket, o.Minute*10/9 })},
		{Name: "plan-half-after-spent", May: ids("RATE-14", "RATE-15"), Suffers: "A client that spent its plan gets half of it the next time.", apply: halveAfterSpent},
		{Name: "plan-window-renewed", May: ids("RATE-14"), Suffers: "A client that never pauses is refused for ever, because each request begins a new window.", apply: renewWindow},
	}),
	table(Deviation{Breaks: ids("RATE-6"), May: ids("RATE-14", "RATE-15"), Needs: Load}, []Deviation{
		{Name: "plan-one-high", Suffers: "A client gets one request more than its plan in each window.", apply: enforce(perMinute(func(n int64) int64 { return n + 1 }))},
		{Name: "plan-tenth-high", Suffers: "A client gets a tenth more than its plan, which other deployments refuse.", apply: enforce(perMinute(func(n int64) int64 { return n + max(n/10, 2) }))},
		{Name: "plan-double", Suffers: "A client gets twice its plan, because two servers count separately.", apply: enforce(perMinute(func(n int64) int64 { return 2 * n }))},
		{Name: "plan-refills-fast", Suffers: "A client gets a quarter more than its plan, because its bucket refills in 48 s.",
			apply: counting(func(o *limiter.Options) { o.Kind, o.Minute = limiter.TokenBucket, o.Minute*4/5 })},
		{Name: "plan-not-enforced", May: ids("RATE-13", "RATE-14", "RATE-15"), Suffers: "Remaining falls to 0 and no request is refused.",
			apply: judged(func(_ *behaviour, _ *call, _ *struct{}, d limiter.Decision) limiter.Decision { return accepted(d) })},
		{Name: "plan-race", Suffers: "Requests that come at the same time are all accepted when one is left.", apply: func(b *behaviour) {
			take := b.take
			b.take = func(c *call) limiter.Decision {
				// The service reads the count, waits 2 ms and writes the count.
				allowed := b.allowance(c).Look(c.now).Allowed
				time.Sleep(2 * time.Millisecond)
				d := take(c)
				if allowed {
					d = accepted(d)
				}
				return d
			}
		}},
	}),
	table(Deviation{Breaks: ids("RATE-13"), May: ids("RATE-14", "RATE-15"), Needs: Day}, []Deviation{
		{Name: "plan-day-not-enforced", Suffers: "The limit of the day is not enforced.", apply: enforce(perDay(func(n int64) int64 { return n * 1000 }))},
		{Name: "plan-day-double", Suffers: "A client gets twice its plan in a day.", apply: enforce(perDay(func(n int64) int64 { return 2 * n }))},
		{Name: "plan-day-one-high", Suffers: "A client gets one request more than its plan in a day.", apply: enforce(perDay(func(n int64) int64 { return n + 1 }))},
	}),
	table(Deviation{Breaks: ids("RATE-10"), Needs: Load}, []Deviation{
		{Name: "scope-all-keys", May: ids("RATE-4", "RATE-6", "RATE-7", "RATE-9", "RATE-14", "RATE-15"), Suffers: "One client spends the allowance of all others.",
			apply: scoped(func(*call) any { return "everybody" })},
		{Name: "scope-refusal-for-all", May: ids("RATE-7", "RATE-14", "RATE-15"), Suffers: "While one key is refused, every key is refused.", apply: refuseAll},
	}),
	table(Deviation{Breaks: ids("RATE-11"), May: ids("RATE-4", "RATE-6", "RATE-14", "RATE-15"), Needs: Load}, []Deviation{
		{Name: "scope-operation", Suffers: "Each operation has an allowance of its own.", apply: scopedBy(func(c *call) any { return c.operation })},
		{Name: "scope-method", Suffers: "Reading and writing have an allowance each.", apply: scopedBy(func(c *call) any { return c.request.Method })},
		{Name: "scope-connection", Suffers: "Each connection has an allowance of its own.", apply: scopedBy(func(c *call) any { return c.request.RemoteAddr })},
		{Name: "scope-path", Suffers: "Each animal has an allowance of its own.", apply: scopedBy(func(c *call) any { return c.path })},
		{Name: "scope-without-get", Suffers: "The deprecated operation is not counted.", apply: uncounted(spec.GetPet)},
		{Name: "scope-without-create", Suffers: "Creations are not counted.", apply: uncounted(spec.CreatePet)},
	}),
)

var byNineteenth = every(19)

// window is a number of requests of a key since it began.
type window struct {
	began time.Time
	count int64
}

// renewWindow counts requests in a window that ends a minute after the last request.
var renewWindow = judged(func(b *behaviour, c *call, w *window, d limiter.Decision) limiter.Decision {
	if c.now.Sub(w.began) >= b.options.Minute {
		w.count = 0
	}
	limit := c.account.plan.PerMinute
	w.began = c.now
	w.count++
	d = limiter.Decision{Allowed: w.count <= limit, Limit: limit, Remaining: max(limit-w.count, 0), Reset: c.now.Add(b.options.Minute)}
	if !d.Allowed {
		d.RetryAfter = b.options.Minute
	}
	return d
})

// halveAfterSpent counts requests in windows that begin with a request. One that follows a spent window has half of the plan.
var halveAfterSpent = judged(func(b *behaviour, c *call, w *window, d limiter.Decision) limiter.Decision {
	limit := c.account.plan.PerMinute
	if c.now.Sub(w.began) >= b.options.Minute {
		next := window{began: c.now}
		if w.count >= limit {
			next.count = limit / 2
		}
		*w = next
	}
	end := w.began.Add(b.options.Minute)
	d = limiter.Decision{Allowed: w.count < limit, Limit: limit, Reset: end}
	if d.Allowed {
		w.count++
	} else {
		d.RetryAfter = end.Sub(c.now)
	}
	d.Remaining = limit - w.count
	return d
})

// refuseAll refuses every key until the first one that was refused may come back.
func refuseAll(b *behaviour) {
	var until time.Time
	var by *account
	judged(func(_ *behaviour, c *call, _ *struct{}, d limiter.Decision) limiter.Decision {
		switch {
		case !d.Allowed && !until.After(c.now):
			until, by = c.now.Add(d.RetryAfter), c.account
		case d.Allowed && c.account != by && until.After(c.now):
			d = refusedFor(until.Sub(c.now), c, d)
		}
		return d
	})(b)
}

// scopedBy keeps an allowance for each part of a key's requests.
func scopedBy(part func(c *call) any) func(*behaviour) {
	type scope struct {
		key  *account
		part any
	}
	return scoped(func(c *call) any { return scope{c.account, part(c)} })
}

func countedTwice(ops ...spec.Operation) func(*behaviour) {
	return func(b *behaviour) {
		take := b.take
		b.take = func(c *call) limiter.Decision {
			if d := take(c); !d.Allowed || !slices.Contains(ops, c.operation) {
				return d
			}
			return accepted(b.allowance(c).Take(c.now))
		}
	}
}

func uncounted(op spec.Operation) func(*behaviour) {
	return func(b *behaviour) {
		take := b.take
		b.take = func(c *call) limiter.Decision {
			if c.operation == op {
				return accepted(b.allowance(c).Look(c.now))
			}
			return take(c)
		}
	}
}
