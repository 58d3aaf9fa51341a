package deviations

import (
	"time"

	"petconform/spec"
	. "petconform/spec/reference/internal/behaviour"
	"petconform/spec/reference/limiter"
)

// noRate removes the three rate-limit headers.
var noRate = Lacking(LimitHeader, RemainingHeader, ResetHeader)

// figure writes a header as a number that is made from the decision.
func figure(header string, n func(d Decision) int64) Change {
	return Figure(header, func(_ *Call, d Decision) string { return Whole(n(d)) })
}

// A load run compares the headers with what happens, so it may report more than the form of a figure and of Reset.
const figureBroken, resetBroken = "RATE-2 RATE-15?", "RATE-3 RATE-9? RATE-15?"

func rateRows(t *table) {
	t.onEach("rate-none-on-", "RATE-1", spec.Operations(), func(on When) Change { return on.Then(noRate) })
	t.fault("rate-limit-word", figureBroken, Always.Then(Header(LimitHeader, "unlimited")))
	t.fault("rate-remaining-fraction", figureBroken,
		Figure(RemainingHeader, func(_ *Call, d Decision) string { return Whole(d.Remaining) + ".5" }))
	t.fault("rate-reset-word", resetBroken, Always.Then(Header(ResetHeader, "soon")))
	t.fault("rate-none", "RATE-1", OfOperations.Then(noRate))
	t.fault("rate-remaining-above-limit", figureBroken, left(func(d Decision) int64 { return d.Remaining + d.Limit + 1 }))
	t.fault("rate-reset-milliseconds", resetBroken,
		figure(ResetHeader, func(d Decision) int64 { return d.Reset.UnixMilli() }))
	t.fault("rate-reset-seconds-left", resetBroken,
		Figure(ResetHeader, func(c *Call, d Decision) string { return Whole(SecondsUp(d.Reset.Sub(c.Now))) }))
	t.fault("rate-reset-past", resetBroken,
		figure(ResetHeader, func(d Decision) int64 { return d.Reset.Add(-5 * time.Hour).Unix() }))
	t.fault("rate-remaining-stands", "RATE-4 RATE-15?", left(func(d Decision) int64 { return max(d.Limit-1, 0) }))
	t.fault("rate-limit-is-what-remains", "RATE-22 RATE-15? RATE-4?",
		figure(LimitHeader, func(d Decision) int64 { return d.Remaining }))
}

func enforce(minute func(n int64) int64) Change {
	return Enforce(func(p *spec.Plan) { p.PerMinute = minute(p.PerMinute) })
}

func enforceDay(day func(n int64) int64) Change {
	return Enforce(func(p *spec.Plan) { p.PerDay = day(p.PerDay) })
}

// bucketed counts in a bucket that holds one part of the plan and refills at the plan's rate.
func bucketed(part int64) Change {
	return Together(Counting(func(o *limiter.Options) {
		o.Kind = limiter.TokenBucket
		o.Minute /= time.Duration(part)
	}), enforce(func(n int64) int64 { return max(n/part, 1) }))
}

// refilling counts in a bucket that refills in by/per of a minute.
func refilling(by, per time.Duration) Change {
	return Counting(func(o *limiter.Options) { o.Kind, o.Minute = limiter.TokenBucket, o.Minute*by/per })
}

func countedTwice(on When) Change {
	return Decided(func(c *Call, take Take) Decision {
		d := take()
		if d.Allowed && on(c) {
			d = Accepted(take())
		}
		return d
	})
}

func uncounted(on When) Change {
	return Decided(func(c *Call, take Take) Decision {
		if on(c) {
			return Accepted(c.Service.Allowance(c).Look(c.Now))
		}
		return take()
	})
}

// scopedBy keeps an allowance for each part of a key's requests.
func scopedBy(part func(c *Call) any) Change {
	return Scoped(func(c *Call) any { return [2]any{c.Account, part(c)} })
}

// The headers show a wrong count too, so a run may report them beside it.
const (
	tooFew   = "RATE-7 RATE-14? RATE-15? "
	tooMany  = "RATE-6 RATE-14? RATE-15? "
	beyond24 = "RATE-13 RATE-14? RATE-15? day"
	perScope = "RATE-11 RATE-4? RATE-6? RATE-14? RATE-15? load"
)

