package reference

import (
	"slices"
	"time"

	"petconform/spec"
	"petconform/spec/reference/limiter"
)

// The headers show a wrong count too, so a run may report them beside it.
var limitCountDeviations = slices.Concat(
	faults(breaks("RATE-7"), may("RATE-14", "RATE-15"), needs(Load))(
		fault("plan-one-low", "The last request of the plan is refused.",
			enforce(perMinute(func(n int64) int64 { return n - 1 }))),
		fault("plan-half", "A client gets half of its plan.", enforce(perMinute(func(n int64) int64 { return n / 2 }))),
		fault("plan-nine-tenths", "A client gets nine tenths of its plan.",
			enforce(perMinute(func(n int64) int64 { return n * 9 / 10 }))),
		fault("plan-day-half", "A client gets half of its plan in a day.",
			enforce(perDay(func(n int64) int64 { return n / 2 })), needs(Day)),
		fault("plan-day-one-low", "The last request of the day is refused.",
			enforce(perDay(func(n int64) int64 { return n - 1 })), needs(Day)),
		fault("plan-spread-over-seconds",
			"Two requests in one second are refused, because each second of the minute is limited.",
			bucketed(60)),
		fault("plan-burst-of-half", "A burst gets half of the plan, even after a pause.", bucketed(2)),
		fault("plan-counts-twice", "Each request is counted twice, by two layers.",
			countedTwice(spec.ListPets, spec.CreatePet, spec.GetPet), breaks("RATE-7", "RATE-15"), may("RATE-14")),
		fault("plan-counts-get-twice", "Each getPet is counted twice.", countedTwice(spec.GetPet), may("RATE-15")),
		fault("plan-counts-create-twice", "Each createPet is counted twice.",
			countedTwice(spec.CreatePet), may("RATE-15")),
		fault("plan-refuses-now-and-then", "Every nineteenth request is refused, whatever remains.",
			judged(func(_ *behaviour, c *call, _ *struct{}, d limiter.Decision) limiter.Decision {
				if d.Allowed && byNineteenth(c, nil) {
					d.Allowed, d.RetryAfter = false, time.Second
				}
				return d
			}), may("RATE-15", "RATE-14", "RATE-9")),
		fault("plan-refills-slowly",
			"A client that sends steadily gets 51 of 60 requests a minute, because its bucket refills in 70.6 s.",
			counting(func(o *limiter.Options) { o.Kind, o.Minute = limiter.TokenBucket, o.Minute*20/17 })),
		fault("plan-refills-a-tenth-slowly",
			"A client that sends steadily gets 54 of 60 requests a minute, because its bucket refills in 66.7 s.",
			counting(func(o *limiter.Options) { o.Kind, o.Minute = limiter.TokenBucket, o.Minute*10/9 })),
		fault("plan-half-after-spent", "A client that spent its plan gets half of it the next time.",
			halveAfterSpent, may("RATE-14", "RATE-15")),
		fault("plan-window-renewed",
			"A client that never pauses is refused for ever, because each request begins a new window.",
			renewWindow, may("RATE-14")),
	),
	faults(breaks("RATE-6"), may("RATE-14", "RATE-15"), needs(Load))(
		fault("plan-one-high", "A client gets one request more than its plan in each window.",
			enforce(perMinute(func(n int64) int64 { return n + 1 }))),
		fault("plan-tenth-high", "A client gets a tenth more than its plan, which other deployments refuse.",
			enforce(perMinute(func(n int64) int64 { return n + max(n/10, 2) }))),
		fault("plan-double", "A client gets twice its plan, because two servers count separately.",
			enforce(perMinute(func(n int64) int64 { return 2 * n }))),
		fault("plan-refills-fast", "A client gets a quarter more than its plan, because its bucket refills in 48 s.",
			counting(func(o *limiter.Options) { o.Kind, o.Minute = limiter.TokenBucket, o.Minute*4/5 })),
		fault("plan-not-enforced", "Remaining falls to 0 and no request is refused.",
			judged(func(_ *behaviour, _ *call, _ *struct{}, d limiter.Decision) limiter.Decision { return accepted(d) }),
			may("RATE-13", "RATE-14", "RATE-15")),
		fault("plan-race", "Requests that come at the same time are all accepted when one is left.",
			func(b *behaviour) {
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
			}),
	),
	faults(breaks("RATE-13"), may("RATE-14", "RATE-15"), needs(Day))(
		fault("plan-day-not-enforced", "The limit of the day is not enforced.",
			enforce(perDay(func(n int64) int64 { return n * 1000 }))),
		fault("plan-day-double", "A client gets twice its plan in a day.",
			enforce(perDay(func(n int64) int64 { return 2 * n }))),
		fault("plan-day-one-high", "A client gets one request more than its plan in a day.",
			enforce(perDay(func(n int64) int64 { return n + 1 }))),
	),
	faults(breaks("RATE-10"), needs(Load))(
		fault("scope-all-keys", "One client spends the allowance of all others.",
			scoped(func(*call) any { return "everybody" }),
			may("RATE-4", "RATE-6", "RATE-7", "RATE-9", "RATE-14", "RATE-15")),
		fault("scope-refusal-for-all", "While one key is refused, every key is refused.",
			refuseAll, may("RATE-7", "RATE-14", "RATE-15")),
	),
	faults(breaks("RATE-11"), may("RATE-4", "RATE-6", "RATE-14", "RATE-15"), needs(Load))(
		fault("scope-operation", "Each operation has an allowance of its own.",
			scopedBy(func(c *call) any { return c.operation })),
		fault("scope-method", "Reading and writing have an allowance each.",
			scopedBy(func(c *call) any { return c.request.Method })),
		fault("scope-connection", "Each connection has an allowance of its own.",
			scopedBy(func(c *call) any { return c.request.RemoteAddr })),
		fault("scope-path", "Each animal has an allowance of its own.", scopedBy(func(c *call) any { return c.path })),
		fault("scope-without-get", "The deprecated operation is not counted.", uncounted(spec.GetPet)),
		fault("scope-without-create", "Creations are not counted.", uncounted(spec.CreatePet)),
	),
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
