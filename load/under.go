package load

import (
	"context"
	"time"

	"petconform/load/judge"
	"petconform/load/record"
	"petconform/load/sender"
	"petconform/spec"
)

func underPhase() phase {
	return phase{
		Phase:   judge.Phase{ID: record.Under, Title: "Just under the plan's rate nothing is refused", Proves: []spec.ID{"RATE-7"}, Judge: judge.Under},
		planned: always,
		cost: func(c cost) PhaseSchedule {
			return PhaseSchedule{Requests: fewLooks + underWindows*c.limit + c.limit, Most: 2 * (mostLooks + underWindows*c.limit + c.limit),
				Fastest: underWindows * c.Minute, Longest: (underWindows + 4) * c.Minute}
		},
		send: (*lane).under,
	}
}

// underWindows is how many windows the phase lasts: a limit that is a little low shows in the second.
const underWindows = 2

// pace is the interval just under the plan: L requests take a window and twice the jitter, by which requests that were
// sent apart may come closer together on their way.
func (l *lane) pace() time.Duration {
	w := l.run.cfg.Minute
	jitter := min(max(4*l.slowest(), w/50), w/8)
	return (w + 2*jitter) / time.Duration(l.key.Plan.PerMinute)
}

// under sends just under the plan's rate for underWindows. It does so a second time after a 429, since a finding must be seen twice,
// and when the sender took more than 5/4 of the time.
func (l *lane) under(ctx context.Context) error {
	if err := l.steady(ctx); err != nil {
		return err
	}
	for round := 1; round <= 2; round++ {
		l.began(record.Under, round, "just under the limit")
		if err := l.fresh(ctx, record.Under, round); err != nil {
			return err
		}
		interval := l.pace()
		budget := int(underWindows * l.run.cfg.Minute / interval)
		gate := &sender.Gate{}
		if err := l.wait(ctx, l.quiet.Add(interval), "for the pace"); err != nil {
			return err
		}
		begun := time.Now()
		_, err := l.send(ctx, sender.Attack{Phase: record.Under, Round: round, Next: lists(record.Spend), Budget: budget,
			Interval: interval, Workers: concurrency, Gate: gate})
		l.ended(record.Under, round)
		lagged := time.Since(begun) > interval*time.Duration(budget)*5/4
		if err != nil || !gate.Shut() && !lagged {
			return err
		}
		if !gate.Shut() {
			continue
		}
		if err := l.recover(ctx, 10+round); err != nil {
			return err
		}
	}
	return nil
}

// steady sends just under the plan's rate from an almost empty allowance. A bucket that refills more slowly than the plan's rate
// refuses soon then; a full one would not for many windows.
func (l *lane) steady(ctx context.Context) error {
	limit := int(l.key.Plan.PerMinute)
	if r := &l.newest; !r.Accepted() || !l.ofMinute(r) || int(r.Remaining) > limit/2 || l.usual()*time.Duration(limit) > 2*l.run.cfg.Minute {
		return nil
	}
	// Enough to empty a bucket that refills at 4/5 of the plan's rate.
	budget := min(limit, 5*int(l.newest.Remaining)+10)
	for round := record.SteadyRound; round < record.SteadyRound+2; round++ {
		l.began(record.Under, round, "just under the limit, from an almost empty allowance")
		if err := l.wait(ctx, l.quiet.Add(l.pace()), "for the pace"); err != nil {
			return err
		}
		gate := &sender.Gate{}
		_, err := l.send(ctx, sender.Attack{Phase: record.Under, Round: round, Next: lists(record.Spend), Budget: budget,
			Interval: l.pace(), Workers: concurrency, Gate: gate})
		l.ended(record.Under, round)
		if err != nil || !gate.Shut() {
			return err
		}
		if err := l.recover(ctx, 10+round); err != nil {
			return err
		}
	}
	return nil
}
