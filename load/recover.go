package load

import (
	"context"
	"fmt"
	"slices"
	"time"

	"petconform/load/judge"
	"petconform/load/record"
	"petconform/spec"
)

func recoverPhase() phase {
	return phase{
		Phase: judge.Phase{ID: record.Recover, Title: "A request after Retry-After, or at X-RateLimit-Reset, is accepted",
			Proves: []spec.ID{"RATE-8", "RATE-9", "RATE-5"}, Judge: judge.Recover},
		planned: always,
		cost: func(c cost) PhaseSchedule {
			refused := 1 // the run recovers up to twice from the 429s of each phase that spends
			for _, p := range []record.Phase{record.Mixed, record.Overload} {
				if slices.Contains(c.phases, p) {
					refused++
				}
			}
			return PhaseSchedule{Requests: 2 * refused, Most: (mostFills + 8) * mostProbes, Longest: c.Minute}
		},
		within: record.Fill,
	}
}

func backoffPhase() phase {
	return phase{
		Phase:   judge.Phase{ID: record.Backoff, Title: "A client with exponential backoff is accepted", Proves: []spec.ID{"RATE-8"}, Judge: judge.Backoff},
		planned: always,
		cost:    func(c cost) PhaseSchedule { return PhaseSchedule{Requests: 1, Longest: 2 * c.Minute} },
		within:  record.Fill,
	}
}

// most429 is how often in a row a request after Retry-After may be answered 429 until the next is the last: 4. More requests would only
// risk a ban.
const most429 = 4

// backoffBase is the first pause of the backoff, and the unit of the pauses between probes: 1/60 of a minute, which is 1 s.
const backoffBase = 60

// recover sends one request as soon as Retry-After has passed, which finds a Retry-After that was rounded down. If the fills had no 429, it
// backs off from the first one after them.
func (l *lane) recover(ctx context.Context, round int) error {
	if l.backOff {
		l.backOff = false
		return l.backoff(ctx, round)
	}
	l.began(record.Recover, round, "waiting for Retry-After")
	defer l.ended(record.Recover, round)
	if back, err := l.earlyReset(ctx, record.Recover, round); back || err != nil {
		return err
	}
	return l.comeBack(ctx, record.Recover, round, func(int) time.Time { return l.blocked })
}

// resetRounding is 1 s: X-RateLimit-Reset is in whole seconds, and may be rounded down.
const resetRounding = time.Second

// wellBefore is how much earlier than the end of Retry-After a Reset has to be, to be tested by itself: 2 s, since each may be off by one
// through rounding. It is 1/8 of a scaled minute of less than 16 s.
func (l *lane) wellBefore() time.Duration { return min(2*time.Second, l.run.cfg.Minute/8) }

// earlyReset sends one request at X-RateLimit-Reset if Reset is wellBefore the end of Retry-After, since no other request would
// test Reset. It does so only after the 429 that ends a fill: later the key may be banned beyond Reset. In a run without an overload, it
// does so only after odd fills, so that the even ones test Retry-After; in other runs the recovery from the overload does. If Retry-After
// is longer than MaxWait, it does so after every fill, and after any 429 once a request was accepted at Reset.
func (l *lane) earlyReset(ctx context.Context, p record.Phase, round int) (back bool, err error) {
	reset, ok := l.resetOf(&l.newest)
	reset = reset.Add(resetRounding)
	if !ok || !l.newest.Limited() || !reset.Before(l.blocked.Add(-l.wellBefore())) {
		return false, nil
	}
	filled := l.newest.Role == record.Spend && l.newest.Phase == record.Fill
	long := time.Until(l.blocked) > l.run.cfg.MaxWait
	atReset := round%2 == 1 || l.run.cfg.has(record.Overload)
	if !(filled && atReset) && !(long && (filled || l.resetTrue)) {
		return false, nil
	}
	if err := l.wait(ctx, reset, "for X-RateLimit-Reset"); err != nil {
		return false, err
	}
	r, err := l.one(ctx, p, round, list(record.AtReset))
	back = err == nil && !r.Limited()
	l.resetTrue = l.resetTrue || back
	return back, err
}

// backoff retries as a client should: after pauses that double from 1/60 of a minute to 64/60, with full jitter, and never before
// Retry-After has passed.
func (l *lane) backoff(ctx context.Context, round int) error {
	l.began(record.Backoff, round, "backing off")
	defer l.ended(record.Backoff, round)
	if back, err := l.earlyReset(ctx, record.Backoff, round); back || err != nil {
		return err
	}
	return l.comeBack(ctx, record.Backoff, round, func(k int) time.Time {
		base := l.run.cfg.Minute / backoffBase
		jittered := time.Duration(float64(base<<min(k, 6)) * l.run.random())
		at := l.quiet.Add(jittered)
		if at.Before(l.blocked) {
			at = l.blocked
		}
		return at
	})
}

// comeBack sends probes until one is accepted. Probe k, from 0, is sent at at(k). From the second on there is also a pause, which doubles
// from 1/30 of a minute, since a Retry-After of 0 would otherwise cause a flood. The last one is sent after two windows without requests.
func (l *lane) comeBack(ctx context.Context, p record.Phase, round int, at func(k int) time.Time) error {
	for k := range most429 + 1 {
		due := at(k)
		if least := l.quiet.Add(l.run.cfg.Minute / backoffBase << k); k > 0 && due.Before(least) {
			due = least
		}
		if last := l.quiet.Add(2 * l.edge()); k == most429 && due.Before(last) {
			due = last
		}
		if left := time.Until(due); left > l.run.cfg.MaxWait {
			return giveUp{fmt.Sprintf("Retry-After asks to wait %s, and the run waits at most %s", left.Round(time.Second), l.run.cfg.MaxWait)}
		}
		if err := l.wait(ctx, due, "for Retry-After"); err != nil {
			return err
		}
		r, err := l.one(ctx, p, round, list(record.Probe))
		if err != nil {
			return err
		}
		if !r.Limited() {
			return nil
		}
	}
	return giveUp{fmt.Sprintf("%d times in a row a request after Retry-After was answered 429", most429+1)}
}

// atReset sends one request at X-RateLimit-Reset and resetRounding, if that is not before the end of Retry-After.
func (l *lane) atReset(ctx context.Context, round int) error {
	l.began(record.Recover, round, "waiting for X-RateLimit-Reset")
	defer l.ended(record.Recover, round)
	if back, err := l.earlyReset(ctx, record.Recover, round); back || err != nil {
		return err
	}
	reset, ok := l.resetOf(&l.newest)
	reset = reset.Add(resetRounding)
	if ok && l.newest.Limited() && !reset.Before(l.blocked) && time.Until(reset) <= l.run.cfg.MaxWait {
		if err := l.wait(ctx, reset, "for X-RateLimit-Reset"); err != nil {
			return err
		}
		r, err := l.one(ctx, record.Recover, round, list(record.AtReset))
		if err != nil || !r.Limited() {
			return err
		}
	}
	return l.comeBack(ctx, record.Recover, round, func(int) time.Time { return l.blocked })
}

// random returns a number from 0 to 1 from the generator that has the run's seed.
func (r *run) random() float64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.dice.Float64()
}
