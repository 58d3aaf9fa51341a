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
		Phase: judge.Phase{ID: record.Backoff, Title: "A client with exponential backoff is accepted",
			Proves: []spec.ID{"RATE-8"}, Judge: judge.Backoff},
		planned: always,
		cost:    func(c cost) PhaseSchedule { return PhaseSchedule{Requests: 1, Longest: 2 * c.Minute} },
		within:  record.Fill,
	}
}

// most429 is how often in a row a request after Retry-After may be answered 429 until the next is the last: 4. More
// requests would only risk a ban.
const most429 = 4

// backoffBase is the first pause of the backoff, and the unit of the pauses between probes: 1/60 of a minute, which is
// 1 s.
const backoffBase = 60

// recover sends one request as soon as Retry-After has passed, which finds a Retry-After that was rounded down. If the
// fills had no 429, it backs off from the first one after them.
func (l *lane) recover(ctx context.Context, round int) error {
	if l.backOff {
		l.backOff = false
		return l.backoff(ctx, round)
	}
	return l.comeBack(ctx, record.Recover, round, "waiting for Retry-After", 0, nil)
}

// backoff retries as a client should: after pauses that double from 1/60 of a minute, the first with full jitter, and
// never before Retry-After has passed.
func (l *lane) backoff(ctx context.Context, round int) error {
	jittered := time.Duration(float64(l.run.cfg.Minute/backoffBase) * l.run.random())
	return l.comeBack(ctx, record.Backoff, round, "backing off", jittered, nil)
}

// atReset sends one request at X-RateLimit-Reset, if that is not before the end of Retry-After.
func (l *lane) atReset(ctx context.Context, round int) error {
	return l.comeBack(ctx, record.Recover, round, "waiting for X-RateLimit-Reset", 0, func(reset time.Time) bool {
		return !reset.Before(l.blocked) && time.Until(reset) <= l.run.cfg.MaxWait
	})
}

// resetRounding is 1 s: X-RateLimit-Reset is in whole seconds, and may be rounded down.
const resetRounding = time.Second

// tryReset sends one request at X-RateLimit-Reset and resetRounding, if Reset is that of a 429 and due returns true for
// the time. back says that it was accepted.
func (l *lane) tryReset(ctx context.Context, p record.Phase, round int, due func(reset time.Time) bool) (back bool, err error) {
	reset, ok := l.resetOf(&l.newest)
	reset = reset.Add(resetRounding)
	if !ok || !l.newest.Limited() || !due(reset) {
		return false, nil
	}
	if err := l.wait(ctx, reset, "for X-RateLimit-Reset"); err != nil {
		return false, err
	}
	r, err := l.one(ctx, p, round, list(record.AtReset))
	return err == nil && !r.Limited(), err
}

// wellBefore is how much earlier than the end of Retry-After a Reset has to be, to be tested by itself: 2 s, since each
// may be off by one through rounding. It is 1/8 of a scaled minute of less than 16 s.
func (l *lane) wellBefore() time.Duration { return min(2*time.Second, l.run.cfg.Minute/8) }

// early returns whether a Reset is tested by itself: if it is wellBefore the end of Retry-After, since no other request
// would test it. It is tested only after the 429 that ends a fill: later the key may be banned beyond Reset. In a run
// without an overload, it is tested only after odd fills, so that the even ones test Retry-After; in other runs the
// recovery from the overload does. If Retry-After is longer than MaxWait, it is tested after every fill, and after any
// 429 once a request was accepted at Reset.
func (l *lane) early(round int, reset time.Time) bool {
	filled := l.newest.Role == record.Spend && l.newest.Phase == record.Fill
	long := time.Until(l.blocked) > l.run.cfg.MaxWait
	odd := round%2 == 1 || l.run.cfg.has(record.Overload)
	return reset.Before(l.blocked.Add(-l.wellBefore())) && (filled && (odd || long) || long && l.resetTrue)
}

// comeBack sends a request at Reset if that is early, or if atReset is not nil and returns true for it. If that one is
// refused, or there is none, it sends probes when Retry-After has passed, until one is accepted. The first probe is
// sent after the pause first, and the others after pauses that double from 1/30 of a minute, since a Retry-After of 0
// would otherwise cause a flood. The last one is sent after two windows without requests.
func (l *lane) comeBack(ctx context.Context, p record.Phase, round int, doing string, first time.Duration, atReset func(time.Time) bool) error {
	l.began(p, round, doing)
	defer l.ended(p, round)
	back, err := l.tryReset(ctx, p, round, func(reset time.Time) bool { return l.early(round, reset) })
	l.resetTrue = l.resetTrue || back
	if !back && err == nil && atReset != nil {
		back, err = l.tryReset(ctx, p, round, atReset)
	}
	if back || err != nil {
		return err
	}
	for k := range most429 + 1 {
		due, pause := l.blocked, first
		switch k {
		case 0:
		case most429:
			pause = 2 * l.edge()
		default:
			pause = l.run.cfg.Minute / backoffBase << k
		}
		if least := l.quiet.Add(pause); due.Before(least) {
			due = least
		}
		if left := time.Until(due); left > l.run.cfg.MaxWait {
			return giveUp{fmt.Sprintf("Retry-After asks to wait %s, and the run waits at most %s", left.Round(time.Second), l.run.cfg.MaxWait)}
		}
		if err := l.wait(ctx, due, "for Retry-After"); err != nil {
			return err
		}
		if r, err := l.one(ctx, p, round, list(record.Probe)); err != nil || !r.Limited() {
			return err
		}
	}
	return giveUp{fmt.Sprintf("%d times in a row a request after Retry-After was answered 429", most429+1)}
}

// random returns a number from 0 to 1 from the generator that has the run's seed.
func (r *run) random() float64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.dice.Float64()
}