func planRows(t *table) {
	t.fault("plan-one-low", tooFew+"load", enforce(plus(-1)))
	t.fault("plan-half", tooFew+"load", enforce(times(1, 2)))
	t.fault("plan-day-half", tooFew+"day", enforceDay(times(1, 2)))
	t.fault("plan-day-one-low", tooFew+"day", enforceDay(plus(-1)))
	t.fault("plan-spread-over-seconds", tooFew+"load", bucketed(60))
	t.fault("plan-burst-of-half", tooFew+"load", bucketed(2))
	t.fault("plan-counts-twice", "RATE-7 RATE-15 RATE-14? load", countedTwice(On(spec.Operations()[:3]...)))
	t.fault("plan-refills-a-tenth-slowly", tooFew+"load", refilling(10, 9))
	t.fault("plan-one-high", tooMany+"load", enforce(plus(1)))
	t.fault("plan-refills-fast", tooMany+"load", refilling(4, 5))
	t.fault("plan-not-enforced", tooMany+"RATE-13? load",
		Decided(func(_ *Call, take Take) Decision { return Accepted(take()) }))
	t.fault("plan-race", tooMany+"load", Decided(func(c *Call, take Take) Decision {
		// The service reads the count, waits 2 ms and writes the count.
		allowed := c.Service.Allowance(c).Look(c.Now).Allowed
		time.Sleep(2 * time.Millisecond)
		d := take()
		if allowed {
			d = Accepted(d)
		}
		return d
	}))
	t.fault("plan-day-not-enforced", beyond24, enforceDay(times(1000, 1)))
	t.fault("plan-day-one-high", beyond24, enforceDay(plus(1)))
	t.fault("scope-all-keys", "RATE-10 RATE-4? RATE-6? RATE-7? RATE-9? RATE-14? RATE-15? load",
		Scoped(func(*Call) any { return "everybody" }))
	t.fault("scope-operation", perScope, scopedBy(func(c *Call) any { return c.Operation }))
	t.fault("scope-connection", perScope, scopedBy(func(c *Call) any { return c.Request.RemoteAddr }))
	t.fault("scope-without-create", perScope, uncounted(OnCreate))
}

// waiting writes Retry-After as a number of seconds that is made from the right wait, and waits as a text that is
// always the same; "" leaves it out.
func waiting(change func(d time.Duration) int64) Change {
	return figure(RetryAfterHeader, func(d Decision) int64 { return change(d.RetryAfter) })
}

func waits(text string) Change {
	return Figure(RetryAfterHeader, func(*Call, Decision) string { return text })
}

func left(n func(d Decision) int64) Change { return figure(RemainingHeader, n) }

func toldRows(t *table) {
	t.fault("retry-after-missing", "RATE-5 RATE-8? load", waits(""))
	t.fault("retry-after-fraction", "RATE-5 RATE-8? load", waits("30.75"))
	t.fault("retry-after-milliseconds", "RATE-5 RATE-8? load", waiting(time.Duration.Milliseconds))
	t.fault("retry-after-0", "RATE-8 load", waits("0"))
	t.fault("retry-after-1", "RATE-8 load", waits("1"))
	t.fault("retry-after-rounded-down", "RATE-8 load",
		waiting(func(d time.Duration) int64 { return int64(d / time.Second) }))
	t.fault("refused-for-ever", "RATE-8 RATE-9 RATE-7? RATE-14? RATE-16? load",
		Judged(func(c *Call, refused *bool, d Decision) Decision {
			if *refused = *refused || !d.Allowed; *refused {
				d = RefusedFor(time.Second, c, d)
			}
			return d
		}))
	t.fault("reset-too-early", "RATE-9 RATE-3? RATE-15? load", Figure(ResetHeader, func(c *Call, d Decision) string {
		if d.Allowed {
			return Whole(UnixUp(d.Reset))
		}
		return Whole(UnixUp(c.Now.Add(d.Reset.Sub(c.Now) / 3)))
	}))
	t.fault("reset-a-window-from-now", "RATE-9 load", Figure(ResetHeader, func(c *Call, _ Decision) string {
		return Whole(UnixUp(c.Now.Add(c.Service.Options.Minute)))
	}))
	t.fault("remaining-one-too-many", "RATE-15 load",
		left(func(d Decision) int64 { return min(d.Remaining+1, d.Limit) }))
	t.fault("remaining-one-too-few", "RATE-15 load", left(func(d Decision) int64 { return max(d.Remaining-1, 0) }))
	t.fault("remaining-falls-by-half", "RATE-15 load",
		left(func(d Decision) int64 { return d.Limit - (d.Limit-d.Remaining)/2 }))
	t.fault("limit-of-another-plan", "RATE-15 load", figure(LimitHeader, func(d Decision) int64 { return 5 * d.Limit }))
	t.fault("ban-for-ever", "RATE-16 RATE-3? RATE-5? RATE-8? RATE-9? ban", banForEver())
	t.fault("ban-for-all-keys", "RATE-10 RATE-7? RATE-8? ban", banAll()) // a key may be refused after its own wait
}

