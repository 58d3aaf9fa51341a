package deviations

import (
	"slices"
	"time"

	"petconform/spec"
	. "petconform/spec/reference/internal/behaviour"
	"petconform/spec/reference/limiter"
)

// The headers show a wrong count too, so a run may report them beside it.
var limitCountRows = slices.Concat(
	faults(breaks("RATE-7"), may("RATE-14", "RATE-15"), needs(Load))(
		fault("plan-one-low", Enforce(PerMinute(func(n int64) int64 { return n - 1 }))),
		fault("plan-half", Enforce(PerMinute(func(n int64) int64 { return n / 2 }))),
		fault("plan-nine-tenths", Enforce(PerMinute(func(n int64) int64 { return n * 9 / 10 }))),
		fault("plan-day-half", Enforce(PerDay(func(n int64) int64 { return n / 2 })), needs(Day)),
		fault("plan-day-one-low", Enforce(PerDay(func(n int64) int64 { return n - 1 })), needs(Day)),
		fault("plan-spread-over-seconds", Bucketed(60)),
		fault("plan-burst-of-half", Bucketed(2)),
		fault("plan-counts-twice",
			countedTwice(spec.ListPets, spec.CreatePet, spec.GetPet), breaks("RATE-7", "RATE-15"), may("RATE-14")),
		fault("plan-counts-get-twice", countedTwice(spec.GetPet), may("RATE-15")),
		fault("plan-counts-create-twice", countedTwice(spec.CreatePet), may("RATE-15")),
		fault("plan-refills-slowly",
			Counting(func(o *limiter.Options) { o.Kind, o.Minute = limiter.TokenBucket, o.Minute*20/17 })),
		fault("plan-refills-a-tenth-slowly",
			Counting(func(o *limiter.Options) { o.Kind, o.Minute = limiter.TokenBucket, o.Minute*10/9 })),
	),
	faults(breaks("RATE-6"), may("RATE-14", "RATE-15"), needs(Load))(
		fault("plan-one-high", Enforce(PerMinute(func(n int64) int64 { return n + 1 }))),
		fault("plan-tenth-high", Enforce(PerMinute(func(n int64) int64 { return n + max(n/10, 2) }))),
		fault("plan-double", Enforce(PerMinute(func(n int64) int64 { return 2 * n }))),
		fault("plan-refills-fast",
			Counting(func(o *limiter.Options) { o.Kind, o.Minute = limiter.TokenBucket, o.Minute*4/5 })),
		fault("plan-not-enforced",
			Judged(func(_ *Behaviour, _ *Call, _ *struct{}, d limiter.Decision) limiter.Decision { return Accepted(d) }),
			may("RATE-13", "RATE-14", "RATE-15")),
		fault("plan-race", func(b *Behaviour) {
			take := b.Take
			b.Take = func(c *Call) limiter.Decision {
				// The service reads the count, waits 2 ms and writes the count.
				allowed := b.Allowance(c).Look(c.Now).Allowed
				time.Sleep(2 * time.Millisecond)
				d := take(c)
				if allowed {
					d = Accepted(d)
				}
				return d
			}
		}),
	),
	faults(breaks("RATE-13"), may("RATE-14", "RATE-15"), needs(Day))(
		fault("plan-day-not-enforced", Enforce(PerDay(func(n int64) int64 { return n * 1000 }))),
		fault("plan-day-double", Enforce(PerDay(func(n int64) int64 { return 2 * n }))),
		fault("plan-day-one-high", Enforce(PerDay(func(n int64) int64 { return n + 1 }))),
	),
	faults(breaks("RATE-10"), needs(Load))(
		fault("scope-all-keys", Scoped(func(*Call) any { return "everybody" }),
			may("RATE-4", "RATE-6", "RATE-7", "RATE-9", "RATE-14", "RATE-15")),
		fault("scope-refusal-for-all", refuseAll, may("RATE-7", "RATE-14", "RATE-15")),
	),
	faults(breaks("RATE-11"), may("RATE-4", "RATE-6", "RATE-14", "RATE-15"), needs(Load))(
		fault("scope-operation", scopedBy(func(c *Call) any { return c.Operation })),
		fault("scope-method", scopedBy(func(c *Call) any { return c.Request.Method })),
		fault("scope-connection", scopedBy(func(c *Call) any { return c.Request.RemoteAddr })),
		fault("scope-path", scopedBy(func(c *Call) any { return c.Path })),
		fault("scope-without-get", uncounted(spec.GetPet)),
		fault("scope-without-create", uncounted(spec.CreatePet)),
	),
)

// refuseAll refuses every key until the first one that was refused may come back.
func refuseAll(b *Behaviour) {
	var until time.Time
	var by *Account
	Judged(func(_ *Behaviour, c *Call, _ *struct{}, d limiter.Decision) limiter.Decision {
		switch {
		case !d.Allowed && !until.After(c.Now):
			until, by = c.Now.Add(d.RetryAfter), c.Account
		case d.Allowed && c.Account != by && until.After(c.Now):
			d = RefusedFor(until.Sub(c.Now), c, d)
		}
		return d
	})(b)
}

// scopedBy keeps an allowance for each part of a key's requests.
func scopedBy(part func(c *Call) any) Change {
	type scope struct {
		key  *Account
		part any
	}
	return Scoped(func(c *Call) any { return scope{c.Account, part(c)} })
}

func countedTwice(ops ...spec.Operation) Change {
	return func(b *Behaviour) {
		take := b.Take
		b.Take = func(c *Call) limiter.Decision {
			if d := take(c); !d.Allowed || !slices.Contains(ops, c.Operation) {
				return d
			}
			return Accepted(b.Allowance(c).Take(c.Now))
		}
	}
}

func uncounted(op spec.Operation) Change {
	return func(b *Behaviour) {
		take := b.Take
		b.Take = func(c *Call) limiter.Decision {
			if c.Operation == op {
				return Accepted(b.Allowance(c).Look(c.Now))
			}
			return take(c)
		}
	}
}