// banForEver refuses a key after BanAfter refusals in a row. Retry-After says a minute.
func banForEver() Change {
	return Judged(func(c *Call, banned *bool, d Decision) Decision {
		if *banned = *banned || c.RefusedInARow >= BanAfter; *banned {
			d = RefusedFor(c.Service.Options.Minute, c, d)
		}
		return d
	})
}

// banAll refuses every key after BanAfter refusals of one in a row.
func banAll() Change {
	var until time.Time
	return Judged(func(c *Call, _ *struct{}, d Decision) Decision {
		if c.RefusedInARow >= BanAfter {
			until = c.Now.Add(2 * c.Service.Options.Minute)
		}
		if until.After(c.Now) {
			d = RefusedFor(until.Sub(c.Now), c, d)
		}
		return d
	})
}

// limited429 changes the answers that would be 429.
func limited429(changes ...func(*Call, *Answer)) Change { return Always.Of(429).Then(changes...) }

// everyRefusal changes each nth refusal in a row. A client that waits after each 429 never meets it.
func everyRefusal(n int, change func(*Call, *Answer)) Change {
	return Always.Of(429).And(func(c *Call) bool { return c.RefusedInARow%n == 0 }).Then(change)
}

func refusalRows(t *table) {
	t.fault("limited-page", "ERROR-1 load", limited429(page))
	t.fault("limited-bodiless", "ERROR-2 load", limited429(bodiless))
	t.fault("limited-status-503", "ERROR-3 load",
		limited429(Saying(`{"code":"rate_limited","message":"Busy.","status":503}`)))
	t.fault("limited-without-headers", "RATE-1 RATE-9? RATE-15? load", limited429(noRate))
	t.fault("limited-reset-in-seconds-left", "RATE-3 RATE-9? RATE-15? load", limited429(
		Making(ResetHeader, func(c *Call) string { return Whole(SecondsUp(c.Decision.RetryAfter)) })))
	t.fault("headers-lost-under-load", "RATE-1 RATE-15? load", OfOperations.And(Every(40)).Then(Lacking(RemainingHeader)))
	t.fault("refused-create-done", "RATE-12 load", OnCreate.Of(429).Then(createAnyway))
	t.fault("limited-503", "RATE-6 RATE-14 ERROR-7? load", limited429(WithStatus(503)))
	t.fault("limited-401", "RATE-6 RATE-14 AUTH-1? AUTH-7? load", limited429(WithStatus(401)))
	t.fault("limited-200-empty", "RATE-6 RATE-14 CREATE-1? GET-2? LIST-8? LIST-11? PET-1? PET-2? PET-3? load",
		limited429(Replaced(200, MediaJSON, "[]")))
	t.fault("limited-closed", "RATE-6 RATE-14 SERVICE-3 load", limited429(Abort))
	t.fault("overload-503", "RATE-14 ERROR-7? load", everyRefusal(4, WithStatus(503)))
	t.fault("overload-closed", "RATE-14 SERVICE-3 load", everyRefusal(6, Abort))
}
